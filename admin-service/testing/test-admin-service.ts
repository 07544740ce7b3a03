import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApiServer } from '@platform/shared/http/api-server';
import { createReadiness } from '@platform/shared/http/ops-listener';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createRecords, type Records, type UserRecord } from '@platform/shared/testing/records';
import { type RequestOptions, send } from '@platform/shared/testing/responses';
import '@platform/shared/testing/shared-validators';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';

/** The tests sign access tokens with this secret, as auth-service does. */
export const ACCESS_SECRET = 'admin-access-secret-of-the-tests-00000005';

/** The required settings. */
const getEnvironment = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: databaseUrl,
  JWT_ADMIN_ACCESS_SECRET_KEY: ACCESS_SECRET,
  CONTACT_INBOX: 'contact@example.com',
});

type Headers = Record<string, string | undefined>;
/** Sends objects as JSON and strings unchanged; paths are relative to /api/v1. */
type Send = (path: string, body?: object | string, headers?: Headers) => Promise<HttpResponse>;
type AdminApi = Record<'get' | 'post' | 'patch' | 'delete', Send>;

/** A signed-in user of the back office. */
export type SignedInUser = UserRecord & { token: string; api: AdminApi };

export type RunningAdminService = {
  url: string;
  databaseUrl: string;
  records: Records;
  /** A client with the access token; without one, an unauthenticated client. */
  api: (token?: string) => AdminApi;
  /** By default, `methods` is the password alone. */
  signIn: (role?: PlatformRole, methods?: readonly SignInMethod[]) => Promise<SignedInUser>;
  stop: () => Promise<void>;
};

const createApi = (url: string, token?: string): AdminApi => {
  const as =
    (method: 'GET' | 'POST' | 'PATCH' | 'DELETE'): Send =>
    (path, body, headers = {}) => {
      const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const call: RequestOptions = { headers: { ...authorization, ...headers }, body };
      return send(url, method, `/api/v1${path}`, call);
    };
  return { get: as('GET'), post: as('POST'), patch: as('PATCH'), delete: as('DELETE') };
};

/**
 * Composes the service as in production, on a new database. `settings` are Postgres settings of its
 * connections.
 */
export const startAdminService = async (
  environment: Record<string, string> = {},
): Promise<RunningAdminService> => {
  const database = await createTestDatabase();
  const config = readConfig({ ...getEnvironment(await withLoginOf('admin', database.url)), ...environment });
  const log = createLog({ service: 'admin-service', level: config.logLevel });
  const metrics = createMetrics('admin-service');
  const { app, checks, close } = await compose(config, { log, metrics });
  if (!app) throw new Error('admin-service has no API');
  const server = createApiServer(app(createReadiness(checks)), { log, metrics });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const records = createRecords(database.url);
  const api = (token?: string) => createApi(serviceUrl, token);
  return {
    url: serviceUrl,
    databaseUrl: database.url,
    records,
    api,
    signIn: async (role = 'ADMIN', methods = ['password']) => {
      const user = await records.user([role]);
      const token = await records.registeredToken(user.id, {
        secret: ACCESS_SECRET,
        platformRole: role,
        methods,
      });
      return { ...user, token, api: api(token) };
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await close();
      await records.close();
      await database.drop();
    },
  };
};

/** Starts a service for the suite; returns a function that the tests call to get it. */
export const useAdminService = (
  ...options: Parameters<typeof startAdminService>
): (() => RunningAdminService) => {
  let running: RunningAdminService | undefined;
  before('start admin-service', async () => {
    running = await startAdminService(...options);
  });
  after('stop admin-service', () => running?.stop());
  return () => {
    if (!running) throw new Error('The service is available only while the tests run');
    return running;
  };
};

/** Signs in an ADMIN for the suite; returns a function that the tests call to get the user. */
export const useAdministrator = (service: () => RunningAdminService): (() => SignedInUser) => {
  let administrator: SignedInUser | undefined;
  before('sign in an ADMIN', async () => {
    administrator = await service().signIn('ADMIN');
  });
  return () => {
    if (!administrator) throw new Error('The administrator is available only while the tests run');
    return administrator;
  };
};

/** `/users` with `{ search: 'a b' }` becomes `/users?search=a+b`, as browsers encode forms. */
export const withQuery = (path: string, query: Record<string, string | number | boolean>): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return `${path}?${parameters}`;
};

export const getIds = ({ body }: HttpResponse): string[] => body.data.map(({ id }: { id: string }) => id);

export const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
