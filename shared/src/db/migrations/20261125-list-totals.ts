import type { Knex } from 'knex';

/**
 * The number of rows of each list per filter value. Lists show exact totals, and counting a million rows would take longer
 * than the rest of the request. Triggers update the totals in the transaction that changes the rows, so they are as exact
 * as a count. Each connection updates one of 16 slots, because a single row would serialize all sign-ups; rows are
 * updated in key order to prevent deadlocks.
 */
const TABLES = `
  create table user_totals (
    is_blocked boolean not null,
    role text not null, -- '' counts the users themselves, of whatever roles
    slot int not null default pg_backend_pid() % 16,
    total int not null,
    primary key (role, is_blocked, slot)
  ) with (fillfactor = 50);
  create table project_totals ( -- without the deleted ones
    status text not null,
    category text not null,
    slot int not null default pg_backend_pid() % 16,
    total int not null,
    primary key (status, category, slot)
  ) with (fillfactor = 50);
  create table team_totals (
    status text not null,
    slot int not null default pg_backend_pid() % 16,
    total int not null,
    primary key (status, slot)
  ) with (fillfactor = 50);`;

type Counted = {
  table: string;
  totals: string;
  /** The key of the totals, without the slot. */
  key: string;
  /** The totals' columns of the rows `changed`, grouped and sorted by the key. */
  count: (sign: '' | '-') => string;
  /** Runs before rows are counted. */
  first?: string;
  /** The totals to delete when the table is truncated. */
  ended?: string;
};

const trigger = (name: string, event: string, body: string) => `
  create function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$;
  create trigger ${name} ${event} execute function ${name}();`;

const adding = (totals: string, key: string) =>
  `on conflict (${key}, slot) do update set total = ${totals}.total + excluded.total; return null;`;

const countedByStatement = ({ table, totals, key, count, first = '', ended = 'true' }: Counted): string[] => {
  const add = (sign: '' | '-') =>
    `${first} insert into ${totals} (${key}, total) ${count(sign)} ${adding(totals, key)}`;
  const each = 'for each statement';
  return [
    trigger(
      `count_new_${table}`,
      `after insert on ${table} referencing new table as changed ${each}`,
      add(''),
    ),
    trigger(
      `count_removed_${table}`,
      `after delete on ${table} referencing old table as changed ${each}`,
      add('-'),
    ),
    trigger(
      `forget_${table}`,
      `after truncate on ${table} ${each}`,
      `delete from ${totals} where ${ended}; return null;`,
    ),
  ];
};

const USERS = [
  ...countedByStatement({
    table: 'users',
    totals: 'user_totals',
    key: 'role, is_blocked',
    count: (sign) => `select '', is_blocked, ${sign}count(*) from changed group by 2 order by 2`,
    ended: "role = ''",
  }),
  trigger(
    'count_blocked_user',
    'after update of is_blocked on users for each row when (old.is_blocked <> new.is_blocked)',
    `insert into user_totals (role, is_blocked, total)
      select r.role, b.is_blocked, case when b.is_blocked = new.is_blocked then 1 else -1 end
      from (values (false), (true)) b (is_blocked),
        (select '' as role union all select role from user_roles where user_id = new.id) r
      order by 1, 2 ${adding('user_totals', 'role, is_blocked')}`,
  ),
  // Roles are deleted before their user, whose row has the blocked state that the totals need.
  trigger(
    'remove_roles_first',
    'before delete on users for each row',
    'delete from user_roles where user_id = old.id; return old;',
  ),
  ...countedByStatement({
    table: 'user_roles',
    totals: 'user_totals',
    key: 'role, is_blocked',
    // Locks the user until the role is counted: a concurrent block would move the totals of the other roles only.
    first: 'perform 1 from users where id in (select user_id from changed) order by id for share;',
    count: (sign) => `select c.role, u.is_blocked, ${sign}count(*)
      from changed c join users u on u.id = c.user_id group by 1, 2 order by 1, 2`,
    ended: "role <> ''",
  }),
  trigger(
    'count_changed_role',
    'after update of user_id, role on user_roles for each row when ((old.user_id, old.role) <> (new.user_id, new.role))',
    `perform 1 from users where id in (old.user_id, new.user_id) order by id for share;
    insert into user_totals (role, is_blocked, total)
      select r.role, u.is_blocked, sum(r.change)
      from (values (old.user_id, old.role, -1), (new.user_id, new.role, 1)) r (user_id, role, change)
        join users u on u.id = r.user_id
      group by 1, 2 order by 1, 2 ${adding('user_totals', 'role, is_blocked')}`,
  ),
];

const PROJECTS = [
  ...countedByStatement({
    table: 'projects',
    totals: 'project_totals',
    key: 'status, category',
    count: (sign) => `select status, category, ${sign}count(*) from changed where deleted_at is null
      group by 1, 2 order by 1, 2`,
  }),
  trigger(
    'count_moved_project',
    `after update of status, category, deleted_at on projects for each row
      when ((old.status, old.category, old.deleted_at is null) <> (new.status, new.category, new.deleted_at is null))`,
    `insert into project_totals (status, category, total)
      select status, category, sum(change) from (values
        (old.status, old.category, -1, old.deleted_at is null), (new.status, new.category, 1, new.deleted_at is null)
      ) moved (status, category, change, is_listed)
      where is_listed group by 1, 2 order by 1, 2 ${adding('project_totals', 'status, category')}`,
  ),
];

const TEAMS = [
  ...countedByStatement({
    table: 'teams',
    totals: 'team_totals',
    key: 'status',
    count: (sign) => `select status, ${sign}count(*) from changed group by 1 order by 1`,
  }),
  trigger(
    'count_moved_team',
    'after update of status on teams for each row when (old.status <> new.status)',
    `insert into team_totals (status, total)
      select status, change from (values (old.status, -1), (new.status, 1)) moved (status, change)
      order by 1 ${adding('team_totals', 'status')}`,
  ),
];

const TRIGGERS = [...USERS, ...PROJECTS, ...TEAMS];

/** The lock stops concurrent writes, so that no row is missed between the count and the triggers. */
const COUNT_WHAT_IS_THERE = `
  lock table users, user_roles, projects, teams in share row exclusive mode;
  insert into user_totals (is_blocked, role, slot, total) select is_blocked, '', 0, count(*) from users group by 1;
  insert into user_totals (is_blocked, role, slot, total)
    select u.is_blocked, r.role, 0, count(*) from user_roles r join users u on u.id = r.user_id group by 1, 2;
  insert into project_totals (status, category, slot, total)
    select status, category, 0, count(*) from projects where deleted_at is null group by 1, 2;
  insert into team_totals (status, slot, total) select status, 0, count(*) from teams group by 1;`;

export const up = (db: Knex): Promise<void> =>
  db.schema.raw([TABLES, COUNT_WHAT_IS_THERE, ...TRIGGERS].join('\n'));

export const down = (db: Knex): Promise<void> => {
  const names = TRIGGERS.flatMap((text) => /create function (\w+)/.exec(text)?.[1] ?? []);
  return db.schema.raw(
    [
      ...names.map((name) => `drop function ${name} cascade;`),
      'drop table user_totals, project_totals, team_totals;',
    ].join('\n'),
  );
};
