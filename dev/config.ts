import { dirname, resolve } from 'node:path';
import { type ProcessUrls, readProcessUrls, URL_VARIABLES } from '@platform/shared/db/database-logins';
import { StackError } from './stack-error.ts';

/** What `npm start` was asked for. Port 0 means "any free port". */
export type StackConfig = {
  /** The checkout: the services' entry points are found below it. */
  root: string;
  dataDir: string;
  /** The address the services listen on, and the one they are reached at, as it stands in a URL. */
  listenHost: string;
  host: string;
  ports: { gateway: number; auth: number; admin: number; inbox: number };
  /** Engines that run elsewhere; the embedded one is not started then. A process without a URL connects as the owner. */
  external: { databaseUrl?: string; processUrls: ProcessUrls; redisUrl?: string; smtpUrl?: string };
  seed: { enabled: boolean; password: string; bcryptCost: number };
  /** How long a service may take to stop before it is killed. */
  stopSeconds: number;
  /** Handed on to every service, which reads its own variables from it. */
  env: NodeJS.ProcessEnv;
};

/** The variable each fixed port is set by, for messages. */
export const portVariables = {
  gateway: 'GATEWAY_PORT',
  auth: 'AUTH_API_PORT',
  admin: 'ADMIN_API_PORT',
  inbox: 'INBOX_PORT',
} as const;

/** A listener on every address is reached at the loopback one. */
const hostInUrls = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

/**
 * Reads the environment of `npm start`.
 * @throws StackError naming every variable that cannot be used
 */
export const readStackConfig = (env: NodeJS.ProcessEnv): StackConfig => {
  const problems: string[] = [];
  const whole = (name: string, fallback: number, min: number, max: number) => {
    const text = env[name]?.trim() || String(fallback);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    problems.push(`${name} is "${text}": a whole number from ${min} to ${max} is needed`);
    return fallback;
  };
  const address = (name: string, protocols: string[]) => {
    const text = env[name]?.trim();
    if (!text) return undefined;
    if (protocols.includes(URL.parse(text)?.protocol ?? '')) return text;
    problems.push(`${name} is not a ${protocols.join('// or ')}// address`);
    return undefined;
  };
  const root = dirname(import.meta.dirname);
  const listenHost = env.HOST?.trim() || '127.0.0.1';
  const processUrls = readProcessUrls(env);
  if (Object.keys(processUrls).length > 0 && !env.DATABASE_URL?.trim())
    problems.push(`${Object.values(URL_VARIABLES).join(', ')} need DATABASE_URL, the database's owner`);
  const external = {
    databaseUrl: address('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: address('REDIS_URL', ['redis:', 'rediss:']),
    smtpUrl: address('SMTP_URL', ['smtp:', 'smtps:']),
  };
  const config: StackConfig = {
    root,
    dataDir: resolve(root, env.DATA_DIR?.trim() || '.data'),
    listenHost,
    host: hostInUrls(listenHost),
    ports: {
      gateway: whole(portVariables.gateway, 3000, 0, 65_535),
      auth: whole(portVariables.auth, 3001, 0, 65_535),
      admin: whole(portVariables.admin, 3002, 0, 65_535),
      inbox: whole(portVariables.inbox, 8025, 0, 65_535),
    },
    external: { ...withoutUndefined(external), processUrls },
    seed: {
      enabled: env.SEED_DEMO?.trim().toLowerCase() !== 'off',
      password: env.SEED_PASSWORD || 'Password123!',
      bcryptCost: whole('BCRYPT_COST', 12, 4, 16),
    },
    stopSeconds: whole('SHUTDOWN_SECONDS', 10, 0, 600) + whole('DRAIN_SECONDS', 0, 0, 600) + 2,
    env,
  };
  if (problems.length > 0) throw new StackError(problems.join('\n'));
  return config;
};

type Defined<T> = { [K in keyof T]?: NonNullable<T[K]> };

const withoutUndefined = <T extends Record<string, unknown>>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
