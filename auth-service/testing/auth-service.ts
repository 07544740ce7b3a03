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
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { createRecords, type Records, type Role } from '@platform/shared/testing/records';
import '@platform/shared/testing/shared-validators';
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
  /** Reads and writes the database of the service as its owner. */
  records: Records;
  readiness: Readiness['read'];
  /** The failing readiness checks, required or not. */
  failing: () => Promise<string[]>;
  client: (kind: AccountKind) => AuthClient;
  /** The value of a metric with these labels in addition to the default ones. */
  metric: (name: string, labels?: Record<string, string>) => Promise<number>;
  stop: () => Promise<void>;
};

/**
 * Composes the service as in production.
 * @param databaseUrl the database as its owner; the service uses a separate login
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
  const server = createApiServer(app(readiness), { log, metrics });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const records = createRecords(databaseUrl);
  const insertAdministrator = async (): Promise<TestAccount> => {
    const { id, email, password } = await records.user(['ADMIN']);
    return { email, password, userId: id, profileId: '' };
  };
  return {
    url,
    databaseUrl,
    records,
    readiness: readiness.read,
    failing: async () => {
      const { failing, degraded } = await readiness.read();
      return [...failing, ...degraded];
    },
    client: (kind) =>
      createAuthClient(url, kind, undefined, kind === ADMINISTRATOR ? insertAdministrator : undefined),
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
      await records.close();
    },
  };
};

/** Starts the service on a new database, and on a new Redis unless `environment` has REDIS_URL. */
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
export const useRunning = <Service extends { stop: () => Promise<void> }>(
  start: () => Promise<Service>,
): (() => Service) => {
  let running: Service | undefined;
  before('start the service', async () => {
    running = await start();
  });
  after('stop the service', () => running?.stop());
  return () => {
    if (!running) throw new Error('The service is running only during the tests of its suite');
    return running;
  };
};

export const useAuthService = (environment: Record<string, string> = {}) =>
  useRunning(() => startAuthService(environment));

export const ALL_KINDS: readonly AccountKind[] = [...ACCOUNT_KINDS, ADMINISTRATOR];

/** No operation creates a user of two kinds, because a sign-up rejects the e-mail of the other kind. */
export const addKind = async (records: Records, userId: string, kind: string): Promise<void> => {
  await records.query(`insert into ${kind}_profiles (user_id) values ($1)`, [userId]);
  await records.giveRole(userId, kind.toUpperCase() as Role);
};

type AccountService = Pick<RunningAuthService, 'client' | 'records'>;

/** Creates an account that may have second factors. */
export const createVerifiedAccount = async (
  service: AccountService,
  kind: AccountKind,
): Promise<TestAccount> => {
  const account = await service.client(kind).createAccount();
  await service.records.verifyEmail(account.userId);
  return account;
};

/** Defines a suite for each kind, with its client. */
export const describeEachKind = (
  kinds: readonly AccountKind[],
  service: () => Pick<RunningAuthService, 'client'>,
  define: (client: () => AuthClient, kind: AccountKind) => void,
): void => {
  for (const kind of kinds) describe(`of ${kind.plural}`, () => define(() => service().client(kind), kind));
};
