/** The last three have an invalid session of a caller whom the route allows. */
export const CALLERS = [
  ...(['none', 'garbage', 'customer', 'employee', 'ADMIN', 'OPERATOR', 'ARBITER'] as const),
  ...(['blocked', 'signed-out', 'expired'] as const),
] as const;
export type CallerName = (typeof CALLERS)[number];

const SIGNED_IN: readonly CallerName[] = ['customer', 'employee', 'ADMIN', 'OPERATOR', 'ARBITER'];
const PLATFORM_ROLES: readonly CallerName[] = ['ADMIN', 'OPERATOR', 'ARBITER'];

// Each route with the status for the callers whom it allows. `all` includes callers without a token. A
// workspace returns 403 to other platform roles. All other callers get 401. The last word, if present, is the
// error code. A request has the refresh token if the route requires it, or else the access token.
const BACK_OFFICE = `
GET    /                                      200 all
POST   /contact/lead                          204 all
POST   /contact/support                       204 all
GET    /operator/me                           200 OPERATOR
GET    /administrator/me                      200 ADMIN
GET    /arbiter/me                            200 ARBITER
GET    /users                                 200 ADMIN
GET    /users/me                              200 ADMIN
GET    /users/{id}                            200 ADMIN
PATCH  /users/{id}/block                      200 ADMIN
PATCH  /users/{id}/unblock                    200 ADMIN
DELETE /users/{id}/sessions                   204 ADMIN
DELETE /users/{id}/second-factor              204 ADMIN
DELETE /users/{id}/platform-role              204 ADMIN
GET    /projects                              200 ADMIN
GET    /projects/{id}                         200 ADMIN
PATCH  /projects/{id}                         200 ADMIN
DELETE /projects/{id}                         204 ADMIN
PATCH  /projects/{id}/restore                 200 ADMIN
GET    /administrator/teams                   200 ADMIN
GET    /administrator/teams/{teamId}          200 ADMIN
POST   /administrator/teams/{teamId}/verify   201 ADMIN
GET    /administrator/deleted-projects        200 ADMIN
GET    /administrator/employees               200 ADMIN
GET    /administrator/employees/{employeeId}  200 ADMIN
GET    /administrator/contact-requests        200 ADMIN
PATCH  /administrator/contact-requests/{id}   200 ADMIN
GET    /administrator/audit-log               200 ADMIN
GET    /administrator/mails                   200 ADMIN
POST   /administrator/mails/{id}/retry        204 ADMIN
DELETE /administrator/mails/{id}              204 ADMIN
POST   /administrator/queues/session          204 ADMIN`;

/** The operations of each kind of account. `own` stands for users of that kind. */
const ACCOUNTS = `
POST   /sign-in                               200 all
GET    /me                                    200 own
GET    /sign-out                              204 own
GET    /refresh/token                         200 own
GET    /session                               200 own
GET    /verification/email/check              200 own
GET    /verification/email/code               200 own
POST   /verification/email/code/check         400 own
POST   /reset-password/me                     204 own
POST   /reset-password/email/code/send        200 all
POST   /reset-password/email/code             400 all
GET    /sessions                              200 own
DELETE /sessions                              204 own
DELETE /sessions/{sessionId}                  404 own
GET    /second-factor                         200 own
POST   /second-factor/options                 200 own
POST   /second-factor/totp                    201 own
DELETE /second-factor/totp                    204 own
POST   /second-factor/totp/confirm            200 own
POST   /second-factor/recovery-codes          200 own
POST   /passkeys/options                      200 own
POST   /passkeys                              201 own
PATCH  /passkeys/{passkeyId}                  200 own
DELETE /passkeys/{passkeyId}                  204 own
POST   /sign-in/second-factor                 200 all
POST   /sign-in/second-factor/options         200 all
POST   /sign-in/passkey/options               200 all
POST   /sign-in/passkey                       200 all
GET    /oidc/providers                        200 all
POST   /oidc/{provider}/authorize             200 all
POST   /oidc/{provider}/sign-in               200 all
GET    /identities                            200 own
POST   /identities/{provider}/authorize       200 own
POST   /identities/{identity}                 201 own
DELETE /identities/{identity}                 204 own
POST   /email/change                          200 own
POST   /email/change/check                    400 own
GET    /account/export                        200 own`;

const SIGN_UP = `
POST   /sign-up                               201 all
PATCH  /profile                               200 own
POST   /account/delete                        204 own`;
const ADMINISTRATORS = `
POST   /register                              201 ADMIN
POST   /account/delete                        409 own`;

export type Row = {
  /** A name such as `GET /users/{id}`. */
  name: string;
  method: string;
  path: string;
  expected: Record<CallerName, number>;
  /** The error code, if the audience and the status do not imply it. */
  code: string | undefined;
};

const getExpected = (status: number, audience: readonly CallerName[]): Row['expected'] => {
  const [only] = audience;
  const isWorkspace = audience.length === 1 && only !== undefined && PLATFORM_ROLES.includes(only);
  const getStatus = (name: CallerName): number => {
    if (audience.includes(name)) return status;
    return isWorkspace && PLATFORM_ROLES.includes(name) ? 403 : 401;
  };
  return Object.fromEntries(CALLERS.map((name) => [name, getStatus(name)])) as Row['expected'];
};

const parseRows = (prefix: string, own: readonly CallerName[], ...tables: string[]): Row[] =>
  tables
    .flatMap((table) => table.trim().split('\n'))
    .map((line) => {
      const [method = '', route = '', status, who = '', code] = line.split(/\s+/);
      const path = prefix + route;
      const audience = { all: CALLERS, own }[who] ?? [who as CallerName];
      return {
        name: `${method} ${path}`,
        method,
        path,
        expected: getExpected(Number(status), audience),
        code,
      };
    });

export const ROWS: readonly Row[] = [
  ...parseRows('', [], BACK_OFFICE),
  ...parseRows('/customers/auth', ['customer'], ACCOUNTS, SIGN_UP),
  ...parseRows('/employees/auth', ['employee'], ACCOUNTS, SIGN_UP),
  ...parseRows('/auth/admin', PLATFORM_ROLES, ACCOUNTS, ADMINISTRATORS),
  ...parseRows('', SIGNED_IN, 'GET /auth/me 200 own'),
  ...parseRows('', [], 'POST /auth/oidc/{provider}/backchannel-logout 400 all VALIDATION_FAILED'),
];
