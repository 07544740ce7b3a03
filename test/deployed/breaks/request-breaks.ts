import { onRoute, type PlantedBreak, replaceText, setHeaders } from '../breaking-proxy.ts';

const NO_ITEMS = JSON.stringify({ data: [], total: 0, page: 1, perPage: 10 });

/** Each break is on its own route, so that none hides another. */
export const REQUEST_BREAKS: readonly PlantedBreak[] = [
  {
    name: 'a missing WWW-Authenticate',
    apply: setHeaders(/^GET .*\/employees\/auth\/me$/, { 'www-authenticate': undefined }),
    line: /^GET \/api\/v1\/employees\/auth\/me: .*no header WWW-Authenticate/,
  },
  {
    name: 'a missing Allow',
    apply: setHeaders(/^PUT .*\/arbiter\/me$/, { allow: undefined }),
    line: /^a method that a path does not have: .*no header Allow/,
  },
  {
    name: 'another status',
    apply: onRoute(/^GET \/api\/v1\/operator\/me$/, () => ({ status: 403 })),
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
    apply: onRoute(/^GET \/api\/v1\/check-deployed$/, (_request, { headers }) => ({
      text: '<h1>Not found</h1>',
      headers: { ...headers, 'content-type': 'text/html' },
    })),
    line: /^an unknown route below \/api\/v1: .*the error is not application\/json/,
  },
  {
    name: 'a stack trace in an error',
    apply: replaceText(
      /^POST .*\/contact\/lead$/,
      /"message":"/,
      '"message":"Error\\n    at handle (/app/src/contact-routes.js:12:3) ',
    ),
    line: /^a field that the back-office does not declare: .*the body contains internal text/,
  },
  {
    name: 'an operation without its guard',
    apply: onRoute(/^GET \/api\/v1\/users$/, ({ headers }) =>
      headers.authorization ? undefined : { status: 200, text: NO_ITEMS },
    ),
    line: /^GET \/api\/v1\/users: 401 .*200 instead of 401 TOKEN_INVALID/,
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
];
