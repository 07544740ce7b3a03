import {
  keepAccess,
  keepRefreshToken,
  onRoute,
  type PlantedBreak,
  replaceCookie,
  replaceText,
  setHeaders,
} from '../breaking-proxy.ts';

const NO_ITEMS = JSON.stringify({ data: [], total: 0, page: 1, perPage: 10 });

/** Each break is on its own route, so that none hides another. */
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
