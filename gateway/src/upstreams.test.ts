import { expect } from 'chai';
import { findUpstream, isUnambiguousPath, stripQuery } from './upstreams.ts';

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
  '/api/v1/docs',
  '/api/v1/docs/openapi.json',
  '/api/v1/x/auth/me',
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
  '/api/v1/users%',
  '*',
  'api/v1/users',
  '',
];

describe('upstream routing', () => {
  for (const path of AUTH)
    it(`routes ${path} to auth-service`, () => {
      expect(findUpstream(path)).to.equal('auth-service');
      expect(isUnambiguousPath(path)).to.equal(true);
    });

  for (const path of ADMIN)
    it(`routes ${path} to admin-service`, () => {
      expect(findUpstream(path)).to.equal('admin-service');
      expect(isUnambiguousPath(path)).to.equal(true);
    });

  for (const path of UNROUTED)
    it(`finds no upstream for ${path}`, () => {
      expect(findUpstream(path)).to.equal(undefined);
    });

  for (const path of AMBIGUOUS)
    it(`treats ${JSON.stringify(path)} as ambiguous`, () => {
      expect(isUnambiguousPath(path)).to.equal(false);
    });

  it('treats encoded letters, e-mail addresses and dots within a segment as unambiguous', () => {
    for (const path of [
      '/api/v1/users/%61',
      '/api/v1/users/a@b.c',
      '/api/v1/users/...',
      '/api/v1/a..b/.well-known',
    ])
      expect(isUnambiguousPath(path), path).to.equal(true);
  });

  it('strips the query, whatever it contains', () => {
    expect(stripQuery('/api/v1/users?search=../%2e//')).to.equal('/api/v1/users');
    expect(stripQuery('/api/v1/users?')).to.equal('/api/v1/users');
    expect(stripQuery('/api/v1/users')).to.equal('/api/v1/users');
  });
});
