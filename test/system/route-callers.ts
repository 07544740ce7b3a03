import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  CUSTOMER,
  createAuthClient,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { Records, Role } from '@platform/shared/testing/records';
import type { RunningStack } from '@platform/shared/testing/stack';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import type { CallerName, Row } from './route-table.ts';

const USERS = {
  customer: { kind: CUSTOMER, role: 'CUSTOMER' },
  employee: { kind: EMPLOYEE, role: 'EMPLOYEE' },
  ADMIN: { kind: ADMINISTRATOR, role: 'ADMIN' },
  OPERATOR: { kind: ADMINISTRATOR, role: 'OPERATOR' },
  ARBITER: { kind: ADMINISTRATOR, role: 'ARBITER' },
} as const satisfies Partial<Record<CallerName, { kind: AccountKind; role: Role }>>;
type UserName = keyof typeof USERS;

/** Returns the same registered token, which expired a second ago. */
const expire = (token: string, secret = ''): string => {
  const claims = jsonwebtoken.verify(token, secret, { algorithms: ['HS256'] }) as JwtPayload;
  return jsonwebtoken.sign({ ...claims, exp: Math.floor(Date.now() / 1_000) - 1 }, secret);
};

const isRejected = (status: number): boolean => status === 401 || status === 403;

/** The first user whom the route allows, so that only the block can be the reason for a 401. */
const findAllowedUser = ({ expected }: Row): UserName =>
  (Object.keys(USERS) as UserName[]).find((name) => !isRejected(expected[name])) ?? 'customer';

/** Signs in the callers of the matrix. */
export const createCallers = async ({ stack, dataDir }: RunningStack, records: Records) => {
  const secrets: Record<string, string> = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  const signIn = async (name: UserName, isEmailVerified = true) => {
    const { kind, role } = USERS[name];
    const user = await records.user([role], { isEmailVerified });
    const client = createAuthClient(stack.gatewayUrl, kind);
    return { user, kind, client, device: await client.openDevice(user) };
  };
  /** Second factors need a verified address, and verifications need an unverified one. */
  const signInFor = async (name: UserName, { path }: Row): Promise<Device> =>
    (await signIn(name, !path.includes('/verification/'))).device;

  const open = async (caller: CallerName, allowed: UserName): Promise<Device | undefined> => {
    if (caller === 'none') return undefined;
    if (caller === 'garbage')
      return {
        accessToken: 'garbage',
        refreshToken: 'garbage',
        fingerprint: uniqueFingerprint(),
        sessionId: '00000000-0000-4000-8000-000000000000',
      };
    if (caller in USERS) return (await signIn(caller as UserName)).device;
    const { user, kind, client, device } = await signIn(allowed);
    if (caller === 'blocked') await records.block(user.id);
    if (caller === 'signed-out') await client.signOut(device);
    if (caller !== 'expired') return device;
    const prefix = `JWT_${kind === ADMINISTRATOR ? 'ADMIN' : kind.kind.toUpperCase()}`;
    return {
      ...device,
      accessToken: expire(device.accessToken, secrets[`${prefix}_ACCESS_SECRET_KEY`]),
      refreshToken: expire(device.refreshToken, secrets[`${prefix}_REFRESH_SECRET_KEY`]),
    };
  };

  const shared = new Map<string, Promise<Device | undefined>>();
  /** Callers whose requests change nothing share their devices. */
  const openShared = (caller: CallerName, allowed: UserName): Promise<Device | undefined> => {
    const key = `${caller} ${allowed}`;
    const device = shared.get(key) ?? open(caller, allowed);
    shared.set(key, device);
    return device;
  };

  return {
    /**
     * Returns undefined for the caller without a token. Each request that the route allows comes from a new
     * device.
     */
    open: (caller: CallerName, row: Row): Promise<Device | undefined> =>
      caller in USERS && !isRejected(row.expected[caller])
        ? signInFor(caller as UserName, row)
        : openShared(caller, findAllowedUser(row)),
    /** A user whom the route allows, for a request that changes nothing. */
    openAllowed: (row: Row): Promise<Device | undefined> =>
      openShared(findAllowedUser(row), findAllowedUser(row)),
    /** A user whom the route allowed until the platform role was removed. */
    openWithoutRole: async (row: Row): Promise<Device> => {
      const { user, device } = await signIn(findAllowedUser(row));
      await records.removeRoles(user.id);
      return device;
    },
  };
};
