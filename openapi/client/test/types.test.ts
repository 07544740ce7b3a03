import { expect } from 'chai';
import { compileSnippets, readExamples } from './compile-snippets.ts';

const CLIENTS = `
import { createPlatformClient } from '@platform/client/platform-client';
import { isPlatformError } from '@platform/client/platform-error';
const gatewayUrl = 'https://api.example.com';
const customer = createPlatformClient({ gatewayUrl, kind: 'customer' });
const administrator = createPlatformClient({ gatewayUrl, kind: 'administrator' });
const credentials = { email: 'ada@example.com', password: 'Correct horse 1' };
const page = async () => await administrator.GET('/users', { params: { query: { page: 1 } } });
const me = async () => await customer.GET('/customers/auth/me');
const error: unknown = undefined;
const id = '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';
`;

/** A call that must compile, and the same call with one mistake, with what the compiler says of it. */
const CALLS: Record<string, { right: string; wrong: string; says: RegExp }> = {
  'a wrong field of a sign-in': {
    right: `customer.signIn({ email: 'ada@example.com', password: 'Correct horse 1' });`,
    wrong: `customer.signIn({ email: 'ada@example.com', passwort: 'Correct horse 1' });`,
    says: /passwort/,
  },
  'a missing field': {
    right: `customer.POST('/contact/support', { body: { email: 'a@b.c', subject: 's', message: 'm' } });`,
    wrong: `customer.POST('/contact/support', { body: { email: 'a@b.c', subject: 's' } });`,
    says: /message/,
  },
  'a misspelt optional field': {
    right: `customer.POST('/contact/lead', { body: { name: 'Ada', email: 'a@b.c', company: 'Engines' } });`,
    wrong: `customer.POST('/contact/lead', { body: { name: 'Ada', email: 'a@b.c', compny: 'Engines' } });`,
    says: /compny/,
  },
  'a field of another type': {
    right: `customer.signUp({ ...credentials, firstName: 'Ada' });`,
    wrong: `customer.signUp({ ...credentials, firstName: 7 });`,
    says: /number/,
  },
  'a body that is left out': {
    right: `customer.POST('/customers/auth/verification/email/code/check', { body: { code: '123456' } });`,
    wrong: `customer.POST('/customers/auth/verification/email/code/check');`,
    says: /Expected 2 arguments/,
  },
  'a body where there is none': {
    right: `customer.GET('/customers/auth/me');`,
    wrong: `customer.GET('/customers/auth/me', { body: {} });`,
    says: /undefined|never/,
  },
  'a path that does not exist': {
    right: `customer.GET('/customers/auth/sessions');`,
    wrong: `customer.GET('/customers/auth/session');`,
    says: /"\/customers\/auth\/session"/,
  },
  'a method that the path does not have': {
    right: `administrator.PATCH('/users/{id}/block', { params: { path: { id } } });`,
    wrong: `administrator.POST('/users/{id}/block', { params: { path: { id } } });`,
    says: /"\/users\/\{id\}\/block"/,
  },
  'a path of another kind': {
    right: `customer.GET('/auth/me');`,
    wrong: `customer.GET('/employees/auth/me');`,
    says: /"\/employees\/auth\/me"/,
  },
  'the back-office from a customer': {
    right: `administrator.GET('/users');`,
    wrong: `customer.GET('/users');`,
    says: /"\/users"/,
  },
  'a sign-in past the client’s own function': {
    right: `customer.signIn(credentials);`,
    wrong: `customer.POST('/customers/auth/sign-in', { body: credentials });`,
    says: /sign-in/,
  },
  'a path parameter that is left out': {
    right: `administrator.GET('/projects/{id}', { params: { path: { id } } });`,
    wrong: `administrator.GET('/projects/{id}', { params: {} });`,
    says: /path/,
  },
  'a path parameter of another name': {
    right: `administrator.GET('/administrator/teams/{teamId}', { params: { path: { teamId: id } } });`,
    wrong: `administrator.GET('/administrator/teams/{teamId}', { params: { path: { id } } });`,
    says: /teamId/,
  },
  'a misspelt query parameter': {
    right: `administrator.GET('/users', { params: { query: { page: 2, perPage: 50 } } });`,
    wrong: `administrator.GET('/users', { params: { query: { page: 2, perpage: 50 } } });`,
    says: /perpage/,
  },
  'a value that is not of the enumeration': {
    right: `administrator.GET('/users', { params: { query: { role: 'EMPLOYEE' } } });`,
    wrong: `administrator.GET('/users', { params: { query: { role: 'EMPLOYER' } } });`,
    says: /EMPLOYER/,
  },
  'a misspelt option': {
    right: `administrator.GET('/users', { params: {} });`,
    wrong: `administrator.GET('/users', { parameters: {} });`,
    says: /parameters/,
  },
  'a field that the answer does not have': {
    right: `(await page()).data[0]?.isBlocked;`,
    wrong: `(await page()).data[0]?.blocked;`,
    says: /blocked/,
  },
  'a field that may be null': {
    right: `(await me()).profile?.firstName;`,
    wrong: `(await me()).profile.firstName;`,
    says: /null/,
  },
  'the token, which the client keeps': {
    right: `(await customer.signIn(credentials)).user.customerId;`,
    wrong: `(await customer.signIn(credentials)).token;`,
    says: /token/,
  },
  'a code that does not exist': {
    right: `isPlatformError(error, 'EMAIL_TAKEN', 'GATEWAY_UNREACHABLE');`,
    wrong: `isPlatformError(error, 'EMAIL_TAKEN', 'GATEWAY_UNREACHED');`,
    says: /GATEWAY_UNREACHED/,
  },
  'a code that this error cannot have': {
    right: `if (isPlatformError(error, 'EMAIL_TAKEN')) error.code === 'EMAIL_TAKEN';`,
    wrong: `if (isPlatformError(error, 'EMAIL_TAKEN')) error.code === 'USER_BLOCKED';`,
    says: /no overlap/,
  },
  'a kind that does not exist': {
    right: `createPlatformClient({ gatewayUrl, kind: 'employee' });`,
    wrong: `createPlatformClient({ gatewayUrl, kind: 'operator' });`,
    says: /operator/,
  },
};

const snippetsOf = (side: 'right' | 'wrong') =>
  Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, CLIENTS + call[side]]));

describe('The types of the client', function () {
  this.timeout(60_000);

  describe('refuse', () => {
    let said: Record<string, string>;
    before('compile the mistakes', async () => {
      said = await compileSnippets(snippetsOf('wrong'));
    });
    for (const [name, { says }] of Object.entries(CALLS))
      it(name, () => {
        expect(said[name])
          .to.match(/error TS\d+/)
          .and.to.match(says);
      });
  });

  it('accept each of these calls without the mistake', async () => {
    const said = await compileSnippets(snippetsOf('right'));
    expect(said).to.deep.equal(Object.fromEntries(Object.keys(CALLS).map((name) => [name, ''])));
  });

  for (const compiler of ['typescript', 'typescript-native'] as const)
    it(`accept the README as one program, by ${compiler}`, async () => {
      expect(await compileSnippets({ readme: await readExamples() }, compiler)).to.deep.equal({ readme: '' });
    });
});
