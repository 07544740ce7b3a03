import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Secret } from '@platform/shared/config/secrets';
import { runsAsRoot } from './engines/postgres-paths.ts';
import { errorCode, StackError, toErrorMessage } from './stack-error.ts';

/**
 * Replaces a file, which only its owner can read. After a crash, the file has either the old or the new
 * content.
 */
export const writeFileAtomically = (file: string, content: string): void => {
  const temporary = `${file}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
};

const secretNames = [
  'JWT_CUSTOMER_ACCESS_SECRET_KEY',
  'JWT_CUSTOMER_REFRESH_SECRET_KEY',
  'JWT_EMPLOYEE_ACCESS_SECRET_KEY',
  'JWT_EMPLOYEE_REFRESH_SECRET_KEY',
  'JWT_ADMIN_ACCESS_SECRET_KEY',
  'JWT_ADMIN_REFRESH_SECRET_KEY',
  'CODE_SECRET_KEY',
  'SECOND_FACTOR_KEY',
  'BOT_CHECK_KEY',
  'POSTGRES_PASSWORD',
  'AUTH_DATABASE_PASSWORD',
  'ADMIN_DATABASE_PASSWORD',
  'WORKER_DATABASE_PASSWORD',
] as const;

export type Secrets = Record<(typeof secretNames)[number], string>;

const readSecretsFile = (file: string): Record<string, unknown> => {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof stored === 'object' && stored !== null) return { ...stored };
    throw new Error('it is not a JSON object');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw new StackError(`${file} cannot be read: ${toErrorMessage(error)}`);
  }
};

/**
 * Loads or generates the secrets of the stack. They are stored in the data directory, so that sessions and
 * the database survive a restart.
 * @throws StackError if the file cannot be read
 */
export const loadSecrets = (dataDir: string): Secrets => {
  const file = join(dataDir, 'secrets.json');
  const stored = readSecretsFile(file);
  const kept = secretNames.map((name) => {
    const value = stored[name];
    return [name, typeof value === 'string' && value !== '' ? value : undefined] as const;
  });
  const secrets = kept.map(
    ([name, value]) => [name, value ?? randomBytes(36).toString('base64url')] as const,
  );
  if (kept.some(([, value]) => value === undefined)) {
    writeFileAtomically(file, `${JSON.stringify({ ...stored, ...Object.fromEntries(secrets) }, null, 2)}\n`);
  }
  return Object.fromEntries(secrets) as Secrets;
};

/**
 * The content of `stack.json`: URLs and process ids. External servers have no process id, and no inbox URL.
 */
export type StackDescription = {
  gatewayUrl: string;
  authUrl: string;
  adminUrl: string;
  inboxUrl: string | null;
  /** The provider `company`; null if OIDC_PROVIDERS is set, and in production. */
  oidcIssuer: string | null;
  /** The database URL with the owner's login, for migrations, commands and tests. */
  databaseUrl: string;
  databaseUrls: { auth: string; admin: string; worker: string };
  /** ADMIN_ALLOWED_DOMAINS of the stack, for `npm run role:assign`; null for an external database. */
  adminAllowedDomains: string | null;
  /** The keys of authenticator apps, for `npm run second-factors:reencrypt`. */
  secondFactorKey: Secret;
  redisUrl: string;
  smtpUrl: string;
  opsUrls: { gateway: string; auth: string; admin: string; worker: string };
  /** Only with a test bench. `gatewayUrl` is then its proxy. */
  testBench?: { url: string; secret: string };
  pids: { stack: number; testBench?: number | null } & Record<
    'gateway' | 'auth' | 'admin' | 'worker' | 'postgres' | 'redis' | 'inbox' | 'oidc',
    number | null
  >;
};

const getStackFile = (dataDir: string) => join(dataDir, 'stack.json');

/** The description of the running stack; undefined before it is ready. */
export const readStackFile = (dataDir: string): StackDescription | undefined => {
  try {
    return JSON.parse(readFileSync(getStackFile(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
};

export const writeStackFile = (dataDir: string, description: StackDescription): void =>
  writeFileAtomically(getStackFile(dataDir), `${JSON.stringify(description, null, 2)}\n`);

export const removeStackFile = (dataDir: string): void => rmSync(getStackFile(dataDir), { force: true });

/**
 * Creates the data directory and its log folder if needed.
 * @returns the real path
 * @throws StackError if it cannot be created or written
 */
export const openDataDir = (path: string): string => {
  try {
    const created = mkdirSync(path, { recursive: true });
    // As root, PostgreSQL runs with another account, which has to traverse the directory. Private files have
    // stricter modes.
    if (created) chmodSync(path, runsAsRoot() ? 0o711 : 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const dataDir = realpathSync(path);
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    return dataDir;
  } catch (error) {
    throw new StackError(
      `The data directory ${path} cannot be used: ${toErrorMessage(error)}. Set DATA_DIR to another one.`,
    );
  }
};
