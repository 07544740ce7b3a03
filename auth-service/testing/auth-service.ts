import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createApiServer } from '@platform/shared/server/api-server';
import { createReadiness } from '@platform/shared/server/ops-listener';
import {
  type AccountKind,
  type AuthClient,
  createAuthClient,
  type Kind,
} from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitForChecks } from '@platform/shared/testing/poll';
import { createRecords, type Records, type Role } from '@platform/shared/testing/records';
import '@platform/shared/testing/shared-validators';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { useRunning } from '@platform/shared/testing/use-running';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { openMails } from './mails.ts';

/** Tests forge tokens with these secrets. */
export const SECRETS = {
  customerAccess: 'customer-access-secret-of-the-tests-0001',
  customerRefresh: 'customer-refresh-secret-of-the-tests-002',
  employeeAccess: 'employee-access-secret-of-the-tests-0003',
  employeeRefresh: 'employee-refresh-secret-of-the-tests-004',
  administratorAccess: 'admin-access-secret-of-the-tests-00000005',
  administratorRefresh: 'admin-refresh-secret-of-the-tests-0000006',
};

/** Tests decrypt queued codes with this secret. */
export const CODE_SECRET = 'code-secret-of-the-tests-0000000000000007';

type Environment = Record<string, string>;
type Access = Pick<Device, 'accessToken'>;

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
  CODE_SECRET_KEY: CODE_SECRET,
  SECOND_FACTOR_KEY: 'second-factor-key-of-the-tests-00000000008',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  BCRYPT_COST: '4',
  PASSWORD_BLOCKLIST: 'off',
});

/**
 * Composes the service as in production.
 * @param databaseUrl the database as its owner; the service uses a separate login
 * @param environment must contain REDIS_URL
 */
export const composeAuthService = async (databaseUrl: string, environment: Environment) => {
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
  return {
    url,
    databaseUrl,
    /** Reads and writes the database of the service as its owner. */
    records,
    readiness: readiness.read,
    connected: () => waitForChecks({ ...checks, ...optionalChecks }),
    /** The failing readiness checks, required or not. */
    failing: async (): Promise<string[]> => {
      const { failing, degraded } = await readiness.read();
      return [...failing, ...degraded];
    },
    /** The client of a kind of accounts. */
    as: (kind: Kind) => createAuthClient(url, kind, undefined, records),
    /** The value of a metric with these labels in addition to the default ones. */
    metric: async (name: string, labels: Record<string, string> = {}): Promise<number> => {
      const sample = parseMetrics(await metrics.render()).find(
        (each) =>
          each.name === name &&
          Object.entries(labels).every(([label, value]) => each.labels[label] === value),
      );
      return Number(sample?.value);
    },
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await close();
      await records.close();
    },
  };
};

export type ComposedAuthService = Awaited<ReturnType<typeof composeAuthService>>;

/**
 * Starts the service on a new database and Redis, without a mail worker. With another REDIS_URL, which may be
 * unreachable, it does not wait for the connection.
 */
export const startAuthService = async (environment: Environment = {}) => {
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const variables: Environment = { REDIS_URL: redis.url, ...environment };
  const service = await composeAuthService(database.url, variables);
  if (environment['REDIS_URL'] === undefined) await service.connected();
  const mails = openMails(redis, service.records, CODE_SECRET);
  return {
    ...service,
    /** The client of a kind of accounts, which also reads the codes of its mails. */
    as: (kind: Kind) => {
      const client = service.as(kind);
      return { ...client, ...createCodeFlows(client, mails) };
    },
    redis,
    /** The variables beyond the minimal ones, for starting a second instance. */
    environment: variables,
    /** The mails in the queues and in the outbox. */
    mails,
    stop: async (): Promise<void> => {
      await service.stop();
      await mails.close();
      await redis.drop();
      await database.drop();
    },
  };
};

/** Requests that send a code; each returns it. */
export const createCodeFlows = (
  client: AuthClient,
  { codeOf }: Pick<ReturnType<typeof openMails>, 'codeOf'>,
) => ({
  requestResetCode: (email: string): Promise<string> =>
    codeOf(email, client.resetPasswordEmailCodeSend({ body: { email } })),
  requestSignInCode: (email: string): Promise<string> =>
    codeOf(email, client.signInEmailCodeSend({ body: { email } })),
  requestVerificationCode: (device: Access, email: string): Promise<string> =>
    codeOf(email, client.verificationEmailCode(device)),
  requestEmailChangeCode: (device: Access, newEmail: string, currentPassword = PASSWORD): Promise<string> =>
    codeOf(newEmail.toLowerCase(), client.emailChange({ ...device, body: { newEmail, currentPassword } })),
});

export type RunningAuthService = Awaited<ReturnType<typeof startAuthService>>;

/**
 * Starts the service for a suite: `service().as('customer')` is a client, `records` inserts rows, and `mails`
 * reads what was sent. @param environment a function if it is known only when the suite starts
 */
export const useAuthService = (environment: Environment | (() => Environment) = {}) =>
  useRunning(() => startAuthService(typeof environment === 'function' ? environment() : environment));

/** No operation creates a user of two kinds, because a sign-up rejects the e-mail of the other kind. */
export const addKind = async (records: Records, userId: string, kind: string): Promise<void> => {
  await records.query(`insert into ${kind}_profiles (user_id) values ($1)`, [userId]);
  await records.giveRole(userId, kind.toUpperCase() as Role);
};

/** Defines a suite for each kind, with its client. */
export const describeEachKind = (
  kinds: readonly AccountKind[],
  service: () => Pick<ComposedAuthService, 'as'>,
  define: (client: () => AuthClient, kind: AccountKind) => void,
): void => {
  for (const kind of kinds) describe(`of ${kind.plural}`, () => define(() => service().as(kind), kind));
};
