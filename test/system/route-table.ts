import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** The last three are a caller whom the route allows, with an invalid session. */
export const CALLERS = [
  'none',
  'garbage',
  'customer',
  'employee',
  'ADMIN',
  'OPERATOR',
  'ARBITER',
  'blocked',
  'signed-out',
  'expired',
] as const;
export type CallerName = (typeof CALLERS)[number];

// The status of each route for each caller. A refresh token is sent where the route takes one, else the access token.
const TABLE = `
admin.yaml                                                  none garbage customer employee ADMIN OPERATOR ARBITER blocked signed-out expired
GET    /                                                     200     200      200      200   200      200     200     200        200     200
POST   /contact/lead                                         204     204      204      204   204      204     204     204        204     204
POST   /contact/support                                      204     204      204      204   204      204     204     204        204     204
GET    /operator/me                                          401     401      401      401   403      200     403     401        401     401
GET    /administrator/me                                     401     401      401      401   200      403     403     401        401     401
GET    /arbiter/me                                           401     401      401      401   403      403     200     401        401     401
GET    /users                                                401     401      401      401   200      403     403     401        401     401
GET    /users/me                                             401     401      401      401   200      403     403     401        401     401
GET    /users/{id}                                           401     401      401      401   200      403     403     401        401     401
PATCH  /users/{id}/block                                     401     401      401      401   200      403     403     401        401     401
PATCH  /users/{id}/unblock                                   401     401      401      401   200      403     403     401        401     401
DELETE /users/{id}/second-factor                             401     401      401      401   204      403     403     401        401     401
DELETE /users/{id}/platform-role                             401     401      401      401   204      403     403     401        401     401
GET    /projects                                             401     401      401      401   200      403     403     401        401     401
GET    /projects/{id}                                        401     401      401      401   200      403     403     401        401     401
PATCH  /projects/{id}                                        401     401      401      401   200      403     403     401        401     401
DELETE /projects/{id}                                        401     401      401      401   204      403     403     401        401     401
PATCH  /projects/{id}/restore                                401     401      401      401   200      403     403     401        401     401
GET    /administrator/teams                                  401     401      401      401   200      403     403     401        401     401
GET    /administrator/teams/{teamId}                         401     401      401      401   200      403     403     401        401     401
POST   /administrator/teams/{teamId}/verify                  401     401      401      401   201      403     403     401        401     401
GET    /administrator/audit-log                              401     401      401      401   200      403     403     401        401     401
POST   /administrator/queues/session                         401     401      401      401   204      403     403     401        401     401

auth.yaml                                                   none garbage customer employee ADMIN OPERATOR ARBITER blocked signed-out expired
POST   /customers/auth/sign-up                               201     201      201      201   201      201     201     201        201     201
POST   /customers/auth/sign-in                               200     200      200      200   200      200     200     200        200     200
GET    /customers/auth/me                                    401     401      200      401   401      401     401     401        401     401
GET    /customers/auth/sign-out                              401     401      204      401   401      401     401     401        401     401
GET    /customers/auth/refresh/token                         401     401      200      401   401      401     401     401        401     401
GET    /customers/auth/verification/email/check              401     401      200      401   401      401     401     401        401     401
GET    /customers/auth/verification/email/code               401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/verification/email/code/check         401     401      400      401   401      401     401     401        401     401
POST   /customers/auth/reset-password/me                     401     401      204      401   401      401     401     401        401     401
POST   /customers/auth/reset-password/email/code/send        200     200      200      200   200      200     200     200        200     200
POST   /customers/auth/reset-password/email/code             400     400      400      400   400      400     400     400        400     400
GET    /customers/auth/sessions                              401     401      200      401   401      401     401     401        401     401
DELETE /customers/auth/sessions                              401     401      204      401   401      401     401     401        401     401
DELETE /customers/auth/sessions/{sessionId}                  401     401      404      401   401      401     401     401        401     401
GET    /customers/auth/second-factor                         401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/second-factor/options                 401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/second-factor/totp                    401     401      201      401   401      401     401     401        401     401
DELETE /customers/auth/second-factor/totp                    401     401      204      401   401      401     401     401        401     401
POST   /customers/auth/second-factor/totp/confirm            401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/second-factor/recovery-codes          401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/passkeys/options                      401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/passkeys                              401     401      201      401   401      401     401     401        401     401
PATCH  /customers/auth/passkeys/{passkeyId}                  401     401      200      401   401      401     401     401        401     401
DELETE /customers/auth/passkeys/{passkeyId}                  401     401      204      401   401      401     401     401        401     401
POST   /customers/auth/sign-in/second-factor                 200     200      200      200   200      200     200     200        200     200
POST   /customers/auth/sign-in/second-factor/options         200     200      200      200   200      200     200     200        200     200
POST   /customers/auth/sign-in/passkey/options               200     200      200      200   200      200     200     200        200     200
POST   /customers/auth/sign-in/passkey                       200     200      200      200   200      200     200     200        200     200
POST   /customers/auth/email/change                          401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/email/change/check                    401     401      400      401   401      401     401     401        401     401
GET    /customers/auth/account/export                        401     401      200      401   401      401     401     401        401     401
POST   /customers/auth/account/delete                        401     401      204      401   401      401     401     401        401     401
POST   /employees/auth/sign-up                               201     201      201      201   201      201     201     201        201     201
POST   /employees/auth/sign-in                               200     200      200      200   200      200     200     200        200     200
GET    /employees/auth/me                                    401     401      401      200   401      401     401     401        401     401
GET    /employees/auth/sign-out                              401     401      401      204   401      401     401     401        401     401
GET    /employees/auth/refresh/token                         401     401      401      200   401      401     401     401        401     401
GET    /employees/auth/verification/email/check              401     401      401      200   401      401     401     401        401     401
GET    /employees/auth/verification/email/code               401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/verification/email/code/check         401     401      401      400   401      401     401     401        401     401
POST   /employees/auth/reset-password/me                     401     401      401      204   401      401     401     401        401     401
POST   /employees/auth/reset-password/email/code/send        200     200      200      200   200      200     200     200        200     200
POST   /employees/auth/reset-password/email/code             400     400      400      400   400      400     400     400        400     400
GET    /employees/auth/sessions                              401     401      401      200   401      401     401     401        401     401
DELETE /employees/auth/sessions                              401     401      401      204   401      401     401     401        401     401
DELETE /employees/auth/sessions/{sessionId}                  401     401      401      404   401      401     401     401        401     401
GET    /employees/auth/second-factor                         401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/second-factor/options                 401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/second-factor/totp                    401     401      401      201   401      401     401     401        401     401
DELETE /employees/auth/second-factor/totp                    401     401      401      204   401      401     401     401        401     401
POST   /employees/auth/second-factor/totp/confirm            401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/second-factor/recovery-codes          401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/passkeys/options                      401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/passkeys                              401     401      401      201   401      401     401     401        401     401
PATCH  /employees/auth/passkeys/{passkeyId}                  401     401      401      200   401      401     401     401        401     401
DELETE /employees/auth/passkeys/{passkeyId}                  401     401      401      204   401      401     401     401        401     401
POST   /employees/auth/sign-in/second-factor                 200     200      200      200   200      200     200     200        200     200
POST   /employees/auth/sign-in/second-factor/options         200     200      200      200   200      200     200     200        200     200
POST   /employees/auth/sign-in/passkey/options               200     200      200      200   200      200     200     200        200     200
POST   /employees/auth/sign-in/passkey                       200     200      200      200   200      200     200     200        200     200
POST   /employees/auth/email/change                          401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/email/change/check                    401     401      401      400   401      401     401     401        401     401
GET    /employees/auth/account/export                        401     401      401      200   401      401     401     401        401     401
POST   /employees/auth/account/delete                        401     401      401      204   401      401     401     401        401     401
POST   /auth/admin/register                                  401     401      401      401   201      403     403     401        401     401
POST   /auth/admin/sign-in                                   200     200      200      200   200      200     200     200        200     200
GET    /auth/admin/me                                        401     401      401      401   200      200     200     401        401     401
GET    /auth/admin/sign-out                                  401     401      401      401   204      204     204     401        401     401
GET    /auth/admin/refresh/token                             401     401      401      401   200      200     200     401        401     401
GET    /auth/admin/verification/email/check                  401     401      401      401   200      200     200     401        401     401
GET    /auth/admin/verification/email/code                   401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/verification/email/code/check             401     401      401      401   400      400     400     401        401     401
POST   /auth/admin/reset-password/me                         401     401      401      401   204      204     204     401        401     401
POST   /auth/admin/reset-password/email/code/send            200     200      200      200   200      200     200     200        200     200
POST   /auth/admin/reset-password/email/code                 400     400      400      400   400      400     400     400        400     400
GET    /auth/admin/sessions                                  401     401      401      401   200      200     200     401        401     401
DELETE /auth/admin/sessions                                  401     401      401      401   204      204     204     401        401     401
DELETE /auth/admin/sessions/{sessionId}                      401     401      401      401   404      404     404     401        401     401
GET    /auth/admin/second-factor                             401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/second-factor/options                     401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/second-factor/totp                        401     401      401      401   201      201     201     401        401     401
DELETE /auth/admin/second-factor/totp                        401     401      401      401   204      204     204     401        401     401
POST   /auth/admin/second-factor/totp/confirm                401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/second-factor/recovery-codes              401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/passkeys/options                          401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/passkeys                                  401     401      401      401   201      201     201     401        401     401
PATCH  /auth/admin/passkeys/{passkeyId}                      401     401      401      401   200      200     200     401        401     401
DELETE /auth/admin/passkeys/{passkeyId}                      401     401      401      401   204      204     204     401        401     401
POST   /auth/admin/sign-in/second-factor                     200     200      200      200   200      200     200     200        200     200
POST   /auth/admin/sign-in/second-factor/options             200     200      200      200   200      200     200     200        200     200
POST   /auth/admin/sign-in/passkey/options                   200     200      200      200   200      200     200     200        200     200
POST   /auth/admin/sign-in/passkey                           200     200      200      200   200      200     200     200        200     200
POST   /auth/admin/email/change                              401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/email/change/check                        401     401      401      401   400      400     400     401        401     401
GET    /auth/admin/account/export                            401     401      401      401   200      200     200     401        401     401
POST   /auth/admin/account/delete                            401     401      401      401   409      409     409     401        401     401
GET    /auth/me                                              401     401      200      200   200      200     200     401        401     401
`;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Row = {
  document: string;
  /** As in the table: `GET /users/{id}`. */
  name: string;
  method: Method;
  path: string;
  expected: Record<CallerName, number>;
};

const parseRow = (document: string, line: string): Row => {
  const [method = '', path = '', ...statuses] = line.split(/\s+/);
  if (statuses.length !== CALLERS.length) throw new Error(`A status for each caller is needed: ${line}`);
  const expected = Object.fromEntries(CALLERS.map((name, index) => [name, Number(statuses[index])]));
  return {
    document,
    name: `${method} ${path}`,
    method: method as Method,
    path,
    expected: expected as Row['expected'],
  };
};

export const ROWS: readonly Row[] = TABLE.trim()
  .split(/\n\n/)
  .flatMap((block) => {
    const [heading = '', ...lines] = block.split('\n');
    const [document = '', ...columns] = heading.split(/\s+/);
    if (columns.join() !== CALLERS.join()) throw new Error(`The columns are ${CALLERS.join(', ')}`);
    return lines.map((line) => parseRow(document, line));
  });

type Operation = { security?: Record<string, string[]>[] };
type Document = { paths: Record<string, Record<string, Operation>> };

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'options', 'head', 'trace'];

/** Every operation of a document of openapi/, by its name as in the table, with the name of its security scheme. */
export const readOperations = (document: string): Map<string, string | undefined> => {
  const { paths }: Document = parse(
    readFileSync(new URL(`../../openapi/${document}`, import.meta.url), 'utf8'),
    { maxAliasCount: -1 },
  );
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, { security }]) => {
        const [scheme] = Object.keys(security?.[0] ?? {});
        return [`${method.toUpperCase()} ${path}`, scheme] as const;
      }),
  );
  return new Map(operations);
};
