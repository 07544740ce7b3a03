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
import type { Role } from '@platform/shared/testing/records';
import type { RequestOptions } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { HELP_TARGETS } from './help-targets.ts';
import { createProviderTargets } from './provider-targets.ts';
import type { Row } from './route-table.ts';
import { type Context, type CreateTarget, confirmation, type Target } from './route-target.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

type Targets = Record<string, CreateTarget>;

/**
 * Operations that need a factor of the caller, by the name of their handler. Any other caller is rejected
 * before the target matters.
 */
const createOwnTargets = (kind: AccountKind): Targets => {
  const prepare =
    (create: (client: AuthClient, device: Device) => Promise<Target>): CreateTarget =>
    ({ gatewayUrl, device }) =>
      device ? create(createAuthClient(gatewayUrl, kind), device) : {};
  const withPasskey = prepare(async (client, device) => ({
    path: { passkeyId: (await client.addPasskey(device)).passkeyId },
  }));
  const confirmByRecoveryCode = prepare(async (client, device) => {
    const { recoveryCodes } = await client.enableTotp(device);
    return { body: { ...confirmation, recoveryCode: recoveryCodes[0] } };
  });
  return {
    secondFactorOptions: withPasskey,
    secondFactorChange: prepare(async (client, device) => {
      await client.addPasskey(device);
      return { body: { ...confirmation, isRequired: true } };
    }),
    totpConfirm: prepare(async (client, device) => ({
      body: { code: totpCode((await client.totpSetUp({ ...device, body: CONFIRMATION })).body.secret) },
    })),
    totpRemove: confirmByRecoveryCode,
    recoveryCodesReplace: confirmByRecoveryCode,
    passkeyCreate: prepare(async (client, device) => {
      const options = (await client.passkeyOptions({ ...device, body: CONFIRMATION })).body;
      const response = createSoftwareAuthenticator().create(options);
      return { body: { response, name: 'My phone' } };
    }),
    passkeyRename: withPasskey,
    // Where no second step is due, the password suffices, and a factor that is sent is judged.
    passkeyDelete: async (context) => ({ ...(await withPasskey(context)), body: confirmation }),
    accountDelete: () => ({ body: confirmation }),
  };
};

/** Operations without a token, for a user who is not the caller. */
const createSignInTargets = (kind: AccountKind, role: Role): Targets => {
  const openUser = async ({ records, gatewayUrl }: Context) => {
    const client = createAuthClient(gatewayUrl, kind);
    const user = await records.user([role], { isEmailVerified: true });
    return { client, user, device: await client.openDevice(user) };
  };
  return {
    signIn: async ({ records }) => {
      const { email, password } = await records.user([role]);
      return { body: { email, password } };
    },
    signInSecondFactor: async (context) => {
      const { client, user, device } = await openUser(context);
      const { recoveryCodes } = await client.enableTotp(device);
      const challenge = (await client.startSignIn(user, context.fingerprint)).challenge;
      return { body: { challenge, recoveryCode: recoveryCodes[0] } };
    },
    signInSecondFactorEmailCode: async (context) => {
      const { client, user, device } = await openUser(context);
      await client.enableTotp(device);
      return { body: { challenge: (await client.startSignIn(user, context.fingerprint)).challenge } };
    },
    signInSecondFactorOptions: async (context) => {
      const { client, user, device } = await openUser(context);
      await client.addPasskey(device);
      await client.enableSecondStep(device);
      return { body: { challenge: (await client.startSignIn(user, context.fingerprint)).challenge } };
    },
    signInPasskey: async (context) => {
      const { client, device } = await openUser(context);
      const { authenticator } = await client.addPasskey(device);
      const options = (await client.signInPasskeyOptions({ fingerprint: context.fingerprint })).body;
      return { body: { response: authenticator.get(options) } };
    },
  };
};

const createKindTargets = (kind: AccountKind, role: Role): Targets => ({
  ...createOwnTargets(kind),
  ...createSignInTargets(kind, role),
  ...createProviderTargets(kind, role),
});

/** The first segments of a path tell the kind of account. */
const KIND_TARGETS: readonly [prefix: string, Targets][] = [
  [CUSTOMER.path, createKindTargets(CUSTOMER, 'CUSTOMER')],
  [EMPLOYEE.path, createKindTargets(EMPLOYEE, 'EMPLOYEE')],
  [ADMINISTRATOR.path, createKindTargets(ADMINISTRATOR, 'OPERATOR')],
];

const createUser =
  (role: Role, fields = {}): CreateTarget =>
  async ({ records }) => ({ path: { id: (await records.user([role], fields)).id } });
const createTeam =
  (status: string): CreateTarget =>
  async ({ records }) => ({ path: { teamId: await records.team({ status }) } });

/** The record in the path of all operations below it. */
const RECORDS: readonly [prefix: string, CreateTarget][] = [
  ['/api/v1/users/{id}', createUser('CUSTOMER')],
  ['/api/v1/projects/{id}', async ({ records }) => ({ path: { id: await records.project() } })],
  ['/api/v1/administrator/teams/{teamId}', createTeam('ACTIVE')],
  [
    '/api/v1/administrator/employees/{employeeId}',
    async ({ records }) => ({ path: { employeeId: (await records.user(['EMPLOYEE'])).employeeId } }),
  ],
  [
    '/api/v1/administrator/audit-log/{id}',
    async ({ records }) => {
      const text = `insert into audit_records (action, request_id, address) values ('SIGNED_IN', 'request', '203.0.113.7') returning id`;
      const [record] = await records.query<{ id: string }>(text);
      return { path: { id: record?.id ?? '' } };
    },
  ],
  [
    '/api/v1/administrator/contact-requests/{id}',
    async ({ records }) => ({ path: { id: await records.contactRequest() } }),
  ],
  [
    '/api/v1/administrator/invitations/{id}',
    async ({ records }) => ({ path: { id: await records.invitation() } }),
  ],
  ['/api/v1/administrator/mails/{id}', async ({ records }) => ({ path: { id: await records.failedMail() } })],
];

/** Operations that need a record in another state, by the name of their handler. */
const TARGETS: Targets = {
  ...HELP_TARGETS,
  unblockUser: createUser('CUSTOMER', { isBlocked: true }),
  endSessionOfUser: async ({ records }) => {
    const { id } = await records.user(['CUSTOMER']);
    return { path: { id, sessionId: await records.session(id) } };
  },
  assignPlatformRole: createUser('CUSTOMER', { isEmailVerified: true }),
  removePlatformRole: createUser('OPERATOR'),
  restoreProject: async ({ records }) => ({ path: { id: await records.project({ deletedAt: new Date() }) } }),
  verifyTeam: createTeam('ONBOARDING'),
};

const findByPrefix = <Value>(list: readonly [prefix: string, Value][], template: string) =>
  list.find(([prefix]) => template === prefix || template.startsWith(`${prefix}/`))?.[1];

const findTarget = ({ handler, template }: Row): CreateTarget | undefined =>
  TARGETS[handler] ?? findByPrefix(KIND_TARGETS, template)?.[handler] ?? findByPrefix(RECORDS, template);

/** The example of the contract, with the password of the suite and e-mail addresses without an account. */
const toBody = ({ body }: Row): object | undefined => {
  if (!body?.isRequired) return undefined;
  const replace = (name: string, value: unknown) => {
    if (/password$/i.test(name) && name !== 'newPassword') return PASSWORD;
    return typeof value === 'string' && value.endsWith('@example.com') ? uniqueEmail() : value;
  };
  const fields = Object.entries(body.example as object);
  return Object.fromEntries(fields.map(([name, value]) => [name, replace(name, value)]));
};

/** The query parameters that the contract requires, with its examples. */
const toQuery = ({ parameters }: Row): string => {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const values = required.flatMap(({ name, example }) =>
    [example].flat().map((value): [string, string] => [name, String(value)]),
  );
  return values.length === 0 ? '' : `?${new URLSearchParams(values)}`;
};

const toPath = ({ template }: Row, values: Record<string, string> = {}): string =>
  template.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? (name === 'provider' ? 'company' : UNKNOWN_ID));

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
  row: Row,
  { device, isAllowed, ...context }: Caller,
): Promise<{ path: string; call: RequestOptions }> => {
  const fingerprint = device?.fingerprint ?? uniqueFingerprint();
  const target = { ...context, fingerprint, device: isAllowed ? device : undefined };
  const { path, body = toBody(row), headers: own } = (await findTarget(row)?.(target)) ?? {};
  const isForm = row.body?.type === 'application/x-www-form-urlencoded';
  const headers = {
    ...(isForm && { 'Content-Type': row.body?.type }),
    ...own,
    'X-Fingerprint': fingerprint,
    'X-Session-Id': device?.sessionId,
    ...(device && toCredentials(device, row.scheme)),
  };
  const sent = isForm && typeof body === 'object' ? `${new URLSearchParams(Object.entries(body))}` : body;
  return { path: toPath(row, path) + toQuery(row), call: { headers, body: sent } };
};

/** A request whose body, headers, path and query are all invalid. */
export const createInvalidRequest = (
  row: Row,
  device: Device | undefined,
): { path: string; call: RequestOptions } => {
  const { body, scheme, template } = row;
  const headers = {
    ...(body && { 'Content-Type': body.type }),
    'X-Fingerprint': 'x'.repeat(257),
    'X-Session-Id': 'none',
    ...(device && toCredentials(device, scheme)),
  };
  const path = template.replace('{provider}', 'company').replace(/\{\w+\}/g, 'none');
  const query = row.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => `&${name}=%20`);
  return { path: `${path}?undeclared=1${query.join('')}`, call: { headers, body: body && '{' } };
};
