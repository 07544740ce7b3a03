import type { OpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { loadPlatform } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import { createOperationFinder, type OperationFinder } from './operation-limits.ts';
import type { OperationLimit } from './requests-per-minute.ts';

const ID = '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9';

/** The method is POST unless the line names one. */
const CASES: Record<string, OperationLimit[]> = {
  'customers/auth/sign-in': ['sign-in'],
  'GET employees/auth/refresh/token': ['refresh'],
  'auth/admin/sign-in/passkey/options': ['sign-in'],
  'auth/admin/oidc/company/authorize': ['sign-in'],
  'GET customers/auth/account/export': ['sign-in'],
  'GET employees/auth/verification/email/code': ['codes'],
  'auth/admin/reset-password/email/code': ['sign-in', 'codes'],
  'contact/lead': ['contact'],

  'customers/auth/passkeys/options': ['sign-in'],
  [`PATCH customers/auth/passkeys/${ID}`]: ['sign-in'],
  'PATCH customers/auth/passkeys/options': ['sign-in'],
  'customers/auth/identities/company': ['sign-in'],
  'customers/auth/identities/company/authorize': ['sign-in'],

  'GET customers/auth/sign-in': ['sign-in'],
  'HEAD customers/auth/sign-in': ['sign-in'],
  'OPTIONS customers/auth/sign-in': ['sign-in'],
  'PROPFIND customers/auth/sign-in': ['sign-in'],
  'HEAD employees/auth/refresh/token': ['refresh'],
  'customers/auth/sign-in/': ['sign-in'],
  '/customers//auth/sign-in//': ['sign-in'],
  'Customers/AUTH/Sign-In': ['sign-in'],
  '%63ustomers/auth/sign%2Din': ['sign-in'],
  'customers/auth/s%69gn%2din': ['sign-in'],
  'customers/auth%2Fsign-in': ['sign-in'],

  '': [],
  'GET auth/bot-check': ['sign-in'],
  'GET customers/auth/me': [],
  'GET customers/auth/sessions': [],
  'GET customers/auth/oidc/providers': [],
  'GET customers/auth/identities': [],
  'customers/auth/passkeys': [],
  'auth/oidc/company/backchannel-logout': [],
  'GET users': [],
  [`DELETE users/${ID}/second-factor`]: [],
  // Not a path of the document; the services respond with 404.
  contact: [],
  contacts: [],
  'customers/auth': [],
  'customers/auth/sign-in/more': [],
  'customers/auth/sign-in;a=b': [],
  'customers/auth/sign%252Din': [],
  'customers/auth/sign-in%': [],
};

const toDocument = (paths: object): OpenApiDocument =>
  ({ servers: [{ url: '/api' }], paths }) as unknown as OpenApiDocument;
const operation = (limits?: string[]) => ({ operationId: 'any', ...(limits && { 'x-rate-limit': limits }) });

describe('rate limits of the operations', () => {
  let find: OperationFinder;
  before('read the document', async () => {
    find = createOperationFinder(await loadPlatform());
  });

  for (const [line, limits] of Object.entries(CASES))
    it(`are ${limits.join(' and ') || 'none'} for ${line || 'the base path'}`, () => {
      const [path = '', method = 'POST'] = line.split(' ').reverse();
      expect(find(method, `/api/v1/${path}`).limits).to.deep.equal(limits);
    });

  it('are those of the method, or of all operations of the path for an undocumented method', () => {
    const paths = {
      '/teams/{id}': { get: operation(), put: operation(['codes']), post: operation(['codes', 'contact']) },
    };
    const find = createOperationFinder(toDocument(paths));
    const byMethod = { GET: [], PUT: ['codes'], POST: ['codes', 'contact'], HEAD: ['codes', 'contact'] };
    for (const [method, limits] of Object.entries(byMethod))
      expect(find(method, '/api/teams/1').limits, method).to.deep.equal(limits);
  });

  it('are those of a parameter if no path continues with the segment', () => {
    const paths = {
      '/users/me': { get: operation() },
      '/users/{id}': { get: operation(['contact']) },
      '/users/{id}/name': { put: operation(['codes']) },
    };
    const find = createOperationFinder(toDocument(paths));
    expect(find('GET', '/api/users/me').limits).to.deep.equal([]);
    expect(find('GET', '/api/users/you').limits).to.deep.equal(['contact']);
    expect(find('PUT', '/api/users/me/name').limits).to.deep.equal(['codes']);
  });

  it('come with the operation and its path', () => {
    const found = find('GET', `/api/v1/users/${ID}`);
    expect(found.operation).to.include({ id: 'getUser', route: '/api/v1/users/{id}' });
    expect(find('PATCH', `/api/v1/users/${ID}`)).not.to.have.property('operation');
  });

  it('reject an unknown name', () => {
    const paths = { '/teams': { get: operation(['all']) } };
    expect(() => createOperationFinder(toDocument(paths))).to.throw('Unknown x-rate-limit of /teams: all');
  });
});
