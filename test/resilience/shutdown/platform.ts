import { randomBytes } from 'node:crypto';
import { reservePorts } from '@platform/dev/ports';
import type { Scraping } from '@platform/shared/testing/scrape-metrics';
import type { Engines } from './engines.ts';
import { createServiceProcess, type ServiceName, type ServiceProcess } from './service-process.ts';

/** What the services are told beside where everything is. */
export const DRAIN_SECONDS = 1;
export const SHUTDOWN_SECONDS = 8;

const SECRETS = [
  ...['JWT_CUSTOMER_ACCESS_SECRET_KEY', 'JWT_CUSTOMER_REFRESH_SECRET_KEY'],
  ...['JWT_EMPLOYEE_ACCESS_SECRET_KEY', 'JWT_EMPLOYEE_REFRESH_SECRET_KEY'],
  ...['JWT_ADMIN_ACCESS_SECRET_KEY', 'JWT_ADMIN_REFRESH_SECRET_KEY', 'CODE_SECRET_KEY'],
];

const PORT_VARIABLES: Record<ServiceName, { api?: string; ops: string }> = {
  gateway: { api: 'GATEWAY_PORT', ops: 'GATEWAY_OPS_PORT' },
  'auth-service': { api: 'AUTH_API_PORT', ops: 'AUTH_OPS_PORT' },
  'admin-service': { api: 'ADMIN_API_PORT', ops: 'ADMIN_OPS_PORT' },
  'mailer-worker': { ops: 'WORKER_OPS_PORT' },
};

const databaseOf = (name: ServiceName, { processUrls }: Engines): Record<string, string> => {
  if (name === 'gateway') return {};
  const keys = { 'auth-service': 'auth', 'admin-service': 'admin', 'mailer-worker': 'worker' } as const;
  return { DATABASE_URL: processUrls[keys[name]] };
};

const commonEnvironment = ({ redisUrl }: Engines, smtpUrl: string): Record<string, string> => ({
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  DRAIN_SECONDS: String(DRAIN_SECONDS),
  SHUTDOWN_SECONDS: String(SHUTDOWN_SECONDS),
  RATE_LIMIT_SCALE: '10000',
  // Some 4 ms a hash: the machine may have few processors, and other things to do.
  BCRYPT_COST: '6',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  PASSWORD_BLOCKLIST: 'off',
  CONTACT_INBOX: 'contact@example.com',
  MAIL_FROM: 'Platform <no-reply@example.com>',
  SMTP_REQUIRE_TLS: 'false',
  REDIS_URL: redisUrl,
  SMTP_URL: smtpUrl,
  ...Object.fromEntries(SECRETS.map((name) => [name, randomBytes(36).toString('base64url')])),
});

/** Makes processes of the platform that share the engines and the secrets, and are scraped while they run; none is started yet. */
export const createPlatform = (engines: Engines, smtpUrl: string, scraping: Scraping) => {
  const common = commonEnvironment(engines, smtpUrl);
  const made: ServiceProcess[] = [];

  const make = async (name: ServiceName, own: Record<string, string> = {}): Promise<ServiceProcess> => {
    const any = { port: 0, host: '127.0.0.1' };
    const { api, ops } = await reservePorts({ api: any, ops: any });
    await Promise.all([api.release(), ops.release()]);
    const variables = PORT_VARIABLES[name];
    const ports = {
      ...(variables.api && { [variables.api]: String(api.port) }),
      [variables.ops]: String(ops.port),
    };
    const service = createServiceProcess({
      name,
      ports: { api: api.port, ops: ops.port },
      environment: { ...common, ...databaseOf(name, engines), ...ports, ...own },
      scraping,
    });
    made.push(service);
    return service;
  };

  return {
    make,
    makeGateway: (
      auth: readonly ServiceProcess[],
      admin: readonly ServiceProcess[],
      own: Record<string, string> = {},
    ) =>
      make('gateway', {
        ...own,
        AUTH_SERVICE_URLS: auth.map(({ url }) => url).join(','),
        ADMIN_SERVICE_URLS: admin.map(({ url }) => url).join(','),
      }),
    /** Ends what still runs, without ceremony. */
    killAll: () => {
      for (const service of made) service.kill();
    },
  };
};

export type Platform = ReturnType<typeof createPlatform>;
