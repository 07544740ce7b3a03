import type { Knex } from 'knex';
import { retryWhileLocked, runWithShortLock } from './online-schema-change.ts';

/** With the column by which the table is partitioned, and how far ahead (in UTC) a large partition ends. */
const TABLES = [
  { name: 'audit_records', time: 'created_at', unit: 'month', ahead: '2 months' },
  { name: 'superseded_refresh_tokens', time: 'superseded_at', unit: 'day', ahead: '8 days' },
] as const;

type PartitionedTable = (typeof TABLES)[number];

/** program_limit_exceeded: add_next_partition would read too many rows under its lock. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '54000';

/** Validating the check blocks no writes, and with it no row is read under the exclusive lock. */
const closeLargePartition = async (
  db: Knex,
  { name, time, unit, ahead }: PartitionedTable,
): Promise<void> => {
  const { rows } = await db.raw(
    `select partition::text as newest, coalesce(starts, '-infinity')::text as starts,
       ((date_trunc('${unit}', now() at time zone 'UTC') + interval '${ahead}') at time zone 'UTC')::text as bound
     from partitions_of('${name}') where ends is null`,
  );
  const { newest, starts, bound } = rows[0];
  await runWithShortLock(
    db,
    `alter table ${newest} drop constraint if exists ends_before,
       add constraint ends_before check (${time} >= '${starts}' and ${time} < '${bound}') not valid`,
  );
  await db.raw(`alter table ${newest} validate constraint ends_before`);
  await runWithShortLock(db, `select close_newest_partition('${name}', '${bound}')`);
};

/** False when there are enough partitions. */
const addNextPartition = async (db: Knex, table: PartitionedTable): Promise<boolean> => {
  try {
    const { rows } = await retryWhileLocked(() =>
      db.raw('select add_next_partition(?) as added', [table.name]),
    );
    return rows[0].added !== null;
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    await closeLargePartition(db, table);
    return true;
  }
};

/** Creates partitions ahead of time, as the nightly cleanup does, and also when the newest one is large. */
export const createPartitionsAhead = async (db: Knex): Promise<void> => {
  for (const table of TABLES) {
    let isAdded = true;
    while (isAdded) isAdded = await addNextPartition(db, table);
  }
};
