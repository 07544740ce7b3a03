import { type Database, query } from '@platform/shared/db/database';

/** A database that records how many rows each named statement returned; `after` runs after each statement. */
export const countStatements = (database: Database, after: () => Promise<void> = async () => undefined) => {
  const statements: { name: string; rows: number }[] = [];
  const countingDatabase: Database = {
    ...database,
    query: async <Row>(statement: Parameters<Database['query']>[0]): Promise<Row[]> => {
      const rows = await query<Row>(database, statement);
      statements.push({ name: statement.name, rows: rows.length });
      await after();
      return rows;
    },
  };
  return {
    countingDatabase,
    /** The number of rows that each run of the statement returned. */
    getRowCounts: (name: string): number[] =>
      statements.filter((statement) => statement.name === name).map(({ rows }) => rows),
  };
};
