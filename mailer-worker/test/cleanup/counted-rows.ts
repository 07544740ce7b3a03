import { storeAuditDayTotals } from '@platform/shared/db/audit-day-totals';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { TotalsTable } from '../../src/cleanup/list-totals.ts';

/** The older of two past days, in UTC; a day is past, and counted, an hour after its end. */
const DAY = new Date(Date.now() - 49 * 3_600_000).toISOString().slice(0, 10);

/** 10 users (2 blocked), 12 roles, 7 projects (one deleted), 5 teams, 9 audit records of today and 150 of a past day. */
const INSERT_ROWS = `
  insert into users (email, password_hash, is_blocked) select n || '@example.com', '-', n > 8 from generate_series(1, 10) n;
  insert into user_roles (user_id, role) select id, 'CUSTOMER' from users;
  insert into user_roles (user_id, role) select id, 'EMPLOYEE' from users where email in ('1@example.com', '10@example.com');
  insert into projects (owner_id, title, description, category, status, deleted_at, deleted_by)
    select u.id, 'Title', 'Text', case when n < 5 then 'WEB' else 'DATA' end, 'DRAFT',
      case when n = 7 then now() end, case when n = 7 then u.id end
    from generate_series(1, 7) n, users u where u.email = '1@example.com';
  insert into teams (name, slug, status) select 'Team', 'team-' || n, case when n < 4 then 'ONBOARDING' else 'ARCHIVED' end
    from generate_series(1, 5) n;
  insert into audit_records (action, target_type, target_id, request_id, address)
    select case when n < 6 then 'USER_BLOCKED' else 'SIGN_IN_FAILED' end, 'USER', 'x', 'x', 'x' from generate_series(1, 9) n;
  insert into audit_records (action, target_type, target_id, request_id, address, created_at)
    select 'SIGN_IN_FAILED', 'USER', n, 'x', 'x', '${DAY}T12:00Z' from generate_series(1, 150) n;`;

export const insertCountedRows = async (url: string): Promise<void> => {
  await queryDatabase(url, INSERT_ROWS);
  await storeAuditDayTotals((text) => queryDatabase(url, text));
};

type Key = Record<string, string | boolean>;

type Case = {
  rows: number;
  /** A key with rows, and their number. */
  present: Key;
  counted: number;
  /** A key without rows. */
  absent: Key;
};

export const CASES: Record<TotalsTable, Case> = {
  user_totals: {
    rows: 22,
    present: { role: 'CUSTOMER', is_blocked: false },
    counted: 8,
    absent: { role: 'ARBITER', is_blocked: true },
  },
  project_totals: {
    rows: 6,
    present: { status: 'DRAFT', category: 'DATA' },
    counted: 2,
    absent: { status: 'COMPLETED', category: 'WEB' },
  },
  team_totals: { rows: 5, present: { status: 'ONBOARDING' }, counted: 3, absent: { status: 'ACTIVE' } },
  audit_totals: {
    rows: 159,
    present: { action: 'USER_BLOCKED' },
    counted: 5,
    absent: { action: 'TEAM_VERIFIED' },
  },
  audit_day_totals: {
    rows: 150,
    present: { day: DAY, action: 'SIGN_IN_FAILED' },
    counted: 150,
    absent: { day: DAY, action: 'TEAM_VERIFIED' },
  },
};

const toColumns = (key: Key): string => Object.keys(key).join(', ');
const toValues = (key: Key): string =>
  Object.values(key)
    .map((value) => `'${value}'`)
    .join(', ');

/** Changes a total without its triggers: in a slot that no connection uses. Totals of past days have no slots. */
export const addToTotal = (url: string, table: TotalsTable, key: Key, by: number) =>
  queryDatabase(
    url,
    table === 'audit_day_totals'
      ? `insert into ${table} as t (${toColumns(key)}, total) values (${toValues(key)}, ${by})
         on conflict (actor_id, target_id, action, day) do update set total = t.total + excluded.total`
      : `insert into ${table} (${toColumns(key)}, slot, total) values (${toValues(key)}, 16, ${by})`,
  );

export const deleteTotal = (url: string, table: TotalsTable, key: Key) =>
  queryDatabase(url, `delete from ${table} where (${toColumns(key)}) = (${toValues(key)})`);

/** Totals in which a count of the rows and the kept number differ: columns, kept and counted. */
const WRONG_TOTALS = `
  with counts (list, a, b, total) as (
    select 'user_totals', '', is_blocked::text, count(*) from users group by 3
    union all select 'user_totals', r.role, u.is_blocked::text, count(*)
      from user_roles r join users u on u.id = r.user_id group by 2, 3
    union all select 'project_totals', status, category, count(*) from projects where deleted_at is null group by 2, 3
    union all select 'team_totals', status, '', count(*) from teams group by 2
    union all select 'audit_totals', action, '', count(*) from audit_records group by 2
    union all select 'audit_day_totals', day::text, concat_ws(' ', actor_id, target_id, action), total
      from audit_days cross join count_audit_day(day)
  ),
  totals (list, a, b, total) as (
    select 'user_totals', role, is_blocked::text, sum(total) from user_totals group by 2, 3
    union all select 'project_totals', status, category, sum(total) from project_totals group by 2, 3
    union all select 'team_totals', status, '', sum(total) from team_totals group by 2
    union all select 'audit_totals', action, '', sum(total) from audit_totals group by 2
    union all select 'audit_day_totals', day::text, concat_ws(' ', actor_id, target_id, action), total from audit_day_totals
  )
  select list, a, b, coalesce(k.total, 0) as kept, coalesce(c.total, 0) as counted
  from counts c full join totals k using (list, a, b)
  where coalesce(k.total, 0) <> coalesce(c.total, 0) order by 1, 2, 3`;

export const findWrongTotals = (url: string) =>
  queryDatabase<{ list: TotalsTable } & Record<string, unknown>>(url, WRONG_TOTALS);
