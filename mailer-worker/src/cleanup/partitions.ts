import { type Database, query } from '@platform/shared/db/database';

/** Calls a function, which changes at most one partition, until it returns null; returns the names of the partitions. */
const callRepeatedly = async (database: Database, text: string, values: unknown[]): Promise<string[]> => {
  const names: string[] = [];
  for (;;) {
    const [row] = await query<{ name: string | null }>(database, { name: text, text, values });
    if (!row?.name) return names;
    names.push(row.name);
  }
};

/** The tables that are partitioned by time. The functions (migrate/functions) run with the rights of their owner. */
const PARTITIONED_TABLES = ['audit_records', 'superseded_refresh_tokens'];

const COUNT = `
  select name, count(*)::int as count from unnest($1::text[]) name, partitions_of(name::regclass) group by name`;

/** By table. */
export const countPartitions = async (database: Database): Promise<Record<string, number>> => {
  const statement = { name: 'partitions-count', text: COUNT, values: [PARTITIONED_TABLES] };
  const rows = await query<{ name: string; count: number }>(database, statement);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

type PartitionChanges = { added: string[]; dropped: string[] };

/**
 * Drops the partitions whose rows have all expired and creates those of the near future. Each change takes an exclusive
 * lock for milliseconds.
 * @param auditRetentionDays 0 keeps audit records forever
 * @throws AppError 503 when another transaction holds a conflicting lock for longer than 300 ms
 */
export const rotatePartitions = async (
  database: Database,
  auditRetentionDays: number,
): Promise<PartitionChanges> => {
  const call = (text: string, ...values: unknown[]) => callRepeatedly(database, text, values);
  const added: string[] = [];
  for (const table of PARTITIONED_TABLES)
    added.push(...(await call('select add_next_partition($1) as name', table)));
  const dropped = await call('select drop_expired_token_partition() as name');
  if (auditRetentionDays > 0)
    dropped.push(...(await call('select drop_expired_audit_partition($1) as name', auditRetentionDays)));
  return { added, dropped };
};
