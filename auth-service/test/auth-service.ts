import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApiServer } from '@platform/shared/http/api-server';
import { createReadiness, type Readiness } from '@platform/shared/http/ops-listener';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import {
  ACCOUNT_KINDS,
  type AccountKind,
  ADMINISTRATOR,
  type AuthClient,
  createAuthClient,
  type Device,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

/** Tests forge tokens with these secrets. */
export const SECRETS = {
  customerAccess: 'customer-access-secret-of-the-tests-0001',
  customerRefresh: 'customer-refresh-secret-of-the-tests-002',
  employeeAccess: 'employee-access-secret-of-the-tests-0003',
  employeeRefresh: 'employee-refresh-secret-of-the-tests-004',
  administratorAccess: 'admin-access-secret-of-the-tests-00000005',
  administratorRefresh: 'admin-refresh-secret-of-the-tests-0000006',
};

/** The minimal environment of auth-service, except REDIS_URL. */
export const getEnvironment = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: databaseUrl,
  JWT_CUSTOMER_ACCESS_SECRET_KEY: SECRETS.customerAccess,
  JWT_CUSTOMER_REFRESH_SECRET_KEY: SECRETS.customerRefresh,
  JWT_EMPLOYEE_ACCESS_SECRET_KEY: SECRETS.employeeAccess,
  JWT_EMPLOYEE_REFRESH_SECRET_KEY: SECRETS.employeeRefresh,
  JWT_ADMIN_ACCESS_SECRET_KEY: SECRETS.administratorAccess,
  JWT_ADMIN_REFRESH_SECRET_KEY: SECRETS.administratorRefresh,
  CODE_SECRET_KEY: 'code-secret-of-the-tests-0000000000000007',
  SECOND_FACTOR_KEY: 'second-factor-key-of-the-tests-00000000008',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  BCRYPT_COST: '4',
  PASSWORD_BLOCKLIST: 'off',
});

export type RunningAuthService = {
  url: string;
  databaseUrl: string;
  readiness: Readiness['read'];
  /** The failing readiness checks, required or not. */
  failing: () => Promise<string[]>;
  client: (kind: AccountKind) => AuthClient;
  /** The value of a metric with these labels besides the default ones. */
  metric: (name: string, labels?: Record<string, string>) => Promise<number>;
  stop: () => Promise<void>;
};

/**
 * The service composed as in production.
 * @param databaseUrl of the owner; the service uses its own login
 * @param environment must contain REDIS_URL
 */
export const composeAuthService = async (
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<RunningAuthService> => {
  const config = readConfig({ ...getEnvironment(await withLoginOf('auth', databaseUrl)), ...environment });
  const log = createLog({ service: 'auth-service', level: config.logLevel });
  const metrics = createMetrics('auth-service');
  const { app, checks, optionalChecks, close } = await compose(config, { log, metrics });
  if (!app) throw new Error('auth-service has an API');
  const readiness = createReadiness(checks, optionalChecks);
  const server = createApiServer(app(readiness), log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    databaseUrl,
    readiness: readiness.read,
    failing: async () => {
      const { failing, degraded } = await readiness.read();
      return [...failing, ...degraded];
    },
    client: (kind) => createAuthClient(url, kind),
    metric: async (name, labels = {}) => {
      const sample = parseMetrics(await metrics.render()).find(
        (each) =>
          each.name === name &&
          Object.entries(labels).every(([label, value]) => each.labels[label] === value),
      );
      return Number(sample?.value);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await close();
    },
  };
};

/** The service on a new database, and on a new Redis unless `environment` has REDIS_URL. */
export const startAuthService = async (
  environment: Record<string, string> = {},
): Promise<RunningAuthService> => {
  const database = await createTestDatabase();
  const redis = environment['REDIS_URL'] === undefined ? await createTestRedis() : undefined;
  const service = await composeAuthService(database.url, {
    ...(redis && { REDIS_URL: redis.url }),
    ...environment,
  });
  return {
    ...service,
    stop: async () => {
      await service.stop();
      await redis?.drop();
      await database.drop();
    },
  };
};

/** Starts a service for the suite and stops it afterwards; returns a getter. */
export const useAuthService = (environment: Record<string, string> = {}): (() => RunningAuthService) => {
  let running: RunningAuthService | undefined;
  before('start auth-service', async () => {
    running = await startAuthService(environment);
  });
  after('stop auth-service', () => running?.stop());
  return () => {
    if (!running) throw new Error('The service is running only during the tests of its suite');
    return running;
  };
};

export const ALL_KINDS: readonly AccountKind[] = [...ACCOUNT_KINDS, ADMINISTRATOR];

/** The address is verified, as if its owner had entered the code. */
export const verifyEmailOf = async (
  databaseUrl: string,
  { userId }: Pick<TestAccount, 'userId'>,
): Promise<void> => {
  await queryDatabase(databaseUrl, 'update users set is_email_verified = true where id = $1', [userId]);
};

/** No route gives a customer or employee a further role. */
export const addRole = async (databaseUrl: string, userId: string, role: string): Promise<void> => {
  await queryDatabase(
    databaseUrl,
    'insert into user_roles (user_id, role, user_created_at) select id, $2, created_at from users where id = $1',
    [userId, role],
  );
};

/** No route creates a user of two kinds, because a sign-up rejects the e-mail of the other kind. */
export const addKind = async (databaseUrl: string, userId: string, kind: string): Promise<void> => {
  await queryDatabase(databaseUrl, `insert into ${kind}_profiles (user_id) values ($1)`, [userId]);
  await addRole(databaseUrl, userId, kind.toUpperCase());
};

/** An account that may have second factors. */
export const createVerifiedAccount = async (
  service: Pick<RunningAuthService, 'client' | 'databaseUrl'>,
  kind: AccountKind,
): Promise<TestAccount> => {
  const account = await createAccountOfKind(service, kind);
  await verifyEmailOf(service.databaseUrl, account);
  return account;
};

/** Administrators cannot sign up, so they are inserted into the database. */
export const createAccountOfKind = async (
  { client, databaseUrl }: Pick<RunningAuthService, 'client' | 'databaseUrl'>,
  kind: AccountKind,
): Promise<TestAccount> => {
  if (kind !== ADMINISTRATOR) return await client(kind).createAccount();
  const records = createRecords(databaseUrl);
  try {
    const { id, email, password } = await records.user(['ADMIN']);
    return { email, password, userId: id, profileId: '' };
  } finally {
    await records.close();
  }
};

/** A new account, and a device on which it has signed in. */
export const openAccount = async (
  service: Pick<RunningAuthService, 'client' | 'databaseUrl'>,
  kind: AccountKind,
): Promise<{ account: TestAccount; device: Device }> => {
  const account = await createAccountOfKind(service, kind);
  return { account, device: await service.client(kind).openDevice(account) };
};

/** A suite for each kind, with its client. */
export const describeEachKind = (
  kinds: readonly AccountKind[],
  service: () => Pick<RunningAuthService, 'client'>,
  define: (client: () => AuthClient, kind: AccountKind) => void,
): void => {
  for (const kind of kinds) describe(`of ${kind.plural}`, () => define(() => service().client(kind), kind));
};
