import {
  type AccountKind,
  ADMINISTRATOR,
  type AuthClient,
  CUSTOMER,
  createAuthClient,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { Operation } from '@platform/shared/testing/openapi-operations';
import type { Role } from '@platform/shared/testing/records';
import type { RequestOptions } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { createProviderTargets } from './provider-targets.ts';
import type { Row } from './route-table.ts';
import { type Context, type CreateTarget, confirmation, type Target, UNKNOWN_ID } from './route-target.ts';

const UNKNOWN_CODE = '000000';
const NEW_PASSWORD = 'Unmistakable horse 2';

/**
 * Operations that need a factor of the caller, by name without the kind. Any other caller is rejected,
 * whatever the target is.
 */
const createOwnTargets = (kind: AccountKind): Record<string, CreateTarget> => {
  const prepare =
    (other: Target, create: (client: AuthClient, device: Device) => Promise<Target>): CreateTarget =>
    ({ gatewayUrl, device }) =>
      device ? create(createAuthClient(gatewayUrl, kind), device) : other;
  const withPasskey = (body?: object) =>
    prepare({ id: UNKNOWN_ID, ...(body && { body }) }, async (client, device) => ({
      id: (await client.addPasskey(device)).passkeyId,
      ...(body && { body }),
    }));
  const confirmByRecoveryCode = prepare(
    { body: { ...confirmation, recoveryCode: UNKNOWN_CODE } },
    async (client, device) => {
      const { recoveryCodes } = await client.enableTotp(device);
      return { body: { ...confirmation, recoveryCode: recoveryCodes[0] } };
    },
  );
  return {
    'POST second-factor/options': withPasskey(),
    'POST second-factor/totp': () => ({ body: confirmation }),
    'POST second-factor/totp/confirm': prepare({ body: { code: UNKNOWN_CODE } }, async (client, device) => ({
      body: { code: totpCode((await client.totpSetUp({ ...device, body: CONFIRMATION })).body.secret) },
    })),
    'DELETE second-factor/totp': confirmByRecoveryCode,
    'POST second-factor/recovery-codes': confirmByRecoveryCode,
    'POST passkeys/options': () => ({ body: confirmation }),
    'POST passkeys': prepare({ body: { response: {}, name: 'My phone' } }, async (client, device) => {
      const options = (await client.passkeyOptions({ ...device, body: CONFIRMATION })).body;
      const response = createSoftwareAuthenticator().create(options);
      return { body: { response, name: 'My phone' } };
    }),
    'PATCH passkeys/{passkeyId}': withPasskey({ name: 'My key' }),
    'DELETE passkeys/{passkeyId}': withPasskey(confirmation),
  };
};

/** Operations without a token, for a user who is not the caller. */
const createSignInTargets = (kind: AccountKind, role: Role): Record<string, CreateTarget> => {
  const openUser = async ({ records, gatewayUrl }: Context) => {
    const client = createAuthClient(gatewayUrl, kind);
    const user = await records.user([role], { isEmailVerified: true });
    return { client, user, device: await client.openDevice(user) };
  };
  return {
    'POST sign-in': async ({ records }) => {
      const { email, password } = await records.user([role]);
      return { body: { email, password } };
    },
    'POST sign-in/second-factor': async (context) => {
      const { client, user, device } = await openUser(context);
      const { recoveryCodes } = await client.enableTotp(device);
      const challenge = (await client.startSignIn(user, context.fingerprint)).challenge;
      return { body: { challenge, recoveryCode: recoveryCodes[0] } };
    },
    'POST sign-in/second-factor/options': async (context) => {
      const { client, user, device } = await openUser(context);
      await client.addPasskey(device);
      return { body: { challenge: (await client.startSignIn(user, context.fingerprint)).challenge } };
    },
    'POST sign-in/passkey': async (context) => {
      const { client, device } = await openUser(context);
      const { authenticator } = await client.addPasskey(device);
      return {
        body: {
          response: authenticator.get(
            (await client.signInPasskeyOptions({ fingerprint: context.fingerprint })).body,
          ),
        },
      };
    },
  };
};

const createKindTargets = (kind: AccountKind, role: Role): [string, CreateTarget][] => {
  const targets: Record<string, CreateTarget> = {
    ...createOwnTargets(kind),
    ...createSignInTargets(kind, role),
    ...createProviderTargets(kind, role),
    [`POST ${kind === ADMINISTRATOR ? 'register' : 'sign-up'}`]: () => ({
      body: { email: uniqueEmail(), password: PASSWORD },
    }),
    'POST verification/email/code/check': () => ({ body: { code: UNKNOWN_CODE } }),
    'POST reset-password/me': () => ({ body: { ...confirmation, newPassword: NEW_PASSWORD } }),
    'POST reset-password/email/code/send': () => ({ body: { email: uniqueEmail() } }),
    'POST reset-password/email/code': () => ({
      body: { email: uniqueEmail(), code: UNKNOWN_CODE, newPassword: NEW_PASSWORD },
    }),
    'DELETE sessions/{sessionId}': () => ({ id: UNKNOWN_ID }),
    'PATCH profile': () => ({ body: { firstName: 'Grace' } }),
    'POST email/change': () => ({ body: { ...confirmation, newEmail: uniqueEmail() } }),
    'POST email/change/check': () => ({ body: { code: UNKNOWN_CODE } }),
    'POST account/delete': () => ({ body: confirmation }),
  };
  const prefix = kind.path.replace('/api/v1', '');
  return Object.entries(targets).map(([name, create]) => [name.replace(' ', ` ${prefix}/`), create]);
};

const createProject: CreateTarget = async ({ records }) => ({ id: await records.project() });
const createTeam: CreateTarget = async ({ records }) => ({ id: await records.team() });
const createFailedMail: CreateTarget = async ({ records }) => ({ id: await records.failedMail() });
const createUser =
  (role: Role, fields = {}): CreateTarget =>
  async ({ records }) => ({ id: (await records.user([role], fields)).id });

/**
 * The path id and the body of a successful request, created for each call. Other operations need only the
 * token.
 */
const TARGETS: Record<string, CreateTarget> = {
  ...Object.fromEntries([
    ...createKindTargets(CUSTOMER, 'CUSTOMER'),
    ...createKindTargets(EMPLOYEE, 'EMPLOYEE'),
    ...createKindTargets(ADMINISTRATOR, 'OPERATOR'),
  ]),
  'POST /auth/oidc/{provider}/backchannel-logout': () => ({
    id: 'company',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'logout_token=garbage',
  }),
  'POST /contact/lead': () => ({ body: { name: 'Ada', email: uniqueEmail() } }),
  'POST /contact/support': () => ({ body: { email: uniqueEmail(), subject: 'Help', message: 'Please.' } }),
  'GET /users/{id}': createUser('CUSTOMER'),
  'PATCH /users/{id}/block': createUser('CUSTOMER'),
  'PATCH /users/{id}/unblock': createUser('CUSTOMER', { isBlocked: true }),
  'DELETE /users/{id}/sessions': createUser('CUSTOMER'),
  'DELETE /users/{id}/second-factor': createUser('CUSTOMER'),
  'DELETE /users/{id}/platform-role': createUser('OPERATOR'),
  'GET /projects/{id}': createProject,
  'PATCH /projects/{id}': async (context) => ({
    ...(await createProject(context)),
    body: { title: 'Other title' },
  }),
  'DELETE /projects/{id}': createProject,
  'PATCH /projects/{id}/restore': async ({ records }) => ({
    id: await records.project({ deletedAt: new Date() }),
  }),
  'GET /administrator/teams/{teamId}': createTeam,
  'GET /administrator/employees': () => ({ query: `?id=${UNKNOWN_ID}` }),
  'GET /administrator/employees/{employeeId}': async ({ records }) => ({
    id: (await records.user(['EMPLOYEE'])).employeeId,
  }),
  'PATCH /administrator/contact-requests/{id}': async ({ records }) => ({
    id: await records.contactRequest(),
    body: { isDone: true },
  }),
  'POST /administrator/mails/{id}/retry': createFailedMail,
  'DELETE /administrator/mails/{id}': createFailedMail,
  'POST /administrator/teams/{teamId}/verify': createTeam,
};

const toCredentials = (device: Device, scheme = ''): Record<string, string> => {
  const kind = [CUSTOMER, EMPLOYEE, ADMINISTRATOR].find((each) => scheme === `${each.kind}Refresh`);
  return kind
    ? { Cookie: `${kind.refreshCookie}=${device.refreshToken}` }
    : { Authorization: `Bearer ${device.accessToken}` };
};

type Caller = Omit<Context, 'fingerprint'> & {
  /** Whether the route allows the caller. */
  isAllowed: boolean;
};

/** Creates a valid request with a new target, so that only the caller decides the status. */
export const createRequest = async (
  { name, path }: Row,
  { scheme }: Operation,
  { device, isAllowed, ...context }: Caller,
): Promise<{ path: string; call: RequestOptions }> => {
  const fingerprint = device?.fingerprint ?? uniqueFingerprint();
  const target = { ...context, fingerprint, device: isAllowed ? device : undefined };
  const { id = '', query = '', body, headers: own } = (await TARGETS[name]?.(target)) ?? {};
  const headers = {
    ...own,
    'X-Fingerprint': fingerprint,
    'X-Session-Id': device?.sessionId,
    ...(device && toCredentials(device, scheme)),
  };
  return { path: `/api/v1${path.replace(/\{\w+\}/, id)}${query}`, call: { headers, body } };
};

/** A request whose body, headers, path and query are all invalid. */
export const createInvalidRequest = (
  { path }: Row,
  { scheme, body }: Operation,
  device: Device | undefined,
): { path: string; call: RequestOptions } => {
  const headers = {
    ...(body && { 'Content-Type': body.type }),
    'X-Fingerprint': 'x'.repeat(257),
    'X-Session-Id': 'none',
    ...(device && toCredentials(device, scheme)),
  };
  const filled = path.replace('{provider}', 'company').replace(/\{\w+\}/, 'none');
  return { path: `/api/v1${filled}?undeclared=1`, call: { headers, body: body && '{' } };
};
