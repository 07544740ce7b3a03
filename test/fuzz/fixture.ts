import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AccountKind, ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createRecords, type Records, type Role } from '@platform/shared/testing/records';
import type { RunningStack } from '@platform/shared/testing/stack';
import { createHttpClient, type HttpClient } from '../resilience/load/http-client.ts';
import { signInCall, toDevice } from '../resilience/load/user-actions.ts';
import type { Identity } from './identity.ts';
import { createCodeReader } from './mailed-codes.ts';

export const ROLES: readonly Role[] = ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'];
/** Who is there for every kind of request, and who is used up by one that ends sessions or changes passwords. */
const STEADY = 3;
const VICTIMS = 60;
const ADMINS = 10;
const PROJECTS = 60;
const TEAMS = 250;

export const kindOf = (role: Role): AccountKind => {
  if (role === 'CUSTOMER') return CUSTOMER;
  return role === 'EMPLOYEE' ? EMPLOYEE : ADMINISTRATOR;
};

const createIdentities = (records: Records, client: HttpClient) => {
  const signIn = async (role: Role, userId: string, email: string): Promise<Identity> => {
    const account = { kind: kindOf(role), email, password: PASSWORD };
    const fingerprint = uniqueFingerprint();
    const outcome = await client.send(signInCall(account, fingerprint));
    if (outcome.kind === 'failure' || outcome.status !== 200)
      throw new Error(`${role} cannot sign in: ${JSON.stringify(outcome)}`);
    return { role, userId, account, device: toDevice(account, fingerprint, outcome) };
  };
  return async (role: Role): Promise<Identity> => {
    const { id, email } = await records.user([role]);
    return await signIn(role, id, email);
  };
};

const createIds = async (records: Records) => {
  const createMany = <Item>(count: number, create: () => Promise<Item>): Promise<Item[]> =>
    Promise.all(Array.from({ length: count }, create));
  const victims = await createMany(VICTIMS, () => records.user(['CUSTOMER', 'EMPLOYEE']));
  const admins = await createMany(ADMINS, () => records.user(['ADMIN']));
  const ownerId = victims[0]?.id ?? '';
  return {
    emails: { members: victims.map(({ email }) => email), administrators: admins.map(({ email }) => email) },
    users: [...victims.map(({ id }) => id), admins[0]?.id ?? ''],
    projects: await createMany(PROJECTS, () => records.project({ ownerId })),
    teams: await createMany(TEAMS, () => records.team()),
  };
};

const secretOf = (dataDir: string): string => {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return secrets['JWT_ADMIN_ACCESS_SECRET_KEY'] ?? '';
};

/** Tokens that must open nothing: of a blocked user, unregistered, expired, and forged. */
const createDeadTokens = async (
  records: Records,
  dataDir: string,
  create: (role: Role) => Promise<Identity>,
): Promise<string[]> => {
  const blocked = await Promise.all(ROLES.map(create));
  for (const { userId } of blocked) await records.block(userId);
  const [{ userId } = { userId: '' }] = blocked;
  const claims = { secret: secretOf(dataDir), platformRole: 'ADMIN' };
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"userId":"${userId}"}`).toString('base64url')}.`;
  return [
    ...blocked.map(({ device }) => device.accessToken),
    records.unregisteredToken(userId, claims),
    records.unregisteredToken(userId, { ...claims, lifetimeSeconds: -60 }),
    records.unregisteredToken(userId, { secret: 'a-secret-of-somebody-else-0000000000001' }),
    none,
    'not-a-token',
  ];
};

/** Who and what there is to name in requests: people of every role, users, projects and teams. */
export const createWorld = async ({ stack, dataDir }: RunningStack) => {
  const records = createRecords(stack.databaseUrl);
  const client = createHttpClient(stack.gatewayUrl);
  const create = createIdentities(records, client);
  const ids = await createIds(records);
  const roles = ROLES.flatMap((role) => Array.from({ length: STEADY }, () => role));
  const people = await Promise.all(roles.map(create));
  const deadTokens = await createDeadTokens(records, dataDir, create);
  return {
    ids,
    people,
    deadTokens,
    /** Somebody new, for a request that ends the session or changes the password. */
    create,
    codeFor: createCodeReader(stack.inboxUrl, client),
    close: async () => {
      client.close();
      await records.close();
    },
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
