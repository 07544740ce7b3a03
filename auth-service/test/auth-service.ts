import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApiServer } from '@platform/shared/http/api-server';
import { createReadiness } from '@platform/shared/http/ops-listener';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { type AccountKind, type AuthClient, createAuthClient } from '@platform/shared/testing/auth-client';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

/** Known to the tests, which forge tokens with them. */
export const SECRETS = {
  customerAccess: 'customer-access-secret-of-the-tests-0001',
  customerRefresh: 'customer-refresh-secret-of-the-tests-002',
  employeeAccess: 'employee-access-secret-of-the-tests-0003',
  employeeRefresh: 'employee-refresh-secret-of-the-tests-004',
  administratorAccess: 'admin-access-secret-of-the-tests-00000005',
  administratorRefresh: 'admin-refresh-secret-of-the-tests-0000006',
};

/** The least that auth-service must be told, but for its Redis. */
export const environmentOf = (databaseUrl: string): Record<string, string> => ({
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
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  BCRYPT_COST: '4',
  PASSWORD_BLOCKLIST: 'off',
});

export type RunningAuthService = {
  url: string;
  databaseUrl: string;
  /** What readiness finds failing. */
  failing: () => Promise<string[]>;
  client: (kind: AccountKind) => AuthClient;
  /** The value of a metric without labels of its own. */
  metric: (name: string) => Promise<number>;
  stop: () => Promise<void>;
};

/** The whole service, composed as in production, with its own login at `databaseUrl`, the owner's, and on a given REDIS_URL. */
export const composeAuthService = async (
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<RunningAuthService> => {
  const config = readConfig({ ...environmentOf(await withLoginOf('auth', databaseUrl)), ...environment });
  const log = createLog({ service: 'auth-service', level: config.logLevel });
  const metrics = createMetrics('auth-service');
  const { app, checks, close } = await compose(config, { log, metrics });
  if (!app) throw new Error('auth-service has an API');
  const readiness = createReadiness(checks);
  const server = createApiServer(app(readiness), log);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    databaseUrl,
    failing: async () => (await readiness.read()).failing,
    client: (kind) => createAuthClient(url, kind),
    metric: async (name) => {
      const [, value] = new RegExp(`^${name}{[^}]*} (\\S+)$`, 'm').exec(await metrics.render()) ?? [];
      return Number(value);
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await close();
    },
  };
};

/** The whole service on a database of its own, and on a Redis of its own where `environment` names none. */
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

/** Registers the hooks of a suite that has a service of its own; the function returned gives it to the tests. */
export const useAuthService = (environment: Record<string, string> = {}): (() => RunningAuthService) => {
  let running: RunningAuthService | undefined;
  before('start auth-service', async () => {
    running = await startAuthService(environment);
  });
  after('stop auth-service', () => running?.stop());
  return () => {
    if (!running) throw new Error('The service runs only while the tests of its suite do');
    return running;
  };
};
