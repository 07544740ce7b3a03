import { expect } from 'chai';
import { createUpstreamFinder, createUpstreams, isUnambiguousPath, stripQuery } from './upstreams.ts';

const findUpstream = createUpstreamFinder(
  createUpstreams({ 'auth-service': [], 'admin-service': [] }, [
    { name: 'shop', prefixes: ['/api/v1/orders', '/api/v1/customers/baskets'], urls: [] },
  ]),
);

const AUTH = [
  '/api/v1/customers/auth',
  '/api/v1/customers/auth/',
  '/api/v1/customers/auth/sign-in',
  '/api/v1/employees/auth/refresh/token',
  '/api/v1/auth/me',
  '/api/v1/auth/admin/register',
  '/api',
  '/api/',
  '/api/openapi.json',
  '/api/swagger-ui.css',
  '/api/swagger-ui-bundle.js',
];

const ADMIN = [
  '/api/v1',
  '/api/v1/',
  '/api/v1/users',
  '/api/v1/customers',
  '/api/v1/customers/authority',
  '/api/v1/customers/Auth/sign-in',
  '/api/v1/authors',
  '/api/v1/ordersx',
  '/api/v1/Orders',
  '/api/v1/%6frders',
  '/api/v1/customers/basketsx',
  '/api/v1/internal',
  '/api/v1/%69nternal',
  '/api/v1/docs',
  '/api/v1/docs/openapi.json',
  '/api/v1/x/auth/me',
];

const SHOP = [
  '/api/v1/orders',
  '/api/v1/orders/',
  '/api/v1/orders/auth/sign-in',
  '/api/v1/customers/baskets/1/',
];

const UNROUTED = [
  '/',
  '/api/v2',
  '/api/v1x',
  '/apiary',
  '/api/docs',
  '/api/a.b/c',
  '/API/v1',
  '/metrics',
  '/healthz/x',
  '/internal',
  '/internal/v1/introspect',
  '/%69nternal/v1',
  '/Internal/v1',
  '/api/internal/v1',
];

const AMBIGUOUS = [
  '/api/v1/customers/auth/../../users',
  '/api/v1/./users',
  '/api/v1/users/..',
  '/api/v1/customers/auth/%2e%2e/users',
  '/api/v1/customers/auth/.%2E/users',
  '/api/v1/customers/auth/..%2fusers',
  '/api/v1/customers%2Fauth/sign-in',
  '/api/v1/customers/auth%5c..%5cusers',
  '/api/v1/customers\\auth',
  '//api/v1/users',
  '/api//v1/users',
  '/api/v1/users//',
  '/api/v1/users#/x',
  '/api/v1/users/%00',
  '/api/v1/users/%zz',
  '/api/v1/users/%4',
  '/api/v1/\u00e9',
  '/api/v1/a b',
  'http://host/api/v1/users',
  '/api/v1/operator/me/../../users',
  '/api/v1/users/.',
  '/api/v1/orders/../users',
  '/api/../internal/v1',
  '/api/%2e%2e/internal',
  '/internal%2fv1',
  '//internal/v1',
  '/api/v1/users%',
  '*',
  'api/v1/users',
  '',
];

const UNAMBIGUOUS = [
  '/api/v1/users/%61',
  '/api/v1/users/a@b.c',
  '/api/v1/users/...',
  '/api/v1/a..b/.well-known',
];

describe('upstream routing', () => {
  for (const [upstream, paths] of Object.entries({
    'auth-service': AUTH,
    'admin-service': ADMIN,
    shop: SHOP,
    no: UNROUTED,
  }))
    it(`finds ${upstream} upstream for its paths`, () => {
      for (const path of paths) {
        expect(findUpstream(path)?.name, path).to.equal(upstream === 'no' ? undefined : upstream);
        expect(isUnambiguousPath(path), path).to.equal(true);
      }
    });

  it('treats only paths that two parsers could read differently as ambiguous', () => {
    for (const path of AMBIGUOUS) expect(isUnambiguousPath(path), path).to.equal(false);
    for (const path of UNAMBIGUOUS) expect(isUnambiguousPath(path), path).to.equal(true);
  });

  it('strips the query, whatever it contains', () => {
    expect(stripQuery('/api/v1/users?search=../%2e//')).to.equal('/api/v1/users');
    expect(stripQuery('/api/v1/users')).to.equal('/api/v1/users');
  });
});
