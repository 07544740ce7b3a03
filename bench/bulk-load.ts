import { queryDatabase } from '@platform/shared/testing/query-database';

type Recreated = { name: string; removal: string; definition: string };

/**
 * Foreign keys come before the unique constraints that they may depend on. They are recreated in reverse
 * order.
 */
const CONSTRAINTS = `
  select c.conname as name, format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as removal,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as definition
  from pg_constraint c
  where c.contype in ('f', 'u') and c.conrelid in (select to_regclass(name) from unnest($1::text[]) name)
  order by c.contype, c.conname`;

/**
 * The index of a partitioned table includes those of its partitions, although its definition says "on only".
 */
const INDEXES = `
  select i.indexname as name, format('drop index %I', i.indexname) as removal,
    replace(i.indexdef, ' ON ONLY ', ' ON ') as definition
  from pg_indexes i left join pg_constraint c on c.conname = i.indexname
  where i.schemaname = 'public' and c.oid is null and i.tablename = any ($1::text[])
  order by i.indexname`;

const SETTINGS = "set maintenance_work_mem = '512MB'; set synchronous_commit = off; ";

export type SeedStatement = readonly [text: string, values: readonly unknown[]];

/**
 * Fills tables without their indexes and constraints, then creates these, because updating them row by row
 * takes many times as long.
 * @param groups of statements, which run concurrently
 */
export const bulkLoad = async (
  url: string,
  tables: readonly string[],
  groups: readonly (readonly SeedStatement[])[],
): Promise<void> => {
  const recreated = [
    ...(await queryDatabase<Recreated>(url, CONSTRAINTS, [tables])),
    ...(await queryDatabase<Recreated>(url, INDEXES, [tables])),
  ];
  for (const { removal } of recreated) await queryDatabase(url, removal);
  const runGroup = async (statements: readonly SeedStatement[]) => {
    for (const [text, values] of statements) await queryDatabase(url, text, values);
  };
  await Promise.all(groups.map(runGroup));
  for (const { definition } of recreated.reverse()) await queryDatabase(url, SETTINGS + definition);
  await queryDatabase(url, `vacuum analyze ${tables.join(', ')}`);
};
