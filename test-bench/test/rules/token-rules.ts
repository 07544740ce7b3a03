import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { DAY, HOUR, MINUTE, type Rule, type World } from './rule.ts';

type AccountKind = 'customer' | 'employee';

const openAccount = async ({ auth }: World, kind: AccountKind = 'customer') => {
  const client = auth.as(kind);
  const { account, device } = await client.openVerifiedAccount();
  return { client, account, device };
};

const staySignedIn = async (
  { auth }: World,
  { email, password }: TestAccount,
  kind: AccountKind = 'customer',
): Promise<Device> => {
  const body = { email, password, staySignedIn: true };
  const client = auth.as(kind);
  return client.toDevice(await client.signIn({ fingerprint: uniqueFingerprint(), body }));
};

/** An ADMIN with a session of auth-service. */
export const openAdministrator = async (world: World) => {
  const { id, email } = await world.auth.records.user(['ADMIN'], { isEmailVerified: true });
  const client = world.auth.as('administrator');
  const signIn = () => client.openDevice({ email, password: PASSWORD });
  return { id, client, signIn, device: await signIn() };
};

const NAMES = { customer: 'a customer', employee: 'an employee' };

const accessTokenOf = (kind: AccountKind): Rule => ({
  name: `access token of ${NAMES[kind]}: an hour`,
  limit: HOUR,
  prepare: async (world) => {
    const { client, account, device } = await openAccount(world, kind);
    return { id: account.userId, ask: () => client.me(device) };
  },
  before: '200',
  after: '401 TOKEN_INVALID',
});

const refreshTokenOf = (kind: AccountKind): Rule => ({
  name: `refresh token of ${NAMES[kind]}: two hours`,
  limit: 2 * HOUR,
  prepare: async (world) => {
    const { client, account, device } = await openAccount(world, kind);
    return { id: account.userId, ask: () => client.refreshToken(device) };
  },
  before: '200',
  after: '401 TOKEN_INVALID',
});

const stayOf = (kind: AccountKind): Rule => ({
  name: `session of ${NAMES[kind]} that stays signed in: 30 days`,
  limit: 30 * DAY,
  prepare: async (world) => {
    const { client, account } = await openAccount(world, kind);
    const device = await staySignedIn(world, account, kind);
    return { id: account.userId, ask: () => client.refreshToken(device) };
  },
  before: '200',
  after: '401 TOKEN_INVALID',
});

export const TOKEN_RULES: Rule[] = [
  accessTokenOf('customer'),
  accessTokenOf('employee'),
  {
    name: 'access token of an ADMIN at the back office: an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { id, device } = await openAdministrator(world);
      return { id, ask: () => world.admin.withToken(device.accessToken).currentAdministrator() };
    },
    before: '200',
    after: '401 TOKEN_INVALID',
  },
  {
    name: 'access token at another service: an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { account, device } = await openAccount(world);
      const form = { token: device.accessToken };
      const ask = async () =>
        String((await createServiceClient(world.auth.url).introspectToken({ form })).body.active);
      return { id: account.userId, ask };
    },
    before: 'true',
    after: 'false',
  },
  refreshTokenOf('customer'),
  refreshTokenOf('employee'),
  {
    name: 'refresh token of an ADMIN: two hours',
    limit: 2 * HOUR,
    prepare: async (world) => {
      const { id, client, device } = await openAdministrator(world);
      return { id, ask: () => client.refreshToken(device) };
    },
    before: '200',
    after: '401 TOKEN_INVALID',
  },
  {
    name: 'session of a refresh token: ends with it in the list of sessions',
    limit: 2 * HOUR,
    prepare: async (world) => {
      const { client, account } = await openAccount(world);
      const device = await staySignedIn(world, account);
      const ask = async () => {
        const { data } = (await client.listSessions(await client.refreshed(device))).body;
        return `${data.length} sessions`;
      };
      return { id: account.userId, ask };
    },
    before: '2 sessions',
    after: '1 sessions',
  },
  {
    name: 'reuse of an exchanged refresh token: ten seconds',
    limit: 10,
    margin: 8,
    prepare: async (world) => {
      const { client, account, device } = await openAccount(world);
      await client.refreshed(device);
      return { id: account.userId, ask: () => client.refreshToken(device) };
    },
    before: '401 REFRESH_TOKEN_SUPERSEDED',
    after: '401 REFRESH_TOKEN_REUSED',
  },
  stayOf('customer'),
  stayOf('employee'),
  {
    name: 'session that stays signed in: 30 days from its last refresh',
    limit: 30 * DAY,
    prepare: async (world) => {
      const { client, account } = await openAccount(world);
      const device = await staySignedIn(world, account);
      await world.passTime(account.userId, 20 * DAY);
      const refreshed = await client.refreshed(device);
      return { id: account.userId, ask: () => client.refreshToken(refreshed) };
    },
    before: '200',
    after: '401 TOKEN_INVALID',
  },
  {
    name: 'session with SESSION_MAX_AGE: ten hours from the sign-in, however often it is refreshed',
    limit: 9 * HOUR,
    prepare: async (world) => {
      const { account } = await openAccount(world);
      const client = world.strict.as('customer');
      const device = await staySignedIn(world, account);
      await world.passTime(account.userId, HOUR);
      const refreshed = await client.refreshed(device);
      return { id: account.userId, ask: () => client.refreshToken(refreshed) };
    },
    before: '200',
    after: '401 TOKEN_INVALID',
  },
  {
    name: 'recent proof by a sign-in: 15 minutes',
    limit: 15 * MINUTE,
    prepare: async (world) => {
      const { id, device } = await openAdministrator(world);
      const { id: other } = await world.auth.records.user(['CUSTOMER']);
      return { id, ask: () => world.admin.withToken(device.accessToken).exportUser({ id: other }) };
    },
    before: '200',
    after: '403 PROOF_REQUIRED',
  },
  {
    name: 'recent proof: 15 minutes from the last one',
    limit: 15 * MINUTE,
    prepare: async (world) => {
      const { id, client, device } = await openAdministrator(world);
      const { id: other } = await world.auth.records.user(['CUSTOMER']);
      await world.passTime(id, 20 * MINUTE);
      await client.administratorProve({ ...device, body: { currentPassword: PASSWORD } });
      return { id, ask: () => world.admin.withToken(device.accessToken).exportUser({ id: other }) };
    },
    before: '200',
    after: '403 PROOF_REQUIRED',
  },
  {
    name: 'sign-in as the proof of an account without a password: 5 minutes',
    limit: 5 * MINUTE,
    prepare: async (world) => {
      const { client, account, device } = await openAccount(world);
      const { userId: id } = account;
      await world.auth.records.query('update users set password_hash = null where id = $1', [id]);
      return { id, ask: () => client.passkeyOptions({ ...device, body: {} }) };
    },
    before: '200',
    after: '403 REAUTHENTICATION_REQUIRED',
  },
];
