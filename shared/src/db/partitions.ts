import type { Knex } from 'knex';
import { retryWhileLocked, runWithShortLock } from './online-schema-change.ts';

type PartitionedTable = {
  name: string;
  /** The column by which the table is partitioned. */
  time: string;
  /** In UTC: where a partition with rows ends. A migration that is interrupted must be repeated before. */
  end: string;
};

const TABLES: readonly PartitionedTable[] = [
  {
    name: 'audit_records',
    time: 'created_at',
    end: "date_trunc('month', now() at time zone 'UTC') + interval '2 months'",
  },
  {
    name: 'superseded_refresh_tokens',
    time: 'superseded_at',
    end: "date_trunc('day', now() at time zone 'UTC') + interval '8 days'",
  },
];

type Partition = { name: string; bound: string };

/** The newest partition, if it has more rows than may be read under a lock: after the conversion, or without a cleanup. */
const findLargeNewestPartition = async (
  db: Knex,
  table: PartitionedTable,
): Promise<Partition | undefined> => {
  const { rows } = await db.raw(
    `select partition::text as name, ((${table.end}) at time zone 'UTC')::text as bound from partitions_of(?::regclass)
     where ends is null and (starts is null or pg_relation_size(partition) > max_scanned_bytes())`,
    [table.name],
  );
  return rows[0];
};

/** Validating the check blocks no writes, and with it no row is read under the exclusive lock. */
const closePartition = async (db: Knex, table: PartitionedTable, { name, bound }: Partition) => {
  await runWithShortLock(
    db,
    `alter table ${name} drop constraint if exists ends_before,
       add constraint ends_before check (${table.time} < '${bound}') not valid`,
  );
  await db.raw(`alter table ${name} validate constraint ends_before`);
  await runWithShortLock(db, `select close_newest_partition('${table.name}', '${bound}')`);
};

/** Creates partitions ahead of time, as the nightly cleanup does, and also when the newest one is large. */
export const createPartitionsAhead = async (db: Knex): Promise<void> => {
  for (const table of TABLES) {
    const large = await findLargeNewestPartition(db, table);
    if (large) await closePartition(db, table, large);
    for (let added: unknown = ''; added !== null; ) {
      const { rows } = await retryWhileLocked(() =>
        db.raw('select add_next_partition(?) as added', [table.name]),
      );
      added = rows[0].added;
    }
  }
};
