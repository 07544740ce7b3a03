import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { formatStatus } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { KINDS, type RequestOptions, type User, useFixture } from './fixture.ts';

const FORM = 'application/x-www-form-urlencoded';
const CROSS_SITE = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };

type Forgery = [name: string, route: string, options: RequestOptions];

/** Requests with cookies that a page of another origin can make a browser send without a preflight. */
const createForgeries = ({ device, password }: User): Forgery[] => {
  const change = { currentPassword: password, newPassword: 'Stolen password 1' };
  const form = new URLSearchParams(change).toString();
  const json = JSON.stringify(change);
  const post = (type: string | undefined, body: string): RequestOptions => ({
    method: 'POST',
    headers: type === undefined ? {} : { 'Content-Type': type },
    body,
  });
  const asPassword = ([name, type, body]: [string, string | undefined, string]): Forgery => [
    `a change of the password as ${name}`,
    '/reset-password/me',
    post(type, body),
  ];
  const passwords: [string, string | undefined, string][] = [
    ['a form', FORM, form],
    ['a form whose charset is JSON', `${FORM}; charset=application/json`, form],
    ['JSON in text/plain', 'text/plain', json],
    ['JSON in text/plain with a parameter', 'text/plain; application/json', json],
    ['JSON in multipart', 'multipart/form-data; boundary=x', `--x\r\n\r\n${json}\r\n--x--`],
    ['JSON without a Content-Type', undefined, json],
    ['JSON in application/jsonp', 'application/jsonp', json],
    ['JSON in application/csp-report', 'application/csp-report', json],
  ];
  const query = `X-Fingerprint=${device.fingerprint}&X-Session-Id=${device.sessionId}`;
  return [
    ['an image with the URL of refresh', '/refresh/token', {}],
    ['a link to refresh with the ids in the query', `/refresh/token?${query}`, {}],
    ['a form that posts to refresh', '/refresh/token', post(FORM, 'a=b')],
    ['HEAD of refresh', '/refresh/token', { method: 'HEAD' }],
    ['an image with the URL of sign-out', '/sign-out', {}],
    ['a form that ends the sessions', '/sessions', post(FORM, '_method=DELETE')],
    ['an image with the URL of the code mail', '/verification/email/code', {}],
    ...passwords.map(asPassword),
  ];
};

describe('requests of another origin', () => {
  const fixture = useFixture();

  for (const kind of KINDS)
    it(`with the cookie of ${kind.plural} are rejected, and change neither session nor password`, async () => {
      const user = await fixture().createUser(kind);
      const { device, client } = user;
      const cookie = { Cookie: `${kind.refreshCookie}=${device.refreshToken}` };
      for (const [name, route, options] of createForgeries(user)) {
        const headers = { ...CROSS_SITE, ...cookie, ...options.headers };
        const response = await fixture().send(kind.path + route, { ...options, headers });
        expect(response.status, name).to.be.within(400, 499);
        expect(response.headers, name).not.to.have.property('set-cookie');
        expect((await client.me(device)).status, name).to.equal(200);
      }
      expect((await client.refreshToken(device)).status).to.equal(200);
      expect((await client.signIn({ fingerprint: 'another device', body: user })).status).to.equal(200);
    });

  it('are rejected as forms to routes without authentication', async () => {
    const { email, password } = await fixture().createUser(CUSTOMER);
    for (const type of [FORM, 'text/plain', 'multipart/form-data; boundary=x'])
      for (const [path, body] of [
        [`${CUSTOMER.path}/sign-in`, { email, password }],
        [`${CUSTOMER.path}/sign-up`, { email: `x${email}`, password }],
        [`${ADMINISTRATOR.path}/sign-in`, { email, password }],
        ['/api/v1/contact/lead', { name: 'Ada', email, message: 'Hello' }],
      ] as const) {
        const headers = { ...CROSS_SITE, 'Content-Type': type };
        const text = type === FORM ? new URLSearchParams(body).toString() : JSON.stringify(body);
        const response = await fixture().send(path, { method: 'POST', headers, body: text });
        expect(formatStatus(response), `${type} to ${path}`).to.match(/^4(?:00|15) /);
      }
  });
});
