import {
  changeBody,
  keepAccess,
  keepField,
  keepRefreshToken,
  onRoute,
  type PlantedBreak,
  replaceCookie,
  replaceText,
  setHeaders,
} from './breaking-proxy.ts';

const NO_ITEMS = JSON.stringify({ data: [], total: 0, page: 1, perPage: 10 });
const OTHER_ID = '00000000-0000-4000-8000-000000000000';

/** Each break affects a separate route, so that none hides another. */
export const READ_BREAKS: readonly PlantedBreak[] = [
  [
    'a missing X-Request-Id',
    setHeaders(/^GET \/healthz$/, { 'x-request-id': undefined }),
    /^GET \/healthz: .*no header X-Request-Id/,
  ],
  [
    'an operation that the served document lacks',
    changeBody(/^GET \/api\/openapi\.json$/, (document) => {
      delete document.paths['/customers/auth/profile'];
      return document;
    }),
    /^GET \/api\/openapi\.json: .*it lacks the operation customerProfileChange of this checkout/,
  ],
  [
    'an operation of the served document that no request reaches',
    changeBody(/^GET \/api\/v1\/docs\/openapi\.json$/, (document) => {
      const { get } = document.paths['/users/{id}'];
      document.paths['/administrator/users/{id}'] = { get: { ...get, operationId: 'readUser' } };
      return document;
    }),
    /^GET \/api\/v1\/administrator\/users\/\{id\}: a success: no request had one/,
  ],
  [
    'the address of the database on a health route',
    replaceText(/^GET \/readyz$/, '}', ',"database":"postgres://10.0.0.5:5432/platform"}'),
    /^GET \/readyz: ready: the body is not ready and names of parts alone/,
  ],
  [
    'a RateLimit that does not count',
    setHeaders(/^GET \/api\/v1\/$/, { ratelimit: '"requests";r=42;t=1' }),
    /^RateLimit: .*5 requests have the same RateLimit/,
  ],
  [
    'a missing security header on errors',
    setHeaders(/^GET \/check-deployed$/, { 'x-content-type-options': undefined }),
    /^CORS: no header for foreign origins: .*no header X-Content-Type-Options/,
  ],
  [
    'Strict-Transport-Security missing on errors',
    onRoute(/^PUT /, (_request, { status, headers }) =>
      status === 405 ? { headers: { ...headers, 'strict-transport-security': undefined } } : undefined,
    ),
    /^a method that a path does not have: .*no header Strict-Transport-Security/,
  ],
  [
    'public metrics',
    onRoute(/^GET \/metrics$/, (_request, { headers }) => ({
      status: 200,
      text: 'up 1',
      headers: { ...headers, 'content-type': 'text/plain' },
    })),
    /^GET \/metrics: not public: .*200 instead of 404/,
  ],
  [
    'CORS for every origin',
    setHeaders(/^GET \/api\/v1$/, { 'access-control-allow-origin': '*' }),
    /^CORS: no header for foreign origins: .*the headers access-control-allow-origin for https:/,
  ],
  [
    'headers that name the software',
    setHeaders(/^GET \/api\/v1$/, { server: 'nginx/1.18', 'x-powered-by': 'Express' }),
    /the header X-Powered-By names the software.*; the header Server names the software/,
  ],
  [
    'a missing WWW-Authenticate',
    setHeaders(/^GET .*\/employees\/auth\/me$/, { 'www-authenticate': undefined }),
    /^GET \/api\/v1\/employees\/auth\/me: .*no header WWW-Authenticate/,
  ],
  [
    'a code that belongs to another error',
    replaceText(/^GET .*\/employees\/auth\/sign-out$/, 'TOKEN_INVALID', 'EMAIL_TAKEN'),
    /^GET \/api\/v1\/employees\/auth\/sign-out: .*the document does not name EMAIL_TAKEN for 401/,
  ],
  [
    'another request id in the body',
    replaceText(/^DELETE .*\/employees\/auth\/sessions$/, /"requestId":"[^"]+"/, '"requestId":"other"'),
    /^DELETE \/api\/v1\/employees\/auth\/sessions: .*\/requestId is not the header X-Request-Id/,
  ],
  [
    'an error page instead of the error body',
    onRoute(/^GET \/api\/v1\/check-deployed$/, (_request, { headers }) => ({
      text: '<h1>Not found</h1>',
      headers: { ...headers, 'content-type': 'text/html' },
    })),
    /^an unknown route below \/api\/v1: .*the error is not application\/json/,
  ],
  [
    'a stack trace in an error',
    replaceText(
      /^POST .*\/contact\/lead$/,
      /"message":"/,
      '"message":"Error\\n    at handle (/app/src/contact-routes.js:12:3) ',
    ),
    /^a field that the back office does not declare: .*the body contains internal text/,
  ],
  [
    'a lockout without Retry-After',
    onRoute(/^POST .*\/employees\/auth\/sign-in$/, (_request, { status, headers }) =>
      status === 429 ? { headers: { ...headers, 'retry-after': undefined } } : undefined,
    ),
    /^wrong passwords of an unknown employee: .*no header Retry-After/,
  ],
  [
    'another message for a wrong password than for an unknown address',
    onRoute(/\/auth\/admin\/sign-in$/, (request, { status, text }) =>
      status === 401 && request.text.includes('"unknown-')
        ? { text: text.replace(/"message":"/, '"message":"No user: ') }
        : undefined,
    ),
    /^sign-in with a wrong password: .*the responses differ/,
  ],
  [
    'sign-ins with any password',
    onRoute(/\/customers\/auth\/sign-in$/, ({ text }, response) =>
      response.status === 401 && !text.includes('.invalid') ? { status: 200, text: '{}' } : undefined,
    ),
    /^sign-in with a wrong password: .*200 instead of 401 INVALID_CREDENTIALS/,
  ],
  [
    'an operation without its guard',
    onRoute(/^GET \/api\/v1\/users$/, ({ headers }) =>
      headers.authorization ? undefined : { status: 200, text: NO_ITEMS },
    ),
    /^GET \/api\/v1\/users: 401 .*200 instead of 401 TOKEN_INVALID/,
  ],
  [
    'a provider that returns to a foreign address',
    ({ path }) =>
      path === '/api/v1/customers/auth/oidc/company/authorize'
        ? { status: 200, text: '{"authorizationUrl":"https://login.example.com/","expiresIn":600}' }
        : undefined,
    /^providers: none of customers returns to a foreign address: 200 instead of 400/,
  ],
  [
    'a sign-in at a provider without PKCE',
    replaceText(/^POST .*\/employees\/auth\/oidc\/\w+\/authorize$/, 'code_challenge=', 'challenge='),
    /^providers: the sign-in of employees uses PKCE, .*the address of the provider has no valid code_challenge/,
  ],
  [
    'another customerId at sign-in than in me',
    changeBody(/^POST .*\/customers\/auth\/sign-in$/, ({ user, ...rest }) => ({
      ...rest,
      user: { ...user, customerId: OTHER_ID },
    })),
    /^me, \/auth\/me and session: .*\/customerId of [\w-]{36} is not that of an earlier response/,
  ],
  [
    'identities without the password',
    replaceText(/^GET .*\/customers\/auth\/identities$/, '"hasPassword":true', '"hasPassword":false'),
    /^identities: .*\/hasPassword is not true/,
  ],
  [
    'a renamed field of a response',
    replaceText(/^GET .*\/customers\/auth\/session$/, '"isEmailVerified"', '"emailVerified"'),
    /^me, .*\/user must have required property 'isEmailVerified' \(schema #\/\S+\/required\).*\[GET \/api\/v1\/customers\/auth\/session, request [\w-]{36}\]/,
  ],
  [
    'an access token of another kind is accepted',
    onRoute(/^GET .*\/employees\/auth\/me$/, ({ headers }) =>
      headers.authorization?.includes('eyJ') ? { status: 200, text: '{}' } : undefined,
    ),
    /^the access token on operations for other tokens: .*200 instead of 401 TOKEN_INVALID/,
  ],
  [
    'a refresh cookie that scripts can read',
    replaceCookie(/\/customers\/auth\/refresh\/token$/, '; HttpOnly', ''),
    /^refresh with the cookie: .*the cookie CustomerRefreshToken has not: HttpOnly/,
  ],
  [
    'an access token that stays valid after a refresh',
    keepAccess(/\/auth\/admin\/refresh\/token$/),
    /^refresh with the cookie: .*200 instead of 401 TOKEN_INVALID \[GET \/api\/v1\/auth\/admin\/me/,
  ],
  [
    'an access token that stays valid after sign-out',
    keepAccess(/\/customers\/auth\/sign-out$/),
    /^sign-out of customer .*200 instead of 401 TOKEN_INVALID \[GET /,
  ],
  [
    'personal data that may be cached',
    setHeaders(/^GET \/api\/v1\/auth\/me$/, { 'cache-control': 'public' }),
    /^me, \/auth\/me and session: .*Cache-Control is not no-store/,
  ],
  [
    'a total that is one too high',
    changeBody(/^GET \/api\/v1\/projects(?:\?|$)/, ({ total, ...page }) => ({ ...page, total: total + 1 })),
    /^GET \/api\/v1\/projects: pages, .*the total is wrong/,
  ],
  [
    'a list with the oldest first',
    changeBody(/^GET \/api\/v1\/users\?/, ({ data, ...page }) => ({ ...page, data: data.toReversed() })),
    /^GET \/api\/v1\/users: .*\/data is not in the documented order/,
  ],
  [
    'a detail with another value than the list',
    replaceText(/^GET \/api\/v1\/projects\/[\w-]{36}$/, /"title":"/, '"title":"Old '),
    /^GET \/api\/v1\/projects\/\{id\}: .*\/title of [\w-]{36} is not that of an earlier response/,
  ],
  [
    'a filter that lets others through',
    replaceText(/^GET .*\/projects\?category=WEB$/, '"category":"WEB"', '"category":"DATA"'),
    /^GET \/api\/v1\/projects: every filter .*category=WEB also returns [\w-]{36}/,
  ],
  [
    'an undeclared query parameter that is ignored',
    onRoute(/\/teams\?undeclared=x$/, (_request, _response, resend) =>
      resend({ path: '/api/v1/administrator/teams' }),
    ),
    /^GET \/api\/v1\/administrator\/teams: 400 .*200 instead of 400 VALIDATION_FAILED/,
  ],
  [
    'a workspace of another role that is only hidden',
    onRoute(/^GET .*\/arbiter\/me$/, (_request, { text, status }) =>
      status === 403 ? { status: 404, text: text.replace('403', '404') } : undefined,
    ),
    /operations of other workspaces: .*404 WORKSPACE_FORBIDDEN instead of 403 WORKSPACE_FORBIDDEN/,
  ],
];

/**
 * Breaks that only --write detects. A token stays valid only after the deletion of its account, at the end of
 * the run. Otherwise this break would hide the others.
 */
export const WRITE_BREAKS: readonly PlantedBreak[] = [
  [
    'a refresh that returns the same refresh token',
    keepRefreshToken(/\/employees\/auth\/refresh\/token$/),
    /^refresh with the cookie: .*200 instead of 401 REFRESH_TOKEN_SUPERSEDED/,
  ],
  [
    'a sign-up with a short password',
    onRoute(/\/customers\/auth\/sign-up$/, ({ text }, _response, resend) =>
      text.includes('"short"')
        ? resend({ body: text.replace('"short"', '"Long enough to pass"') })
        : undefined,
    ),
    /^a sign-up with a short password .*201 instead of 400 VALIDATION_FAILED/,
  ],
  [
    'another message for the sign-in of an unknown address',
    onRoute(/\/customers\/auth\/sign-in$/, (request, { text }) =>
      request.text.includes('"unknown-')
        ? { text: text.replace(/"message":"/, '"message":"No user: ') }
        : undefined,
    ),
    /^sign-in: one 401 .*the responses differ/,
  ],
  [
    'a deleted account whose token stays valid',
    keepAccess(/\/customers\/auth\/account\/delete$/),
    /^deletion of .*200 instead of 401 TOKEN_INVALID/,
  ],
  [
    'an edit that changes nothing',
    replaceText(/^PATCH .*\/projects\/[\w-]{36}$/, /"title":"[^"]*"/, '"title":"Old"'),
    /^edit of the newest project: .*\/title is not that of the request/,
  ],
  [
    'a lockout that ends at once',
    onRoute(
      /^POST .*\/customers\/auth\/reset-password\/email\/code\/send$/,
      (_request, { status, headers }) =>
        status === 429 ? { headers: { ...headers, 'retry-after': '0' } } : undefined,
    ),
    /^reset of the password: .*the header Retry-After has an invalid value/,
  ],
  [
    'an updatedAt that no change sets',
    keepField(/\/employees\/auth\/(?:me|profile)$/, 'updatedAt'),
    /^profile: .*\/lastName of [\w-]{36} is not that of an earlier response, and \/updatedAt is not later/,
  ],
  [
    'a change of the e-mail that changes nothing',
    replaceText(/^POST .*\/customers\/auth\/email\/change\/check$/, '"email":"new-', '"email":"'),
    /^change of the e-mail: .*\/user has not the new address/,
  ],
  [
    'an identity that is linked without the password',
    onRoute(/^POST .*\/employees\/auth\/identities\/\w+\/authorize$/, (_request, { status }) =>
      status === 400
        ? { status: 200, text: '{"authorizationUrl":"https://login.example.com/","expiresIn":600}' }
        : undefined,
    ),
    /^identities: the address of a provider .*200 instead of 400 CURRENT_PASSWORD_WRONG/,
  ],
  [
    'an export without the sessions',
    changeBody(/^GET .*\/customers\/auth\/account\/export$/, (body) => ({ ...body, sessions: [] })),
    /^export: .*\/sessions is not that of the account/,
  ],
  [
    'an export of another user',
    changeBody(/^GET .*\/employees\/auth\/account\/export$/, ({ user, ...rest }) => ({
      ...rest,
      user: { ...user, email: 'other@example.com' },
    })),
    /^export: .*\/email of [\w-]{36} is not that of an earlier response/,
  ],
  [
    'a contact form that is accepted with another status',
    onRoute(/\/contact\/support$/, ({ text }) => (text.includes('subject') ? { status: 202 } : undefined)),
    /^POST \/api\/v1\/contact\/support: .*202 instead of 204/,
  ],
];
