import { expect } from 'chai';
import type { Request } from 'express';
import { ConfigError } from '../../config/env.ts';
import { readServiceScopes, withScopes } from './service-scopes.ts';

const SECRETS = new Map([
  ['projects', ['secret']],
  ['my-shop', ['other']],
  ['pages', []],
]);

describe('scopes of other services', () => {
  const read = (environment: Record<string, string>) => readServiceScopes(environment, SECRETS);

  it('are none, or a list for each service', () => {
    expect([...read({})].map(([, scopes]) => scopes)).to.deep.equal([[], [], []]);
    const scopes = read({ SERVICE_PROJECTS_SCOPES: 'projects, teams', SERVICE_MY_SHOP_SCOPES: '' });
    expect([...scopes]).to.deep.equal([
      ['projects', ['projects', 'teams']],
      ['my-shop', []],
      ['pages', []],
    ]);
  });

  it('prevent the start when one is unknown, or its service has no secret', () => {
    expect(() => read({ SERVICE_MY_SHOP_SCOPES: 'projects,Teams,users' })).to.throw(
      ConfigError,
      'SERVICE_MY_SHOP_SCOPES has unknown scopes (Teams, users): use projects, teams',
    );
    expect(() => read({ SERVICE_PAGES_SCOPES: 'teams', SERVICE_PROJECTS_SCOPES: 'all' })).to.throw(
      ConfigError,
      /SERVICE_PROJECTS_SCOPES has unknown scopes \(all\).*; SERVICE_PAGES_SCOPES needs SERVICE_PAGES_SECRET/,
    );
  });

  it('prevent the start when they belong to no name in SERVICES', () => {
    expect(() =>
      read({ SERVICE_SHOP_SCOPES: 'projects', SERVICE_PROJECT_SCOPES: 'teams', SERVICE_OLD_SCOPES: '' }),
    ).to.throw(
      ConfigError,
      /^SERVICE_SHOP_SCOPES belongs to no name in SERVICES; SERVICE_PROJECT_SCOPES belongs to no name in SERVICES$/,
    );
  });

  it('are required by the operations that name them', async () => {
    const authorize = withScopes(
      async () => ({ service: 'projects' }),
      read({ SERVICE_PROJECTS_SCOPES: 'teams' }),
    );
    const request = (service: string[]) =>
      ({ state: { operation: { schema: { security: [{ service }] } } } }) as unknown as Request;
    expect(await authorize(request([]))).to.deep.equal({ service: 'projects' });
    expect(await authorize(request(['teams']))).to.deep.equal({ service: 'projects' });
    const error = await authorize(request(['projects'])).catch((reason: unknown) => reason);
    expect(error).to.include({ status: 403, code: 'SCOPE_MISSING' });
  });
});
