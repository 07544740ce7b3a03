import { expect } from 'chai';
import { ConfigError } from '../../config/env.ts';
import { readServiceScopes } from './service-scopes.ts';

const SECRETS = new Map([
  ['projects', ['secret']],
  ['my-shop', ['other']],
  ['pages', []],
]);

describe('scopes of other services', () => {
  const read = (environment: Record<string, string>) => readServiceScopes(environment, SECRETS);

  it('are none, or a list for each service', () => {
    expect([...read({})].map(([, scopes]) => scopes)).to.deep.equal([[], [], []]);
    const scopes = read({ SERVICE_PROJECTS_SCOPES: 'introspect, teams:write', SERVICE_MY_SHOP_SCOPES: '' });
    expect([...scopes]).to.deep.equal([
      ['projects', ['introspect', 'teams:write']],
      ['my-shop', []],
      ['pages', []],
    ]);
  });

  it('prevent the start when one is unknown, or its service has no secret', () => {
    expect(() => read({ SERVICE_MY_SHOP_SCOPES: 'projects:read,Teams:read,projects' })).to.throw(
      ConfigError,
      'SERVICE_MY_SHOP_SCOPES has unknown scopes (Teams:read, projects): use introspect, users:read, events:read, projects:read, projects:write, teams:read, teams:write, mails:send',
    );
    expect(() => read({ SERVICE_PAGES_SCOPES: 'teams:read', SERVICE_PROJECTS_SCOPES: 'all' })).to.throw(
      ConfigError,
      /SERVICE_PROJECTS_SCOPES has unknown scopes \(all\).*; SERVICE_PAGES_SCOPES needs SERVICE_PAGES_SECRET/,
    );
  });

  it('prevent the start when they belong to no name in SERVICES', () => {
    expect(() =>
      read({
        SERVICE_SHOP_SCOPES: 'projects:read',
        SERVICE_PROJECT_SCOPES: 'teams:read',
        SERVICE_OLD_SCOPES: '',
      }),
    ).to.throw(
      ConfigError,
      /^SERVICE_SHOP_SCOPES belongs to no name in SERVICES; SERVICE_PROJECT_SCOPES belongs to no name in SERVICES$/,
    );
  });
});
