import type { Knex } from 'knex';
import { runSqlFile } from '../src/sql-files.ts';

export const up = async (db: Knex): Promise<void> => {
  // The schema uses these functions. The others need the tables and are created after the migrations.
  await runSqlFile(db, 'functions/new_row_id.sql');
  await runSqlFile(db, 'functions/search_key.sql');
  await runSqlFile(db, 'baseline.sql');
};
