import {
  type AccountKind,
  ADMINISTRATOR,
  CUSTOMER,
  type Device,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Role } from '@platform/shared/testing/records';
import type { RequestOptions } from '@platform/shared/testing/responses';
import { type CreateTarget, createFactorTargets, type TargetContext } from './route-factors.ts';
import type { Row } from './route-table.ts';

const NEW_PASSWORD = 'Unmistakable horse 2';
const UNKNOWN_CODE = '000000';
const UNKNOWN_SESSION = '00000000-0000-4000-8000-000000000000';

const createKindTargets = (kind: AccountKind, role: Role, signUp: string): Record<string, CreateTarget> => {
  const prefix = kind.path.replace('/api/v1', '');
  const factorTargets = Object.entries(createFactorTargets(kind, role)).map(
    ([name, create]) => [name.replace(' ', ` ${prefix}/`), create] as const,
  );
  return {
    ...Object.fromEntries(factorTargets),
    [`POST ${prefix}/${signUp}`]: () => ({ body: { email: uniqueEmail(), password: PASSWORD } }),
    [`POST ${prefix}/sign-in`]: async ({ records }) => {
      const { email, password } = await records.user([role]);
      return { body: { email, password } };
    },
    [`POST ${prefix}/verification/email/code/check`]: () => ({ body: { code: UNKNOWN_CODE } }),
    [`POST ${prefix}/reset-password/me`]: () => ({
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    }),
    [`POST ${prefix}/reset-password/email/code/send`]: () => ({ body: { email: uniqueEmail() } }),
    [`DELETE ${prefix}/sessions/{sessionId}`]: () => ({ id: UNKNOWN_SESSION }),
    [`POST ${prefix}/reset-password/email/code`]: () => ({
      body: { email: uniqueEmail(), code: UNKNOWN_CODE, newPassword: NEW_PASSWORD },
    }),
  };
};

const createProject: CreateTarget = async ({ records }) => ({ id: await records.project() });
const createTeam: CreateTarget = async ({ records }) => ({ id: await records.team() });
const createUser: CreateTarget = async ({ records }) => ({ id: (await records.user(['CUSTOMER'])).id });

/** The path id and the body of a successful request, created for each call. Other routes need only the token. */
const TARGETS: Record<string, CreateTarget> = {
  ...createKindTargets(CUSTOMER, 'CUSTOMER', 'sign-up'),
  ...createKindTargets(EMPLOYEE, 'EMPLOYEE', 'sign-up'),
  ...createKindTargets(ADMINISTRATOR, 'OPERATOR', 'register'),
  'POST /contact/lead': () => ({ body: { name: 'Ada', email: uniqueEmail() } }),
  'POST /contact/support': () => ({ body: { email: uniqueEmail(), subject: 'Help', message: 'Please.' } }),
  'GET /users/{id}': createUser,
  'PATCH /users/{id}/block': createUser,
  'DELETE /users/{id}/second-factor': createUser,
  'DELETE /users/{id}/platform-role': async ({ records }) => ({ id: (await records.user(['OPERATOR'])).id }),
  'PATCH /users/{id}/unblock': async ({ records }) => ({
    id: (await records.user(['CUSTOMER'], { isBlocked: true })).id,
  }),
  'GET /projects/{id}': createProject,
  'PATCH /projects/{id}': async ({ records }) => ({
    id: await records.project(),
    body: { title: 'Other title' },
  }),
  'DELETE /projects/{id}': createProject,
  'PATCH /projects/{id}/restore': async ({ records }) => ({
    id: await records.project({ deletedAt: new Date() }),
  }),
  'GET /administrator/teams/{teamId}': createTeam,
  'POST /administrator/teams/{teamId}/verify': createTeam,
};

const COOKIES: Record<string, string> = {
  customerRefresh: CUSTOMER.refreshCookie,
  employeeRefresh: EMPLOYEE.refreshCookie,
  administratorRefresh: ADMINISTRATOR.refreshCookie,
};

const toCredentials = (device: Device, scheme: string | undefined): Record<string, string> => {
  const cookie = COOKIES[scheme ?? ''];
  return cookie === undefined
    ? { Authorization: `Bearer ${device.accessToken}` }
    : { Cookie: `${cookie}=${device.refreshToken}` };
};

type Caller = Pick<TargetContext, 'records' | 'gatewayUrl'> & {
  device: Device | undefined;
  /** Whether the route allows the caller. */
  isAllowed: boolean;
};

/** A valid request to a route on a new target: only the caller decides the status. */
export const createRequest = async (
  { name, path }: Row,
  scheme: string | undefined,
  { device, isAllowed, ...context }: Caller,
): Promise<{ path: string; call: RequestOptions }> => {
  const fingerprint = device?.fingerprint ?? uniqueFingerprint();
  const target = { ...context, fingerprint, device: isAllowed ? device : undefined };
  const { id = '', body } = (await TARGETS[name]?.(target)) ?? {};
  const headers = {
    'X-Fingerprint': fingerprint,
    'X-Session-Id': device?.sessionId,
    ...(device && toCredentials(device, scheme)),
  };
  return { path: `/api/v1${path.replace(/\{\w+\}/, id)}`, call: { headers, body } };
};
