import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, type Environment } from './env.ts';

/**
 * For commands: the database that the environment names, else that of the embedded stack that is running.
 * @throws ConfigError when there is neither.
 */
export const findDatabaseUrl = async ({ DATABASE_URL, DATA_DIR }: Environment): Promise<string> => {
  if (DATABASE_URL) return DATABASE_URL;
  try {
    const stack: { databaseUrl: string } = JSON.parse(
      await readFile(join(DATA_DIR || '.data', 'stack.json'), 'utf8'),
    );
    return stack.databaseUrl;
  } catch (cause) {
    throw new ConfigError('No database: set DATABASE_URL, or start the embedded stack (npm start)', {
      cause,
    });
  }
};
