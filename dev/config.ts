import { dirname, resolve } from 'node:path';
import { type ProcessUrls, readProcessUrls, URL_VARIABLES } from '@platform/migrate/logins';
import { parseDatabaseUrl } from '@platform/shared/db/database-url';
import { parseRedisUrl } from '@platform/shared/redis/redis-url';
import { StackError } from './stack-error.ts';

/** The settings of `npm start`. Port 0 means any free port. */
export type StackConfig = {
  /** The checkout, which contains the entry points of the services. */
  root: string;
  dataDir: string;
  /** The address that the services listen on, and the host of their URLs. */
  listenHost: string;
  host: string;
  ports: { gateway: number; auth: number; admin: number; inbox: number };
  /** External servers, which replace the embedded ones. A process without a database URL connects as the owner. */
  external: { databaseUrl?: string; processUrls: ProcessUrls; redisUrl?: string; smtpUrl?: string };
  /** The memory of the embedded PostgreSQL for pages of tables and indexes, in its own notation. */
  sharedBuffers: string;
  seed: { enabled: boolean; password: string; bcryptCost: number };
  /** The time for a service to stop before it is killed. */
  stopSeconds: number;
  /** Passed to the services. */
  env: NodeJS.ProcessEnv;
};

/** The variable of each configurable port, for messages. */
export const portVariables = {
  gateway: 'GATEWAY_PORT',
  auth: 'AUTH_API_PORT',
  admin: 'ADMIN_API_PORT',
  inbox: 'INBOX_PORT',
} as const;

const root = dirname(import.meta.dirname);

/** A server that listens on all addresses is reached at the loopback address. */
const toUrlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

/** The data directory of the stack: DATA_DIR, else `.data`. */
export const readDataDir = (env: NodeJS.ProcessEnv): string => resolve(root, env.DATA_DIR?.trim() || '.data');

/**
 * Reads the environment of `npm start`.
 * @throws StackError naming every invalid variable
 */
export const readStackConfig = (env: NodeJS.ProcessEnv): StackConfig => {
  const problems: string[] = [];
  const readInteger = (name: string, fallback: number, min: number, max: number) => {
    const text = env[name]?.trim() || String(fallback);
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    problems.push(`${name} is "${text}": use a whole number from ${min} to ${max}`);
    return fallback;
  };
  const readUrl = (name: string, protocols: string[]) => {
    const text = env[name]?.trim();
    if (!text) return undefined;
    if (protocols.includes(URL.parse(text)?.protocol ?? '')) return text;
    problems.push(`${name} is not a ${protocols.join('// or ')}// URL`);
    return undefined;
  };
  const readParsedUrl = (name: string, parse: (text: string) => unknown) => {
    const text = env[name]?.trim();
    if (!text) return undefined;
    try {
      parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
    return text;
  };
  const readMemory = (name: string, fallback: string) => {
    const text = env[name]?.trim() || fallback;
    if (!/^[1-9]\d*(MB|GB)$/.test(text))
      problems.push(`${name} is "${text}": use a size such as ${fallback} or 1GB`);
    return text;
  };
  const readSwitch = (name: string) => {
    const text = env[name]?.trim().toLowerCase() || 'on';
    if (text !== 'on' && text !== 'off') problems.push(`${name} is "${text}": use on or off`);
    return text === 'on';
  };
  const listenHost = env.HOST?.trim() || '127.0.0.1';
  const processUrls = readProcessUrls(env);
  if (Object.keys(processUrls).length > 0 && !env.DATABASE_URL?.trim())
    problems.push(
      `${Object.values(URL_VARIABLES).join(', ')} need DATABASE_URL, the URL of the database owner`,
    );
  const external = {
    databaseUrl: readParsedUrl('DATABASE_URL', parseDatabaseUrl),
    redisUrl: readParsedUrl('REDIS_URL', parseRedisUrl),
    smtpUrl: readUrl('SMTP_URL', ['smtp:', 'smtps:']),
  };
  const config: StackConfig = {
    root,
    dataDir: readDataDir(env),
    listenHost,
    host: toUrlHost(listenHost),
    ports: {
      gateway: readInteger(portVariables.gateway, 3000, 0, 65_535),
      auth: readInteger(portVariables.auth, 3001, 0, 65_535),
      admin: readInteger(portVariables.admin, 3002, 0, 65_535),
      inbox: readInteger(portVariables.inbox, 8025, 0, 65_535),
    },
    external: { ...withoutUndefined(external), processUrls },
    sharedBuffers: readMemory('POSTGRES_SHARED_BUFFERS', '128MB'),
    seed: {
      enabled: readSwitch('SEED_DEMO'),
      password: env.SEED_PASSWORD || 'Password123!',
      bcryptCost: readInteger('BCRYPT_COST', 12, 4, 16),
    },
    stopSeconds: readInteger('SHUTDOWN_SECONDS', 10, 0, 600) + readInteger('DRAIN_SECONDS', 0, 0, 600) + 2,
    env,
  };
  if (problems.length > 0) throw new StackError(problems.join('\n'));
  return config;
};

type Defined<T> = { [K in keyof T]?: NonNullable<T[K]> };

const withoutUndefined = <T extends Record<string, unknown>>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
