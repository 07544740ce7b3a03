import type { Database } from '@platform/shared/db/database';

type RunRaw = (text: string) => { options: (options: { name: string }) => Promise<{ rows: unknown[] }> };

/** A database that records how many rows each named statement returned; `after` runs after each statement. */
export const countStatements = (database: Database, after: () => Promise<void> = async () => undefined) => {
  const statements: { name: string; rows: number }[] = [];
  const raw: RunRaw = (text) => ({
    options: async (options) => {
      const result = await database.raw(text).options(options);
      statements.push({ name: options.name, rows: result.rows.length });
      await after();
      return result;
    },
  });
  return {
    countingDatabase: new Proxy(database, {
      get: (target, property) => (property === 'raw' ? raw : Reflect.get(target, property)),
    }),
    /** The number of rows that each run of the statement returned. */
    getRowCounts: (name: string): number[] =>
      statements.filter((statement) => statement.name === name).map(({ rows }) => rows),
  };
};
