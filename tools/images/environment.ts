import { randomBytes } from 'node:crypto';
import { type Engines, findFreePorts } from './engines.ts';

/** The processes in start order: the gateway needs its upstreams. */
export const PROCESSES = ['auth-service', 'admin-service', 'mailer-worker', 'gateway'] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** Like `docker compose up --scale auth-service=2`: one host name with an instance at each address. */
export const SCALED = { name: 'auth-service', addresses: ['127.0.0.1', '127.0.0.2'] } as const;

const SECRETS = [
  ...['JWT_CUSTOMER_ACCESS_SECRET_KEY', 'JWT_CUSTOMER_REFRESH_SECRET_KEY'],
  ...['JWT_EMPLOYEE_ACCESS_SECRET_KEY', 'JWT_EMPLOYEE_REFRESH_SECRET_KEY'],
  ...['JWT_ADMIN_ACCESS_SECRET_KEY', 'JWT_ADMIN_REFRESH_SECRET_KEY', 'CODE_SECRET_KEY'],
  'SECOND_FACTOR_KEY',
];

const PORTS = [
  ...(['GATEWAY_PORT', 'GATEWAY_OPS_PORT', 'AUTH_API_PORT', 'AUTH_OPS_PORT'] as const),
  ...(['ADMIN_API_PORT', 'ADMIN_OPS_PORT', 'WORKER_OPS_PORT'] as const),
];

/** The environment of the containers: addresses of the other processes and variables without a default. */
export const describePlatform = async ({ databaseUrl, processUrls, redisUrl }: Engines, smtpUrl: string) => {
  const ports = await findFreePorts(PORTS);
  const environment: Record<string, string> = {
    REDIS_URL: redisUrl,
    SMTP_URL: smtpUrl,
    SMTP_REQUIRE_TLS: 'false',
    AUTH_SERVICE_URLS: `http://${SCALED.name}:${ports.AUTH_API_PORT}`,
    ADMIN_SERVICE_URLS: `http://127.0.0.1:${ports.ADMIN_API_PORT}`,
    CORS_ORIGINS: 'https://app.example.com',
    ADMIN_ALLOWED_DOMAINS: 'example.com',
    CONTACT_INBOX: 'contact@example.com',
    MAIL_FROM: 'Platform <no-reply@example.com>',
    ...Object.fromEntries(PORTS.map((name) => [name, String(ports[name])])),
    ...Object.fromEntries(SECRETS.map((name) => [name, randomBytes(36).toString('base64url')])),
  };
  const opsPorts: Record<ProcessName, number> = {
    gateway: ports.GATEWAY_OPS_PORT,
    'auth-service': ports.AUTH_OPS_PORT,
    'admin-service': ports.ADMIN_OPS_PORT,
    'mailer-worker': ports.WORKER_OPS_PORT,
  };
  /** The database URL of each image, and the URLs of all logins for the migrations. */
  const databaseVariables: Record<ProcessName | 'migrate', Record<string, string>> = {
    gateway: {},
    'auth-service': { DATABASE_URL: processUrls.auth },
    'admin-service': { DATABASE_URL: processUrls.admin },
    'mailer-worker': { DATABASE_URL: processUrls.worker },
    migrate: {
      DATABASE_URL: databaseUrl,
      AUTH_DATABASE_URL: processUrls.auth,
      ADMIN_DATABASE_URL: processUrls.admin,
      WORKER_DATABASE_URL: processUrls.worker,
    },
  };
  return { environment, databaseVariables, opsPorts, gatewayUrl: `http://127.0.0.1:${ports.GATEWAY_PORT}` };
};

export type Platform = Awaited<ReturnType<typeof describePlatform>>;
