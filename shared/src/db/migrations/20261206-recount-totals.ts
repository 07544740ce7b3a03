import type { Knex } from 'knex';

/** The list totals (20261125-list-totals.ts, 20261127-retention.ts), and the query that counts their rows by the same key. */
const TOTALS = [
  {
    table: 'user_totals',
    key: ['role', 'is_blocked'],
    count: `select '' as role, is_blocked, count(*) as total from users group by is_blocked
      union all
      select r.role, u.is_blocked, count(*) from user_roles r join users u on u.id = r.user_id group by r.role, u.is_blocked`,
  },
  {
    table: 'project_totals',
    key: ['status', 'category'],
    count: `select status, category, count(*) as total from projects where deleted_at is null group by status, category`,
  },
  {
    table: 'team_totals',
    key: ['status'],
    count: `select status, count(*) as total from teams group by status`,
  },
  {
    table: 'audit_totals',
    key: ['action'],
    count: `select action, count(*) as total from audit_records group by action`,
  },
];

/**
 * One statement, so that rows and totals are of the same snapshot: triggers change both in one transaction, so their
 * difference is the error, whatever is being written. Adding it, instead of setting the total, keeps the changes that commit
 * meanwhile. Keys are updated in the order of the triggers, which prevents deadlocks.
 */
const repairing = ({ table, key, count }: (typeof TOTALS)[number]): string => {
  const columns = key.join(', ');
  return `
    with counts as (${count}),
    totals as (select ${columns}, sum(total) as total from ${table} group by ${columns}),
    compared as materialized (
      select ${columns}, coalesce(totals.total, 0) as kept, coalesce(counts.total, 0) as counted
      from counts full join totals using (${columns})
    ),
    repaired as (
      insert into ${table} (${columns}, total)
      select ${columns}, counted - kept from compared where counted <> kept order by ${columns}
      on conflict (${columns}, slot) do update set total = ${table}.total + excluded.total
    )
    select jsonb_build_object(${key.map((column) => `'${column}', ${column}`).join(', ')}), kept, counted
    from compared order by ${columns}`;
};

/** The lock admits one repair of a table at a time: two would add the same difference. It does not block the triggers. */
const branch = (totals: (typeof TOTALS)[number]): string => `
  when '${totals.table}' then
    lock table ${totals.table} in share update exclusive mode;
    return query ${repairing(totals)};`;

/** Returns each key of the totals with the kept and the counted total. The worker may not read most of the counted columns. */
const REPAIR_TOTALS = `
  create function repair_totals(totals_table text) returns table (key jsonb, kept bigint, counted bigint)
    language plpgsql security definer set search_path = public, pg_temp as $$
      #variable_conflict use_column
      begin
        case totals_table
          ${TOTALS.map(branch).join('')}
          else raise exception '% is not a table of list totals', totals_table;
        end case;
      end
    $$;
  revoke execute on function repair_totals(text) from public;`;

export const up = (db: Knex): Promise<void> => db.schema.raw(REPAIR_TOTALS);

export const down = (db: Knex): Promise<void> => db.schema.raw('drop function repair_totals(text);');
