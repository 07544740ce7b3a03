import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Environment } from './env.ts';

/** Runs a command of an operator's: a line on standard output, or one on standard error and exit code 1. */
export const runCli = async (work: () => Promise<string>): Promise<void> => {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
};

/** The part of `stack.json` that commands read; the embedded stack writes it (dev/stack-file.ts). */
type EmbeddedStack = {
  databaseUrl: string;
  /** Comma-separated, as ADMIN_ALLOWED_DOMAINS; null when the stack runs on a database of somebody else's. */
  adminAllowedDomains?: string | null;
};

/** The embedded stack that runs on DATA_DIR; undefined when none does. */
export const readEmbeddedStack = async ({ DATA_DIR }: Environment): Promise<EmbeddedStack | undefined> => {
  try {
    return JSON.parse(await readFile(join(DATA_DIR || '.data', 'stack.json'), 'utf8')) as EmbeddedStack;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/**
 * For commands: DATABASE_URL, else the database of the embedded stack.
 * @throws ConfigError when there is neither.
 */
export const findDatabaseUrl = async (environment: Environment): Promise<string> => {
  const url = environment.DATABASE_URL || (await readEmbeddedStack(environment))?.databaseUrl;
  if (!url) throw new ConfigError('No database: set DATABASE_URL, or start the embedded stack (npm start)');
  return url;
};
