import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';
import { type Break, createBreakingProxy, replaceText, withoutHeader } from './breaking-proxy.ts';
import type { Credentials } from './check-deployment.ts';
import { runChecks } from './run-checks.ts';

type Planted = { name: string; apply: Break; line: RegExp };

const USERS = '/api/v1/users?page=2&perPage=1';
const NO_USERS = JSON.stringify({ data: [], total: 0, page: 1, perPage: 10 });

/** Each on its own route, so that none hides another. */
const BREAKS: readonly Planted[] = [
  {
    name: 'a renamed field of a response',
    apply: replaceText(/^POST .*\/customers\/auth\/sign-in$/, '"isEmailVerified"', '"emailVerified"'),
    line: /^sign-in: .*\/user must have required property 'isEmailVerified' \(schema #\/\S+\/required\).*\[POST \/api\/v1\/customers\/auth\/sign-in, request [\w-]{36}\]/,
  },
  {
    name: 'a number that became text',
    apply: ({ path }, { text }) =>
      path === USERS ? { text: text.replace(/"total":(\d+)/, '"total":"$1"') } : undefined,
    line: /^GET \/api\/v1\/users: pages, .*\/total must be integer/,
  },
  {
    name: 'a time without a time zone',
    apply: replaceText(
      /^GET .*\/administrator\/audit-log\?perPage=1$/,
      /"createdAt":"([^"]+)Z"/,
      '"createdAt":"$1"',
    ),
    line: /^GET \/api\/v1\/administrator\/audit-log: pages, .*\/data\/0\/createdAt must match format "date-time"/,
  },
  {
    name: 'a provider that returns to a foreign address',
    apply: ({ path }) =>
      path === '/api/v1/customers/auth/oidc/company/authorize'
        ? { status: 200, text: '{"authorizationUrl":"https://login.example.com/","expiresIn":600}' }
        : undefined,
    line: /^providers: none may return to a foreign address: 200 instead of 400/,
  },
  {
    name: 'a forged logout that is accepted',
    apply: ({ path }) => (path.endsWith('/backchannel-logout') ? { status: 200, text: '' } : undefined),
    line: /^back-channel logout: .*200 instead of 400/,
  },
  {
    name: 'a missing X-Request-Id',
    apply: withoutHeader(/^GET \/healthz$/, 'x-request-id'),
    line: /^GET \/healthz: .*no header X-Request-Id/,
  },
  {
    name: 'a missing RateLimit',
    apply: withoutHeader(/^GET \/readyz$/, 'ratelimit'),
    line: /^GET \/readyz: .*no header RateLimit\b/,
  },
  {
    name: 'a missing WWW-Authenticate',
    apply: withoutHeader(/^GET .*\/employees\/auth\/me$/, 'www-authenticate'),
    line: /^GET \/api\/v1\/employees\/auth\/me: .*no header WWW-Authenticate/,
  },
  {
    name: 'a missing Allow',
    apply: withoutHeader(/^PUT .*\/arbiter\/me$/, 'allow'),
    line: /^a method that a path does not have: .*no header Allow/,
  },
  {
    name: 'another status',
    apply: ({ path }) => (path === '/api/v1/operator/me' ? { status: 403 } : undefined),
    line: /^GET \/api\/v1\/operator\/me: 401 .*403 TOKEN_INVALID instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'an undocumented code',
    apply: replaceText(/^POST .*\/employees\/auth\/reset-password\/me$/, 'TOKEN_INVALID', 'TOKEN_MISSING'),
    line: /^POST \/api\/v1\/employees\/auth\/reset-password\/me: .*\/code must be equal to one of the allowed values/,
  },
  {
    name: 'a code that belongs to another error',
    apply: replaceText(/^GET .*\/employees\/auth\/sign-out$/, 'TOKEN_INVALID', 'EMAIL_TAKEN'),
    line: /^GET \/api\/v1\/employees\/auth\/sign-out: .*the document does not name EMAIL_TAKEN for 401/,
  },
  {
    name: 'another request id in the body',
    apply: replaceText(
      /^DELETE .*\/employees\/auth\/sessions$/,
      /"requestId":"[^"]+"/,
      '"requestId":"other"',
    ),
    line: /^DELETE \/api\/v1\/employees\/auth\/sessions: .*\/requestId is not the header X-Request-Id/,
  },
  {
    name: 'an error page instead of the error body',
    apply: ({ path }, { headers }) =>
      path === '/api/v1/check-deployed'
        ? { text: '<h1>Not found</h1>', headers: { ...headers, 'content-type': 'text/html' } }
        : undefined,
    line: /^an unknown route below \/api\/v1: .*the error is not application\/json/,
  },
  {
    name: 'an operation without its guard',
    apply: ({ method, path, authorization }, { headers }) =>
      method === 'GET' && path === '/api/v1/users' && !authorization
        ? { status: 200, text: NO_USERS, headers }
        : undefined,
    line: /^GET \/api\/v1\/users: 401 .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'public metrics',
    apply: ({ path }) =>
      path === '/metrics'
        ? { status: 200, text: 'up 1', headers: { 'content-type': 'text/plain' } }
        : undefined,
    line: /^GET \/metrics: not public: .*200 instead of 404/,
  },
  {
    name: 'CORS for every origin',
    apply: ({ path }, { headers }) =>
      path === '/api/v1' ? { headers: { ...headers, 'access-control-allow-origin': '*' } } : undefined,
    line: /^CORS: no header for the origin https:.*the headers access-control-allow-origin/,
  },
  {
    name: 'a refresh cookie that scripts can read',
    apply: ({ path }, { headers }) =>
      path === '/api/v1/customers/auth/refresh/token'
        ? {
            headers: {
              ...headers,
              ...(headers['set-cookie'] && {
                'set-cookie': headers['set-cookie'].map((line) => line.replace('; HttpOnly', '')),
              }),
            },
          }
        : undefined,
    line: /^refresh with the cookie: .*the cookie CustomerRefreshToken has not: HttpOnly/,
  },
  {
    name: 'personal data that may be cached',
    apply: ({ path }, { headers }) =>
      path === '/api/v1/auth/me' ? { headers: { ...headers, 'cache-control': 'public' } } : undefined,
    line: /^me and \/auth\/me: .*Cache-Control is not no-store/,
  },
  {
    name: 'a total that is one too high',
    apply: ({ path }, { text }) =>
      path.startsWith('/api/v1/projects?')
        ? { text: text.replace(/"total":(\d+)/, (_, total) => `"total":${Number(total) + 1}`) }
        : undefined,
    line: /^GET \/api\/v1\/projects: pages, .*the total is wrong/,
  },
  {
    name: 'another number of pages',
    apply: replaceText(/^GET .*\/teams\?$/, /"totalPages":\d+/, '"totalPages":99'),
    line: /^GET \/api\/v1\/administrator\/teams: pages, .*\/meta\/totalPages does not fit the total/,
  },
  {
    name: "another user's e-mail",
    apply: replaceText(/^GET .*\/users\/me$/, /"email":"[^"]+"/, '"email":"other@example.com"'),
    line: /\/users\/me.*: the caller with the stored role: .*\/email is another one/,
  },
  {
    name: 'a refresh cookie with another lifetime',
    apply: ({ path }, { headers }) =>
      path === '/api/v1/auth/admin/sign-in'
        ? {
            headers: {
              ...headers,
              ...(headers['set-cookie'] && {
                'set-cookie': headers['set-cookie'].map((line) => line.replace(/Max-Age=\d+/, 'Max-Age=60')),
              }),
            },
          }
        : undefined,
    line: /^sign-in: .*the cookie AdminRefreshToken has not: the lifetime of its token/,
  },
  {
    name: 'headers that name the software',
    apply: ({ method, path }, { headers }) =>
      method === 'GET' && path === '/api/v1'
        ? { headers: { ...headers, server: 'nginx/1.18', 'x-powered-by': 'Express' } }
        : undefined,
    line: /the header X-Powered-By names the software.*; the header Server names the software/,
  },
  {
    name: 'a filter that lets others through',
    apply: replaceText(/^GET .*\/projects\?category=WEB$/, '"category":"WEB"', '"category":"DATA"'),
    line: /^GET \/api\/v1\/projects: every filter .*category=WEB also returns [\w-]{36}/,
  },
];

describe('check of a deployment with a broken contract', () => {
  const platform = usePlatform();
  let accounts: Credentials[];
  before(async () => {
    const { records } = platform();
    const customer = await records.user(['CUSTOMER'], { isEmailVerified: true });
    const administrator = await records.user(['ADMIN'], { isEmailVerified: true });
    await records.project();
    await records.query(`insert into audit_records (action, target_type, target_id, request_id, address)
      values ('SIGN_IN_FAILED', 'USER', gen_random_uuid(), gen_random_uuid(), '127.0.0.1')`);
    accounts = [
      { kind: CUSTOMER, ...customer },
      { kind: ADMINISTRATOR, ...administrator },
    ].map(({ kind, email }) => ({ kind, email, password: PASSWORD }));
  });

  it('passes through a proxy that breaks nothing', async () => {
    const proxy = await createBreakingProxy(platform().gatewayUrl);
    try {
      expect((await runChecks(proxy.url, { accounts })).failed).to.deep.equal([]);
    } finally {
      await proxy.close();
    }
  });

  it('passes twice at once with the same accounts', async () => {
    const { gatewayUrl } = platform();
    const runs = await Promise.all([
      runChecks(gatewayUrl, { accounts }),
      runChecks(gatewayUrl, { accounts }),
    ]);
    expect(runs.flatMap(({ failed }) => failed)).to.deep.equal([]);
  });

  describe('names', () => {
    let failed: string[];
    before(async () => {
      const breaks = BREAKS.map(({ apply }) => apply);
      const proxy = await createBreakingProxy(platform().gatewayUrl, breaks);
      ({ failed } = await runChecks(proxy.url, { accounts }));
      await proxy.close();
    });

    for (const { name, line } of BREAKS)
      it(
        name,
        () =>
          expect(
            failed.filter((text) => line.test(text)),
            failed.join('\n'),
          ).not.to.be.empty,
      );
  });
});
