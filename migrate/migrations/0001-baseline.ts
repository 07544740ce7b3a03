import type { Knex } from 'knex';
import { runSqlFile } from '../src/sql-files.ts';

export const up = async (db: Knex): Promise<void> => {
  // The default of the ids; the other functions need the tables, and follow the migrations.
  await runSqlFile(db, 'functions/new_row_id.sql');
  await runSqlFile(db, 'baseline.sql');
};
