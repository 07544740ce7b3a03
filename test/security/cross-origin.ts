import { formatStatus } from '@platform/shared/testing/http-client';
import {
  type Fixture,
  isSessionUnchanged,
  KINDS,
  type RequestOptions,
  refreshCookieHeader,
  type User,
} from './fixture.ts';

const FOREIGN_ORIGINS = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example#localhost',
  'http://localhost@evil.example',
  'http://evil.example/http://localhost',
  'http://localhost:3000.evil.example',
  'http://localhost:5173, https://evil.example',
  'http://xlocalhost',
  'http://localhost:123456',
  'file://',
  'chrome-extension://localhost',
  '*',
];
const ALLOWED_ORIGINS = [
  'http://localhost:5173',
  'http://127.0.0.1:3000',
  'http://[::1]:8080',
  'https://localhost',
];

const getCorsHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const testOrigins = async (fixture: Fixture): Promise<void> => {
  fixture.section('CORS: only allowed origins get CORS headers');
  const [kind] = KINDS;
  for (const origin of FOREIGN_ORIGINS) {
    const path = `${kind?.path}/sign-in`;
    const preflight = await fixture.send(path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-fingerprint',
      },
    });
    const response = await fixture.send('/api/v1', { headers: { Origin: origin } });
    const error = await fixture.send('/nowhere', { headers: { Origin: origin } });
    const corsHeaders = [preflight, response, error].flatMap(({ headers }) => getCorsHeaders(headers));
    fixture.check(
      corsHeaders.length === 0,
      `Origin: ${origin}`,
      `preflight ${formatStatus(preflight)}, CORS headers: ${corsHeaders.join(', ') || 'none'}`,
    );
  }
  for (const origin of ALLOWED_ORIGINS) {
    const { headers } = await fixture.send('/api/v1', { headers: { Origin: origin } });
    const allowed = headers['access-control-allow-origin'];
    const isAllowed = allowed === origin && headers['access-control-allow-credentials'] === 'true';
    fixture.check(
      isAllowed && /\bOrigin\b/.test(headers.vary ?? ''),
      `Origin: ${origin}, allowed`,
      `Access-Control-Allow-Origin: ${allowed}, Vary: ${headers.vary}`,
    );
  }
};

type Forgery = [name: string, route: string, options: RequestOptions];

/** Requests with cookies that a page of another origin can make a browser send without a preflight. */
const createForgeries = (user: User): Forgery[] => {
  const password = { currentPassword: user.password, newPassword: 'Stolen password 1' };
  const form = new URLSearchParams(password).toString();
  const json = JSON.stringify(password);
  const post = (type: string | undefined, body: string): RequestOptions => ({
    method: 'POST',
    headers: type === undefined ? {} : { 'Content-Type': type },
    body,
  });
  const change = '/reset-password/me';
  return [
    ['an image with the URL of refresh', '/refresh/token', {}],
    [
      'a link to refresh with the ids in the query',
      `/refresh/token?X-Fingerprint=${user.device.fingerprint}&X-Session-Id=${user.device.sessionId}`,
      {},
    ],
    ['a form that posts to refresh', '/refresh/token', post('application/x-www-form-urlencoded', 'a=b')],
    ['HEAD of refresh', '/refresh/token', { method: 'HEAD' }],
    ['an image with the URL of sign-out', '/sign-out', {}],
    ['a form that changes the password', change, post('application/x-www-form-urlencoded', form)],
    [
      'the same with JSON in a parameter of the type',
      change,
      post('application/x-www-form-urlencoded; charset=application/json', form),
    ],
    ['JSON as text/plain that changes the password', change, post('text/plain', json)],
    ['the same with application/json as a parameter', change, post('text/plain; application/json', json)],
    [
      'JSON in multipart',
      change,
      post(
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${json}\r\n--x--`,
      ),
    ],
    ['JSON without a Content-Type', change, post(undefined, json)],
    ['JSON as application/jsonp', change, post('application/jsonp', json)],
    ['JSON as application/csp-report', change, post('application/csp-report', json)],
    [
      'a form that ends the sessions',
      '/sessions',
      post('application/x-www-form-urlencoded', '_method=DELETE'),
    ],
    ['an image with the URL of the code mail', '/verification/email/code', {}],
  ];
};

const testForgeries = async (fixture: Fixture): Promise<void> => {
  for (const kind of KINDS) {
    fixture.section(`CSRF with the cookie of ${kind.plural}: rejected, session and password unchanged`);
    const user = await fixture.createUser(kind);
    for (const [name, route, options] of createForgeries(user)) {
      const headers = {
        Origin: 'https://evil.example',
        'Sec-Fetch-Site': 'cross-site',
        ...refreshCookieHeader(user),
        ...options.headers,
      };
      const response = await fixture.send(kind.path + route, { ...options, headers });
      const isRejected = response.status >= 400 && response.status < 500;
      const unchanged = await isSessionUnchanged(user);
      const signedIn = await fixture.signIn(user, 'another device');
      fixture.check(
        isRejected && unchanged && signedIn.status === 200 && response.headers['set-cookie'] === undefined,
        name,
        `${formatStatus(response)}, session ${unchanged ? 'unchanged' : 'changed'}, password ${signedIn.status === 200 ? 'unchanged' : 'changed'}`,
      );
    }
  }
};

const testForms = async (fixture: Fixture): Promise<void> => {
  fixture.section('Login CSRF: forms to routes without authentication are rejected');
  const [kind] = KINDS;
  if (!kind) return;
  const { email, password } = await fixture.createUser(kind);
  const lead = { name: 'Ada', email, message: 'Hello' };
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
    for (const [path, body] of [
      [`${kind.path}/sign-in`, { email, password }],
      [`${kind.path}/sign-up`, { email: `x${email}`, password }],
      ['/api/v1/contact/lead', lead],
    ] as const) {
      const headers = { Origin: 'https://evil.example', 'Content-Type': type };
      const text = type.includes('urlencoded') ? new URLSearchParams(body).toString() : JSON.stringify(body);
      const response = await fixture.send(path, { method: 'POST', headers, body: text });
      fixture.check(response.status === 400 || response.status === 415, `${type} to ${path}`, response);
    }
};

export const testCrossOriginRequests = async (fixture: Fixture): Promise<void> => {
  await testOrigins(fixture);
  await testForgeries(fixture);
  await testForms(fixture);
};
