import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { migrateDatabase } from '../src/migrate.ts';
import { guardExistingTables, installLockGuard } from './write-lock-guard.ts';

/** Replaces all partitions by one, as if the cleanup had not run for a long time. */
const KEEP_ONE_PARTITION = `
  do $$
    declare
      name text;
    begin
      for name in select partition from partitions_of('audit_records') loop
        execute format('drop table %s', name);
      end loop;
      create table audit_records_old partition of audit_records for values from (now() - interval '90 days') to (maxvalue);
    end
  $$`;

/** Four rows fill a page. */
const insertRecords = (count: number): string => `
  insert into audit_records (action, target_type, target_id, request_id, address, created_at)
  select 'SIGN_IN_FAILED', 'USER', n, repeat('r', 1800), 'a', now() - interval '1 day' from generate_series(1, ${count}) n`;

const AHEAD = `
  select max(starts) > now() + interval '2 months' as "isAhead" from partitions_of('audit_records')`;

describe('partitions', () => {
  let database: TestDatabase;
  beforeEach('create a database', async () => {
    database = await createTestDatabase();
    await queryDatabase(database.url, KEEP_ONE_PARTITION);
  });
  afterEach('drop it', () => database.drop());

  const expectAhead = async () =>
    expect(await queryDatabase(database.url, AHEAD)).to.deep.equal([{ isAhead: true }]);
  const addAsWorker = async () =>
    queryDatabase(
      await withLoginOf('worker', database.url),
      "select add_next_partition('audit_records')",
    ).catch((error: Error) => error.message);

  it('that have grown large are closed by the migrations alone, and without blocking writes', async () => {
    await queryDatabase(database.url, insertRecords(17_000));
    expect(await addAsWorker())
      .to.include('audit_records_old')
      .and.include('run the migrations');
    await installLockGuard(database.url);
    await guardExistingTables(database.url);
    await migrateDatabase(database.url);
    await expectAhead();
    const rows = 'select count(*)::int as rows from audit_records_old';
    expect(await queryDatabase(database.url, rows)).to.deep.equal([{ rows: 17_000 }]);
  });
});
