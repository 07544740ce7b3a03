import {
  type Break,
  ignoreError,
  keepAccess,
  keepRefreshToken,
  onRoute,
  replaceCookie,
  replaceText,
  setHeaders,
} from './breaking-proxy.ts';

/** `line` is that of the check which notices the break. */
export type PlantedBreak = { name: string; apply: Break; line: RegExp };

const NO_ITEMS = JSON.stringify({ data: [], total: 0, page: 1, perPage: 10 });

/** Each break of a group is on its own route, so that none hides another. */
export const ROUTE_BREAKS: readonly PlantedBreak[] = [
  {
    name: 'a missing X-Request-Id',
    apply: setHeaders(/^GET \/healthz$/, { 'x-request-id': undefined }),
    line: /^GET \/healthz: .*no header X-Request-Id/,
  },
  {
    name: 'a missing RateLimit',
    apply: setHeaders(/^GET \/readyz$/, { ratelimit: undefined }),
    line: /^GET \/readyz: .*no header RateLimit\b/,
  },
  {
    name: 'a missing security header on errors',
    apply: setHeaders(/^GET \/check-deployed$/, { 'x-content-type-options': undefined }),
    line: /^X-Content-Type-Options on data, errors and pages: .*it is missing/,
  },
  {
    name: 'inline scripts on a documentation page',
    apply: setHeaders(/^GET \/api\/$/, {
      'content-security-policy': "default-src 'self';script-src 'unsafe-inline';frame-ancestors 'none'",
    }),
    line: /^Content-Security-Policy on data, errors and pages: .*it is default-src 'self';script-src/,
  },
  {
    name: 'public metrics',
    apply: onRoute(/^GET \/metrics$/, (_request, { headers }) => ({
      status: 200,
      text: 'up 1',
      headers: { ...headers, 'content-type': 'text/plain' },
    })),
    line: /^GET \/metrics: not public: .*200 instead of 404/,
  },
  {
    name: 'CORS for every origin',
    apply: setHeaders(/^GET \/api\/v1$/, { 'access-control-allow-origin': '*' }),
    line: /^CORS: no header for the origin https:.*the headers access-control-allow-origin/,
  },
  {
    name: 'no credentials for the origin of the frontend',
    apply: setHeaders(/^OPTIONS /, { 'access-control-allow-credentials': undefined }),
    line: /^CORS: a preflight allows .*no credentials are allowed/,
  },
  {
    name: 'headers that name the software',
    apply: setHeaders(/^GET \/api\/v1$/, { server: 'nginx/1.18', 'x-powered-by': 'Express' }),
    line: /the header X-Powered-By names the software.*; the header Server names the software/,
  },
];

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
];

export const ACCOUNT_BREAKS: readonly PlantedBreak[] = [
  {
    name: 'a renamed field of a response',
    apply: replaceText(/^POST .*\/customers\/auth\/sign-in$/, '"isEmailVerified"', '"emailVerified"'),
    line: /^sign-in: .*\/user must have required property 'isEmailVerified' \(schema #\/\S+\/required\).*\[POST \/api\/v1\/customers\/auth\/sign-in, request [\w-]{36}\]/,
  },
  {
    name: 'a number that became text',
    apply: replaceText(/\/v1\/users\?page=1000000$/, /"total":(\d+)/, '"total":"$1"'),
    line: /^GET \/api\/v1\/users: pages, .*\/total must be integer/,
  },
  {
    name: 'a time without a time zone',
    apply: replaceText(/\/audit-log\?perPage=1$/, /"createdAt":"([^"]+)Z"/, '"createdAt":"$1"'),
    line: /^GET \/api\/v1\/administrator\/audit-log: pages, .*\/data\/0\/createdAt must match format "date-time"/,
  },
  {
    name: 'an access token of another kind is accepted',
    apply: onRoute(/^GET .*\/employees\/auth\/me$/, ({ headers }) =>
      headers.authorization?.includes('eyJ') ? { status: 200, text: '{}' } : undefined,
    ),
    line: /^the access token on operations for other tokens: .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a refresh cookie that scripts can read',
    apply: replaceCookie(/\/customers\/auth\/refresh\/token$/, '; HttpOnly', ''),
    line: /^refresh with the cookie: .*the cookie CustomerRefreshToken has not: HttpOnly/,
  },
  {
    name: 'a refresh cookie that is sent in clear text',
    apply: replaceCookie(/\/auth\/admin\/refresh\/token$/, '; Secure', ''),
    line: /^refresh with the cookie: .*the cookie AdminRefreshToken has not: Secure/,
  },
  {
    name: 'a refresh cookie for the own site only',
    apply: replaceCookie(/\/customers\/auth\/sign-in$/, 'SameSite=None', 'SameSite=Lax'),
    line: /^sign-in: .*the cookie CustomerRefreshToken has not: SameSite=None/,
  },
  {
    name: 'a refresh cookie with another lifetime',
    apply: replaceCookie(/\/auth\/admin\/sign-in$/, /Max-Age=\d+/, 'Max-Age=60'),
    line: /^sign-in: .*the cookie AdminRefreshToken has not: the lifetime of its token/,
  },
  {
    name: 'a refresh that returns the same refresh token',
    apply: keepRefreshToken(/\/customers\/auth\/refresh\/token$/),
    line: /^refresh with the previous token: .*200 instead of 401 REFRESH_TOKEN_SUPERSEDED/,
  },
  {
    name: 'an access token that stays valid after a refresh',
    apply: keepAccess(/\/auth\/admin\/refresh\/token$/),
    line: /^refresh with the cookie: .*200 instead of 401 TOKEN_INVALID \[GET \/api\/v1\/auth\/admin\/me/,
  },
  {
    name: 'an access token that stays valid after sign-out',
    apply: keepAccess(/\/customers\/auth\/sign-out$/),
    line: /^sign-out of customer .*200 instead of 401 TOKEN_INVALID \[GET /,
  },
  {
    name: 'a sign-out that keeps the cookie',
    apply: setHeaders(/\/auth\/admin\/sign-out$/, { 'set-cookie': undefined }),
    line: /^sign-out of administrator .*the cookie is not cleared/,
  },
  {
    name: 'personal data that may be cached',
    apply: setHeaders(/^GET \/api\/v1\/auth\/me$/, { 'cache-control': 'public' }),
    line: /^me and \/auth\/me: .*Cache-Control is not no-store/,
  },
  {
    name: "another user's e-mail in the session",
    apply: replaceText(/\/customers\/auth\/me$/, /"email":"[^"]+"/, '"email":"other@example.com"'),
    line: /^me and \/auth\/me: .*\/user\/email is another one/,
  },
  {
    name: 'a total that is one too high',
    apply: onRoute(/^GET \/api\/v1\/projects\?/, (_request, { text }) => ({
      text: text.replace(/"total":(\d+)/, (_, total) => `"total":${Number(total) + 1}`),
    })),
    line: /^GET \/api\/v1\/projects: pages, .*the total is wrong/,
  },
  {
    name: 'another number of pages',
    apply: replaceText(/^GET .*\/teams\?$/, /"totalPages":\d+/, '"totalPages":99'),
    line: /^GET \/api\/v1\/administrator\/teams: pages, .*\/meta\/totalPages does not fit the total/,
  },
  {
    name: 'a list with the oldest first',
    apply: onRoute(/^GET \/api\/v1\/users\?$/, (_request, { text }) => {
      const { data, ...page } = JSON.parse(text);
      return { text: JSON.stringify({ ...page, data: data.toReversed() }) };
    }),
    line: /^GET \/api\/v1\/users: pages, newest first: .*not the newest first/,
  },
  {
    name: 'a second page that repeats the first',
    apply: onRoute(/^GET \/api\/v1\/users\?page=2&perPage=1$/, async (_request, _response, resend) => {
      const { text } = await resend({ path: '/api/v1/users?perPage=1' });
      return { text: text.replace('"page":1', '"page":2') };
    }),
    line: /^GET \/api\/v1\/users: pages, .*not the second item/,
  },
  {
    name: 'another number of the page',
    apply: replaceText(/^GET \/api\/v1\/projects\?page=2&perPage=1$/, '"page":2', '"page":1'),
    line: /^GET \/api\/v1\/projects: pages, .*\/page or \/perPage is not that of the request/,
  },
  {
    name: 'a detail with another value than the list',
    apply: replaceText(/^GET \/api\/v1\/projects\/[\w-]{36}$/, /"title":"/, '"title":"Old '),
    line: /^GET \/api\/v1\/projects\/\{id\}: .*\/title is not that of the list/,
  },
  {
    name: 'items without ids',
    apply: replaceText(/^GET \/api\/v1\/users\?isBlocked=false$/, /"id":"[^"]+",/, ''),
    line: /^GET \/api\/v1\/users: every filter .*\/data\/0 must have required property 'id'/,
  },
  {
    name: 'a hash in the body of a user',
    apply: replaceText(/^GET \/api\/v1\/users\/[\w-]{36}$/, /\{/, '{"passwordHash":"$$2b$$04$$",'),
    line: /^GET \/api\/v1\/users\/\{id\}: the first .*must NOT have additional properties: passwordHash/,
  },
  {
    name: "another user's e-mail",
    apply: replaceText(/^GET .*\/users\/me$/, /"email":"[^"]+"/, '"email":"other@example.com"'),
    line: /\/users\/me.*: the caller with the stored role: .*\/email is another one/,
  },
  {
    name: 'a filter that lets others through',
    apply: replaceText(/^GET .*\/projects\?category=WEB$/, '"category":"WEB"', '"category":"DATA"'),
    line: /^GET \/api\/v1\/projects: every filter .*category=WEB also returns [\w-]{36}/,
  },
  {
    name: 'a filter that finds nothing',
    apply: onRoute(/^GET \/api\/v1\/projects\?status=/, () => ({ text: NO_ITEMS })),
    line: /^GET \/api\/v1\/projects: every filter .*status=\w+ lacks the newest item/,
  },
  {
    name: 'a filter by time that is ignored',
    apply: onRoute(/\/audit-log\?from=2100/, (_request, _response, resend) =>
      resend({ path: '/api/v1/administrator/audit-log' }),
    ),
    line: /\/audit-log: every filter .*from=2100\S+ also returns/,
  },
  {
    name: 'an undeclared query parameter that is ignored',
    apply: onRoute(/\/teams\?undeclared=x$/, (_request, _response, resend) =>
      resend({ path: '/api/v1/administrator/teams' }),
    ),
    line: /^GET \/api\/v1\/administrator\/teams: 400 .*200 instead of 400 VALIDATION_FAILED/,
  },
  {
    name: 'a workspace of another role that is only hidden',
    apply: onRoute(/^GET .*\/arbiter\/me$/, (_request, { text, status }) =>
      status === 403 ? { status: 404, text: text.replace('403', '404') } : undefined,
    ),
    line: /operations of other workspaces: .*404 WORKSPACE_FORBIDDEN instead of 403 WORKSPACE_FORBIDDEN/,
  },
  {
    name: 'a queue dashboard that opens without its cookie',
    apply: onRoute(/\/queues\/$/, () => ({ status: 200, text: '' })),
    line: /\/queues: the dashboard opens .*200 instead of 401/,
  },
];

/** Noticed with --write only; some hide others. */
export const WRITE_BREAKS: readonly PlantedBreak[] = [
  {
    name: 'a sign-up with a short password',
    apply: onRoute(/\/customers\/auth\/sign-up$/, ({ text }, _response, resend) =>
      text.includes('"short"')
        ? resend({ body: text.replace('"short"', '"Long enough to pass"') })
        : undefined,
    ),
    line: /^a sign-up with a short password .*201 instead of 400 VALIDATION_FAILED/,
  },
  {
    name: 'a second account with the same address',
    apply: ignoreError(/\/customers\/auth\/sign-up$/, 'EMAIL_TAKEN'),
    line: /^a second sign-up with the address: .*201 instead of 409 EMAIL_TAKEN/,
  },
  {
    name: 'a sign-in with any password',
    apply: ignoreError(/\/customers\/auth\/sign-in$/, 'INVALID_CREDENTIALS'),
    line: /^sign-in: one 401 .*200 instead of 401 INVALID_CREDENTIALS/,
  },
  {
    name: 'another message for the sign-in of an unknown address',
    apply: onRoute(/\/customers\/auth\/sign-in$/, (request, { text }) =>
      request.text.includes('"unknown-')
        ? { text: text.replace(/"message":"/, '"message":"No user: ') }
        : undefined,
    ),
    line: /^sign-in: one 401 .*the responses differ/,
  },
  {
    name: 'a reset code that is refused for an unknown address',
    apply: onRoute(/\/customers\/auth\/reset-password\/email\/code\/send$/, ({ text }) =>
      text.includes('"unknown-') ? { status: 404 } : undefined,
    ),
    line: /^reset for an unknown address: .*404 instead of 200/,
  },
  {
    name: 'a verification with any code',
    apply: onRoute(/\/customers\/auth\/verification\/email\/code\/check$/, () => ({
      status: 200,
      text: '{"verified":true}',
    })),
    line: /^verification: a wrong code .*200 instead of 400 CODE_INVALID/,
  },
  {
    name: 'other sessions that continue after a change of the password',
    apply: keepAccess(/\/customers\/auth\/reset-password\/me$/),
    line: /^change of the password: .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a reset code that is valid twice',
    apply: ignoreError(/\/customers\/auth\/reset-password\/email\/code$/, 'CODE_INVALID'),
    line: /^reset of the password by code: .*204 instead of 400 CODE_INVALID/,
  },
  {
    name: 'a session that continues after the reset of the password',
    apply: keepAccess(/\/customers\/auth\/reset-password\/email\/code$/),
    line: /^reset of the password by code: .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a session that continues after another device has ended it',
    apply: keepAccess(/^DELETE .*\/customers\/auth\/sessions\//),
    line: /^sessions: another device .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a stolen refresh token that counts as superseded',
    apply: replaceText(
      /\/customers\/auth\/refresh\/token$/,
      'REFRESH_TOKEN_REUSED',
      'REFRESH_TOKEN_SUPERSEDED',
    ),
    line: /^refresh with a token from two refreshes ago: .*401 REFRESH_TOKEN_SUPERSEDED instead/,
  },
  {
    name: 'a sign-in without the second factor',
    apply: ignoreError(/\/customers\/auth\/sign-in$/, 'SECOND_FACTOR_REQUIRED'),
    line: /^authenticator app: .*200 instead of 401 SECOND_FACTOR_REQUIRED/,
  },
  {
    name: 'a recovery code that is valid twice',
    apply: onRoute(/^DELETE .*\/customers\/auth\/second-factor\/totp$/, () => ({ status: 204, text: '' })),
    line: /^authenticator app: .*204 instead of 401 SECOND_FACTOR_INVALID/,
  },
  {
    name: 'a deleted account whose token stays valid',
    apply: keepAccess(/\/customers\/auth\/account\/delete$/),
    line: /^deletion of .*200 instead of 401 TOKEN_INVALID/,
  },
  {
    name: 'a block without effect',
    apply: keepAccess(/^PATCH .*\/block$/),
    line: /^block and unblock of the new user: .*200 instead of 401 USER_BLOCKED/,
  },
  {
    name: 'an audit record without its actor',
    apply: replaceText(/\/audit-log\?targetId=/, /"actorId":"[^"]+"/g, '"actorId":null'),
    line: /^audit log: .*no USER_BLOCKED of the administrator/,
  },
  {
    name: 'an edit that changes nothing',
    apply: replaceText(/^PATCH .*\/projects\/[\w-]{36}$/, /"title":"[^"]*"/, '"title":"Old"'),
    line: /^edit of the newest project: .*\/title has not changed/,
  },
  {
    name: 'a deleted project that stays readable',
    apply: keepAccess(/^DELETE .*\/projects\/[\w-]{36}$/),
    line: /^deletion and restoration of the newest project: .*200 instead of 404 PROJECT_NOT_FOUND/,
  },
  {
    name: 'a contact form that is accepted with another status',
    apply: onRoute(/\/contact\/support$/, ({ text }) =>
      text.includes('subject') ? { status: 202 } : undefined,
    ),
    line: /^POST \/api\/v1\/contact\/support: .*202 instead of 204/,
  },
];
