import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AccountKind,
  ADMINISTRATOR,
  CUSTOMER,
  createAuthClient,
  type Device,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
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
const USER_NAMES = Object.keys(USERS) as UserName[];

/** The two secrets of each kind, which the stack generated. */
type Secrets = (kind: AccountKind) => { access: string; refresh: string };

const readSecrets = async (dataDir: string): Promise<Secrets> => {
  const secrets: Record<string, string> = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
  return ({ kind }) => {
    const prefix = `JWT_${kind === 'administrator' ? 'ADMIN' : kind.toUpperCase()}`;
    const named = (name: string) => {
      const value = secrets[`${prefix}_${name}_SECRET_KEY`];
      if (value === undefined) throw new Error(`The stack has no ${prefix}_${name}_SECRET_KEY`);
      return value;
    };
    return { access: named('ACCESS'), refresh: named('REFRESH') };
  };
};

/** The same registered token, but expired a second ago. */
const expired = (token: string, secret: string): string => {
  const claims = jsonwebtoken.verify(token, secret, { algorithms: ['HS256'] }) as JwtPayload;
  return jsonwebtoken.sign({ ...claims, exp: Math.floor(Date.now() / 1_000) - 1 }, secret);
};

/** The first user whom the route allows, so that only the block can be the reason of a 401. */
const findAllowedUser = ({ expected }: Row): UserName =>
  USER_NAMES.find((name) => expected[name] !== 401 && expected[name] !== 403) ?? 'customer';

/** Signs in the callers of the matrix, each on a new device, so that no cell depends on another. */
export const createCallers = async ({ stack, dataDir }: RunningStack, records: Records) => {
  const getSecrets = await readSecrets(dataDir);
  /** Second factors need a verified address, and verifications another one. */
  const signIn = async (name: UserName, { path }: Row) => {
    const { kind, role } = USERS[name];
    const user = await records.user([role], { isEmailVerified: !path.includes('/verification/') });
    const client = createAuthClient(stack.gatewayUrl, kind);
    return { user, kind, client, device: await client.openDevice(user) };
  };
  const createFakeDevice = (token: string): Device => ({
    accessToken: token,
    refreshToken: token,
    fingerprint: uniqueFingerprint(),
    sessionId: '00000000-0000-4000-8000-000000000000',
  });

  const invalidate = {
    blocked: async (row: Row): Promise<Device> => {
      const { user, device } = await signIn(findAllowedUser(row), row);
      await records.block(user.id);
      return device;
    },
    'signed-out': async (row: Row): Promise<Device> => {
      const { client, device } = await signIn(findAllowedUser(row), row);
      const { status } = await client.signOut(device);
      if (status !== 204) throw new Error(`The sign-out returned ${status}`);
      return device;
    },
    expired: async (row: Row): Promise<Device> => {
      const { kind, device } = await signIn(findAllowedUser(row), row);
      const { access, refresh } = getSecrets(kind);
      const { accessToken, refreshToken } = device;
      return {
        ...device,
        accessToken: expired(accessToken, access),
        refreshToken: expired(refreshToken, refresh),
      };
    },
  };

  /** Undefined for the caller without a token. */
  return async (caller: CallerName, row: Row): Promise<Device | undefined> => {
    switch (caller) {
      case 'none':
        return undefined;
      case 'garbage':
        return createFakeDevice('garbage');
      case 'blocked':
      case 'signed-out':
      case 'expired':
        return await invalidate[caller](row);
      default:
        return (await signIn(caller, row)).device;
    }
  };
};
