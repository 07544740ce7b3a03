import type { Database } from '@platform/shared/db/database';

/** A database that keeps how many rows each named statement returned; `after` runs when one has ended. */
export const countStatements = (database: Database, after: () => Promise<void> = async () => undefined) => {
  const statements: { name: string; rows: number }[] = [];
  const counting: Database = {
    ...database,
    query: async <Row>(statement: Parameters<Database['query']>[0]): Promise<Row[]> => {
      const rows = await database.query<Row>(statement);
      statements.push({ name: statement.name, rows: rows.length });
      await after();
      return rows;
    },
  };
  return {
    counting,
    /** How many rows each run of the statement returned. */
    rowsOf: (name: string): number[] =>
      statements.filter((statement) => statement.name === name).map(({ rows }) => rows),
  };
};
