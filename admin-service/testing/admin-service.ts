import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { handledOperations as AdminOperations } from '@platform/openapi/types/admin';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { createApiServer } from '@platform/shared/server/api-server';
import { createReadiness } from '@platform/shared/server/ops-listener';
import type { PlatformRole } from '@platform/shared/testing/auth-client';
import {
  type ContractClient,
  createContractClient,
  readContract,
} from '@platform/shared/testing/contract-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { waitForChecks } from '@platform/shared/testing/poll';
import { createRecords, type UserRecord } from '@platform/shared/testing/records';
import { createValidatingSender, send } from '@platform/shared/testing/responses';
import '@platform/shared/testing/shared-validators';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { useRunning } from '@platform/shared/testing/use-running';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

/** The tests sign access tokens with this secret, as auth-service does. */
export const ACCESS_SECRET = 'admin-access-secret-of-the-tests-00000005';

/** Tests decrypt the codes of invitations with this secret. */
export const CODE_SECRET = 'code-secret-of-the-tests-000000000000006';

/** The required settings. */
const getEnvironment = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: databaseUrl,
  JWT_ADMIN_ACCESS_SECRET_KEY: ACCESS_SECRET,
  CODE_SECRET_KEY: CODE_SECRET,
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  CONTACT_INBOX: 'contact@example.com',
});

type Headers = Record<string, string | undefined>;

/** A client of the back office. It has a method for each operation of the contract. */
type AdminClient = ContractClient<AdminOperations> & {
  /** Sends what no operation describes. The path is relative to /api/v1. */
  send: (method: string, path: string, body?: object | string, headers?: Headers) => Promise<HttpResponse>;
};

/** A signed-in user of the back office, as a client. */
export type SignedInUser = UserRecord & { token: string } & AdminClient;

const contract = await readContract('admin');

const createClient = (url: string, accessToken?: string): AdminClient => {
  const authorization = accessToken === undefined ? {} : { Authorization: `Bearer ${accessToken}` };
  return {
    ...createContractClient<AdminOperations>(contract, createValidatingSender(url), { accessToken }),
    send: (method, path, body, headers) =>
      send(url, method, `/api/v1${path}`, { headers: { ...authorization, ...headers }, body }),
  };
};

type OwnDatabase = { url: string; drop: () => Promise<void> };

/** Composes the service as in production, by default on a new database. */
export const startAdminService = async (environment: Record<string, string> = {}, given?: OwnDatabase) => {
  const database: OwnDatabase = given ?? (await createTestDatabase());
  const config = readConfig({ ...getEnvironment(await withLoginOf('admin', database.url)), ...environment });
  const log = createLog({ service: 'admin-service', level: config.logLevel });
  const metrics = createMetrics('admin-service');
  const { app, checks, optionalChecks, close } = await compose(config, { log, metrics });
  if (!app) throw new Error('admin-service has no API');
  const server = createApiServer(app(createReadiness(checks)), { log, metrics });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const records = createRecords(database.url);
  const as = async (
    role: PlatformRole,
    methods: readonly SignInMethod[] = ['password'],
  ): Promise<SignedInUser> => {
    const user = await records.user([role]);
    const fields = { secret: ACCESS_SECRET, platformRole: role, methods };
    const token = await records.registeredToken(user.id, fields);
    return { ...user, token, ...createClient(url, token) };
  };
  return {
    url,
    databaseUrl: database.url,
    /** The page that Prometheus scrapes. */
    metrics: metrics.render,
    connected: () => waitForChecks({ ...checks, ...optionalChecks }),
    /** Reads and writes the database of the service as its owner. */
    records,
    /** Creates and signs in a user with the role. */
    as,
    /** An ADMIN of the suite. */
    administrator: await as('ADMIN'),
    /** A client with this access token, or without one. */
    withToken: (token?: string) => createClient(url, token),
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await close();
      await records.close();
      await database.drop();
    },
  };
};

export type RunningAdminService = Awaited<ReturnType<typeof startAdminService>>;

/**
 * Starts the service for a suite: `service().administrator` and `await service().as('OPERATOR')` are clients,
 * and `records` inserts rows.
 */
export const useAdminService = (environment?: Record<string, string>) =>
  useRunning(() => startAdminService(environment));

/** `/users` with `{ search: 'a b' }` becomes `/users?search=a+b`, as browsers encode forms. */
export const withQuery = (path: string, query: Record<string, string | number | boolean>): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return `${path}?${parameters}`;
};

export const getIds = ({ body }: HttpResponse): string[] => body.data.map(({ id }: { id: string }) => id);

export const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
