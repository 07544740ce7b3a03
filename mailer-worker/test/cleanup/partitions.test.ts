import { holdLock } from '@platform/shared/testing/hold-lock';
import { expect } from 'chai';
import { rotatePartitions } from '../../src/cleanup/partitions.ts';
import { useWorkerDatabase } from './worker-database.ts';

const RETENTION_DAYS = 365;

/** Replaces the initial partition by empty ones of equal length, as after some time in production. */
const splitInitialPartition = (table: string, unit: 'month' | 'day', count: number): string => `
  do $$
    declare
      bound timestamptz;
      last timestamptz := (select min(starts) from partitions_of('${table}'));
    begin
      drop table ${table}_initial;
      for bound in
        select generate_series(last - ${count} * interval '1 ${unit}', last - interval '1 ${unit}', interval '1 ${unit}')
      loop
        execute format('create table ${table}_%s partition of ${table} for values from (%L) to (%L)',
          to_char(bound, 'YYYYMMDD'), bound, bound + interval '1 ${unit}');
      end loop;
    end
  $$`;

/** Replaces all partitions by one, as if the cleanup had not run for a long time. */
const keepOnePartition = (table: string): string => `
  do $$
    declare
      name text;
    begin
      for name in select partition from partitions_of('${table}') loop
        execute format('drop table %s', name);
      end loop;
      create table ${table}_old partition of ${table} for values from (now() - interval '90 days') to (maxvalue);
    end
  $$`;

const insertRecord = (age: string): string => `
  insert into audit_records (action, target_type, target_id, request_id, address, created_at)
  values ('SIGN_IN_FAILED', 'USER', '${age}', 'r', 'a', now() - interval '${age}')`;

const insertToken = (age: string, expiresIn: string): string => `
  insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, superseded_at, expired_at)
  values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() - interval '${age}', now() + interval '${expiresIn}')`;

const AHEAD = `
  select (select max(starts) > now() + interval '2 months' from partitions_of('audit_records')) as audit,
    (select max(starts) > now() + interval '7 days' from partitions_of('superseded_refresh_tokens')) as tokens`;

describe('partitions in the daily cleanup', () => {
  const { url, database, query } = useWorkerDatabase();

  const rotate = (days = RETENTION_DAYS) => rotatePartitions(database(), days);
  const getRecords = async (): Promise<string[]> =>
    (await query<{ age: string }>('select target_id as age from audit_records order by created_at')).map(
      ({ age }) => age,
    );
  const countTokens = async () => (await query('select 1 from superseded_refresh_tokens')).length;
  it('disappear when all of their audit records have expired', async () => {
    await query(splitInitialPartition('audit_records', 'month', 18));
    // A partition of 31 days may contain records from before and after the limit.
    const kept = ['364 days', '300 days', '2 days'];
    for (const age of ['430 days', '400 days', ...kept]) await query(insertRecord(age));
    const { dropped } = await rotate();
    expect(dropped).to.have.length.within(3, 5);
    expect(dropped[0]).to.match(/^audit_records_20\d{4}01$/);
    expect(await getRecords()).to.deep.equal(kept);
    expect((await rotate()).dropped).to.deep.equal([]);
  });

  it('stay forever with a retention of 0 days', async () => {
    await query(splitInitialPartition('audit_records', 'month', 18));
    await query(insertRecord('430 days'));
    expect((await rotate(0)).dropped).to.deep.equal([]);
    expect(await getRecords()).to.deep.equal(['430 days']);
  });

  it('disappear when all of their superseded tokens have expired', async () => {
    await query(splitInitialPartition('superseded_refresh_tokens', 'day', 14));
    await query(insertToken('4 days', '-1 hour'));
    await query(insertToken('3 days', '1 hour'));
    await query(insertToken('3 days', '-1 hour'));
    await query(insertToken('1 second', '-1 hour'));
    const { dropped } = await rotate();
    // Between three and two days ago has the unexpired token, and the partition of today has not ended.
    expect(await countTokens()).to.equal(3);
    expect(dropped).to.have.length.within(10, 12);
    expect((await rotate()).dropped).to.deep.equal([]);
  });

  it('exist ahead of time, also after months without a cleanup', async () => {
    await query(keepOnePartition('audit_records'));
    await query(keepOnePartition('superseded_refresh_tokens'));
    await query(insertRecord('1 day'));
    await query(insertToken('1 day', '1 hour'));
    const { added } = await rotate();
    expect(added).to.have.length.within(8, 12);
    expect(await query(AHEAD)).to.deep.equal([{ audit: true, tokens: true }]);
    expect(await getRecords()).to.deep.equal(['1 day']);
    expect(await countTokens()).to.equal(1);
    await query(insertRecord('0 seconds'));
    await query(insertRecord('-2 months'));
    expect((await rotate()).added).to.deep.equal([]);
  });

  it('stay unchanged for the next run while another transaction uses the table', async () => {
    await query(splitInitialPartition('audit_records', 'month', 18));
    await query(insertRecord('430 days'));
    const reader = await holdLock(url(), 'select 1 from audit_records');
    const rotated = rotate().catch((failure: unknown) => failure);
    await reader.untilWaiting(1);
    await query(insertRecord('1 day'));
    expect(await rotated).to.have.property('status', 503);
    expect(await getRecords()).to.deep.equal(['430 days', '1 day']);
    await reader.release();
    await rotate();
    expect(await getRecords()).to.deep.equal(['1 day']);
  });
});
