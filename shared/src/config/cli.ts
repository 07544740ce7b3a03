import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseUrl } from './addresses.ts';
import { ConfigError, type Environment, findSecret, readEnvironment } from './env.ts';
import type { Secret } from './secrets.ts';

/** A 503 tells clients nothing of its cause, but an operator needs it. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
};

/**
 * Runs a command for operators: prints its result, or prints its error to standard error and exits with code
 * 1.
 */
export const runCli = async (work: () => Promise<string>): Promise<void> => {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
};

/** The part of `stack.json` that commands read. The embedded stack writes it. */
type EmbeddedStack = {
  databaseUrl: string;
  redisUrl: string;
  /** Comma-separated, like ADMIN_ALLOWED_DOMAINS; null if the stack uses an external database. */
  adminAllowedDomains?: string | null;
  /** The keys that encrypt the secrets of authenticator apps. */
  secondFactorKey?: Secret;
};

/** Reads the embedded stack that runs in DATA_DIR, if there is one. */
export const readEmbeddedStack = async ({ DATA_DIR }: Environment): Promise<EmbeddedStack | undefined> => {
  try {
    return JSON.parse(await readFile(join(DATA_DIR || '.data', 'stack.json'), 'utf8')) as EmbeddedStack;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * Returns DATABASE_URL (or the content of DATABASE_URL_FILE), or the database of the embedded stack. @throws
 * ConfigError if there is none or it is invalid
 */
export const findDatabaseUrl = async (environment: Environment): Promise<string> => {
  const url = findSecret(environment, 'DATABASE_URL') ?? (await readEmbeddedStack(environment))?.databaseUrl;
  if (!url) throw new ConfigError('No database: set DATABASE_URL, or start the embedded stack (npm start)');
  return readEnvironment({ DATABASE_URL: url }, { DATABASE_URL: databaseUrl() }).DATABASE_URL;
};
