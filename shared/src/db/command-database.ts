import { findDatabaseUrl } from '../config/cli.ts';
import { connectDatabase, type Database } from './database.ts';

/**
 * Runs an operator's command with one connection to the database of `findDatabaseUrl`. @throws ConfigError if
 * there is none
 */
export const withCommandDatabase = async <Result>(
  applicationName: string,
  work: (database: Database, url: string) => Promise<Result>,
): Promise<Result> => {
  const url = await findDatabaseUrl(process.env);
  const pool = connectDatabase({ url, applicationName, maxConnections: 1, onError: () => undefined });
  try {
    return await work(pool.database, url);
  } finally {
    await pool.close();
  }
};

/** Stores log to it within a command, which prints only one line. */
export const NO_LOG = { info: () => undefined };
