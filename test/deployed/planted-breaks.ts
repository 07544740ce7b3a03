import {
  keepAccess,
  keepRefreshToken,
  onRoute,
  type PlantedBreak,
  replaceCookie,
  replaceText,
  setHeaders,
} from './breaking-proxy.ts';

const NO_ITEMS = JSON.stringify({ data: [], total: 0, page: 1, perPage: 10 });

/** Each break is on its own route, so that none hides another. */
export const READ_BREAKS: readonly PlantedBreak[] = [
  [
    'a missing X-Request-Id',
    setHeaders(/^GET \/healthz$/, { 'x-request-id': undefined }),
    /^GET \/healthz: .*no header X-Request-Id/,
  ],
  [
    'a missing security header on errors',
    setHeaders(/^GET \/check-deployed$/, { 'x-content-type-options': undefined }),
    /^X-Content-Type-Options on data, errors and pages: .*it is missing/,
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
    /^CORS: no header for the origin https:.*the headers access-control-allow-origin/,
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
    /^a field that the back-office does not declare: .*the body contains internal text/,
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
    /^providers: none may return to a foreign address: 200 instead of 400/,
  ],
  [
    'a renamed field of a response',
    replaceText(/^POST .*\/customers\/auth\/sign-in$/, '"isEmailVerified"', '"emailVerified"'),
    /^sign-in: .*\/user must have required property 'isEmailVerified' \(schema #\/\S+\/required\).*\[POST \/api\/v1\/customers\/auth\/sign-in, request [\w-]{36}\]/,
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
    'a refresh that returns the same refresh token',
    keepRefreshToken(/\/customers\/auth\/refresh\/token$/),
    /^refresh with the previous token: .*200 instead of 401 REFRESH_TOKEN_SUPERSEDED/,
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
    /^me and \/auth\/me: .*Cache-Control is not no-store/,
  ],
  [
    'a total that is one too high',
    onRoute(/^GET \/api\/v1\/projects\?/, (_request, { text }) => ({
      text: text.replace(/"total":(\d+)/, (_, total) => `"total":${Number(total) + 1}`),
    })),
    /^GET \/api\/v1\/projects: pages, .*the total is wrong/,
  ],
  [
    'a list with the oldest first',
    onRoute(/^GET \/api\/v1\/users\?$/, (_request, { text }) => {
      const { data, ...page } = JSON.parse(text);
      return { text: JSON.stringify({ ...page, data: data.toReversed() }) };
    }),
    /^GET \/api\/v1\/users: pages, newest first: .*not the newest first/,
  ],
  [
    'a detail with another value than the list',
    replaceText(/^GET \/api\/v1\/projects\/[\w-]{36}$/, /"title":"/, '"title":"Old '),
    /^GET \/api\/v1\/projects\/\{id\}: .*\/title is not that of the list/,
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
  [
    'a queue dashboard that opens without its cookie',
    onRoute(/\/queues\/$/, () => ({ status: 200, text: '' })),
    /\/queues: the dashboard opens .*200 instead of 401/,
  ],
];

/** Noticed with --write only; what stays valid after its end would hide the others, except at the end. */
export const WRITE_BREAKS: readonly PlantedBreak[] = [
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
    /^edit of the newest project: .*\/title has not changed/,
  ],
  [
    'a contact form that is accepted with another status',
    onRoute(/\/contact\/support$/, ({ text }) => (text.includes('subject') ? { status: 202 } : undefined)),
    /^POST \/api\/v1\/contact\/support: .*202 instead of 204/,
  ],
];
