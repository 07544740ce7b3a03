import { queryDatabase } from '@platform/shared/testing/query-database';

// Excludes Knex's tables.
const CATALOG = `
  with tables as (
    select oid, relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ '^knex_'
  )
  select format('column %s.%s %s%s %s', t.name, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then ' not null' end, pg_get_expr(d.adbin, d.adrelid)) as thing
    from tables t join pg_attribute a on a.attrelid = t.oid left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
  union select format('index %s %s', pg_get_indexdef(x.indexrelid), case when not x.indisvalid then ' invalid' end)
    from tables t join pg_index x on x.indrelid = t.oid
  union select format('constraint %s %s %s%s', t.name, c.conname, pg_get_constraintdef(c.oid),
      case when not c.convalidated then ' invalid' end)
    from tables t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'
  union select format('trigger %s %s', t.name, g.tgname)
    from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
  union select format('function %s %s', p.oid::regprocedure, pg_get_functiondef(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  order by 1`;

/** Describes a database without its rows, its rights and Knex's tables. */
export const describeSchema = async (url: string): Promise<string[]> => {
  const rows = await queryDatabase<{ thing: string }>(url, CATALOG);
  return rows.map(({ thing }) => thing);
};
