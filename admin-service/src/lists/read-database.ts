import { type Database, isDatabaseUnreachable } from '@platform/shared/db/database';

/** Otherwise each read would wait for the timeout of the replica. */
const RETRY_AFTER_MILLISECONDS = 5_000;

type Options = {
  replica: Database;
  primary: Database;
  logWarning: (error: unknown, message: string) => void;
};

/** Reads from the replica, and from the primary while the replica is unreachable. */
export const createReadDatabase = ({ replica, primary, logWarning }: Options): Database => {
  let retryAt = 0;
  const read = async <Result>(run: (database: Database) => Promise<Result>): Promise<Result> => {
    if (performance.now() < retryAt) return run(primary);
    try {
      return await run(replica);
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      retryAt = performance.now() + RETRY_AFTER_MILLISECONDS;
      logWarning(error, 'read replica unreachable, reading from the primary');
      return run(primary);
    }
  };
  return {
    query: (statement) => read((database) => database.query(statement)),
    execute: (query) => read((database) => database.execute(query)),
  };
};
