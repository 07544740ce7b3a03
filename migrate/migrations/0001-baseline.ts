import type { Knex } from 'knex';
import { runSqlFile } from '../src/sql-files.ts';

export const up = async (db: Knex): Promise<void> => {
  // The default of the ids. The other functions need the tables and are created after the migrations.
  await runSqlFile(db, 'functions/new_row_id.sql');
  await runSqlFile(db, 'baseline.sql');
};
