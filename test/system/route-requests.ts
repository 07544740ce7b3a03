import {
  type AccountKind,
  ADMINISTRATOR,
  CUSTOMER,
  type Device,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Records, Role } from '@platform/shared/testing/records';
import type { RequestOptions } from '@platform/shared/testing/responses';
import type { Row } from './route-table.ts';

const NEW_PASSWORD = 'Unmistakable horse 2';
const NOBODYS_CODE = '000000';
const NOBODYS_SESSION = '00000000-0000-4000-8000-000000000000';

type Target = { id?: string; body?: object };
type MakeTarget = (records: Records) => Promise<Target> | Target;

const ofKind = ({ path }: AccountKind, role: Role, signUp: string): Record<string, MakeTarget> => {
  const prefix = path.replace('/api/v1', '');
  return {
    [`POST ${prefix}/${signUp}`]: () => ({ body: { email: uniqueEmail(), password: PASSWORD } }),
    [`POST ${prefix}/sign-in`]: async (records) => {
      const { email, password } = await records.user([role]);
      return { body: { email, password } };
    },
    [`POST ${prefix}/verification/email/code/check`]: () => ({ body: { code: NOBODYS_CODE } }),
    [`POST ${prefix}/reset-password/me`]: () => ({
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    }),
    [`POST ${prefix}/reset-password/email/code/send`]: () => ({ body: { email: uniqueEmail() } }),
    [`DELETE ${prefix}/sessions/{sessionId}`]: () => ({ id: NOBODYS_SESSION }),
    [`POST ${prefix}/reset-password/email/code`]: () => ({
      body: { email: uniqueEmail(), code: NOBODYS_CODE, newPassword: NEW_PASSWORD },
    }),
  };
};

const aProject: MakeTarget = async (records) => ({ id: await records.project() });
const aTeam: MakeTarget = async (records) => ({ id: await records.team() });
const aUser: MakeTarget = async (records) => ({ id: (await records.user(['CUSTOMER'])).id });

/** What a route needs to succeed, made anew for each call; the others need nothing but the token. */
const TARGETS: Record<string, MakeTarget> = {
  ...ofKind(CUSTOMER, 'CUSTOMER', 'sign-up'),
  ...ofKind(EMPLOYEE, 'EMPLOYEE', 'sign-up'),
  ...ofKind(ADMINISTRATOR, 'OPERATOR', 'register'),
  'POST /contact/lead': () => ({ body: { name: 'Ada', email: uniqueEmail() } }),
  'POST /contact/support': () => ({ body: { email: uniqueEmail(), subject: 'Help', message: 'Please.' } }),
  'GET /users/{id}': aUser,
  'PATCH /users/{id}/block': aUser,
  'PATCH /users/{id}/unblock': async (records) => ({
    id: (await records.user(['CUSTOMER'], { isBlocked: true })).id,
  }),
  'GET /projects/{id}': aProject,
  'PATCH /projects/{id}': async (records) => ({
    id: await records.project(),
    body: { title: 'Other title' },
  }),
  'DELETE /projects/{id}': aProject,
  'PATCH /projects/{id}/restore': async (records) => ({
    id: await records.project({ deletedAt: new Date() }),
  }),
  'GET /administrator/teams/{teamId}': aTeam,
  'POST /administrator/teams/{teamId}/verify': aTeam,
};

const COOKIES: Record<string, string> = {
  customerRefresh: CUSTOMER.refreshCookie,
  employeeRefresh: EMPLOYEE.refreshCookie,
  administratorRefresh: ADMINISTRATOR.refreshCookie,
};

const credentialsOf = (device: Device, scheme: string | undefined): Record<string, string> => {
  const cookie = COOKIES[scheme ?? ''];
  return cookie === undefined
    ? { Authorization: `Bearer ${device.accessToken}` }
    : { Cookie: `${cookie}=${device.refreshToken}` };
};

/** The request of a caller to a route, on a target of its own, that succeeds if anybody's does. */
export const createRequest = async (
  { name, path }: Row,
  scheme: string | undefined,
  device: Device | undefined,
  records: Records,
): Promise<{ path: string; call: RequestOptions }> => {
  const { id = '', body } = (await TARGETS[name]?.(records)) ?? {};
  const headers = {
    'X-Fingerprint': device?.fingerprint ?? uniqueFingerprint(),
    'X-Session-Id': device?.sessionId,
    ...(device && credentialsOf(device, scheme)),
  };
  return { path: `/api/v1${path.replace(/\{\w+\}/, id)}`, call: { headers, body } };
};
