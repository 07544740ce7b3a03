import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { migrateDatabase } from '../src/migrate.ts';
import { type DatabaseProcess, GROUP_ROLES } from '../src/rights.ts';
import { listSqlFiles } from '../src/sql-files.ts';

const PROCESSES = Object.keys(GROUP_ROLES) as DatabaseProcess[];

/** Every right on a table or a column that a role other than its owner has; PUBLIC has the id 0. */
const GRANTED = `
  select concat_ws(': ', coalesce(r.rolname, 'PUBLIC'), c.relname,
    lower(g.privilege_type) || coalesce('(' || g.attname || ')', '')) as privilege
  from pg_class c
  cross join lateral (
    select a.grantee, a.privilege_type, null as attname from aclexplode(c.relacl) a
    union all
    select a.grantee, a.privilege_type, t.attname from pg_attribute t, aclexplode(t.attacl) a
    where t.attrelid = c.oid
  ) g
  left join pg_roles r on r.oid = g.grantee
  where c.relnamespace = 'public'::regnamespace and g.grantee <> c.relowner`;

const INSERT_TOKENS = `insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id,
  refresh_token_expired_at) values (gen_random_uuid(), gen_random_uuid(), now(), gen_random_uuid(), now())`;

const NOBODY_MAY = [
  'create table stolen (id int)',
  'create temporary table stolen (id int)',
  'create function stolen() returns int language sql as $$ select 1 $$',
  'drop table users',
  'alter table users add column stolen int',
  'truncate audit_records',
  'update audit_records set action = action',
  'update audit_records set created_at = now()',
  "update user_roles set role = 'ADMIN'",
  'delete from users',
  'delete from knex_migrations',
  'create role stolen',
  "alter role current_user with password 'stolen' superuser",
  'set role platform',
  "copy users to program 'cat'",
  'update token_records set created_at = now()',
  'select lo_create(0)',
  'select lo_creat(-1)',
  "select lo_from_bytea(0, 'x')",
  "select lo_put(1, 0, 'x')",
  "select lowrite(0, 'x')",
  "select lo_import('/etc/hostname')",
];

const MAY_NOT: Record<DatabaseProcess, readonly string[]> = {
  auth: [
    'delete from audit_records',
    'select details from audit_records',
    `insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at,
      created_at) values (gen_random_uuid(), gen_random_uuid(), now(), gen_random_uuid(), now(), now())`,
    "insert into audit_records (action, target_type, target_id, request_id, address, created_at) values ('a', 'USER', '1', 'r', 'l', now())",
    'update users set is_blocked = false',
    "update identities set subject = '-'",
    'select title from projects',
    'select email from support_requests',
    'select mail from mail_outbox',
    'delete from user_roles',
    'select type from events',
    'select text from user_notes',
    "insert into events (type, subject, occurred_at) values ('a', gen_random_uuid(), now())",
  ],
  admin: [
    'select password_hash from users',
    'select u from users u',
    "update users set password_hash = '-'",
    "update users set email = 'a@example.com'",
    "insert into users (email, password_hash) values ('a@example.com', '-')",
    'delete from audit_records',
    'select fingerprint from sessions',
    'update users set last_sign_in_at = null',
    "update user_notes set text = '-'",
    'delete from user_notes',
    'select issuer from identities',
    'select credential_id from passkeys',
    INSERT_TOKENS,
    'update token_records set methods = methods',
    'delete from projects',
    'update projects set owner_id = owner_id',
    'update projects set creation_digest = null',
    'insert into projects (created_at) values (now())',
    'update teams set slug = slug',
    'update teams set creation_digest = null',
    'delete from teams',
    'delete from team_members',
    'update team_members set employee_id = employee_id',
    "update events set data = '{}'",
    "insert into events (type, subject, recorded_at) values ('a', gen_random_uuid(), now())",
    'delete from events',
  ],
  worker: [
    'select password_hash from users',
    'select email from users',
    'select action, details from audit_records',
    "insert into audit_records (action, target_type, target_id, request_id, address) values ('a', 'USER', '1', 'r', 'l')",
    'select id from audit_records for update',
    'select access_token_id from token_records',
    'update token_records set refresh_token_expired_at = now()',
    INSERT_TOKENS,
    'select message from lead_requests',
    'select subject from events',
    "insert into events (type, subject) values ('a', gen_random_uuid())",
    'select role from user_roles',
    'select text from user_notes',
    'select recipient from sent_mails',
  ],
};

/** The processes that may call each function. */
const CALLERS: Record<string, readonly DatabaseProcess[]> = {
  new_row_id: ['auth', 'admin'],
  search_key: ['auth', 'admin'],
  search_text: ['auth', 'admin'],
  delete_account: ['auth', 'admin'],
  seconds_until_role_grant: ['auth', 'admin'],
  export_account: ['auth', 'admin'],
  export_account_additions: ['auth', 'admin'],
  export_audit_records: ['auth', 'admin'],
  count_failures: ['auth'],
  add_paused_sign_in: ['auth'],
  list_sign_ins: ['auth'],
  is_last_administrator: ['admin'],
  leave_teams: ['admin'],
  remove_unused_kinds: ['auth'],
  user_has_password: ['admin'],
  record_code_mail: ['worker'],
  find_mail_recipient: ['worker'],
  store_hourly_counts: ['worker'],
};

describe('database rights', () => {
  let database: TestDatabase;
  before('migrate a database', async () => {
    database = await createEmptyDatabase();
    await migrateDatabase(database.url);
  });
  after('drop it', () => database?.drop());

  const granted = async (): Promise<string[]> =>
    (await queryDatabase<{ privilege: string }>(database.url, GRANTED)).map(({ privilege }) => privilege);

  it('exist on every table except those of migrations', async () => {
    const tables = await queryDatabase<{ name: string }>(
      database.url,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
    );
    const used = new Set((await granted()).map((privilege) => privilege.split(': ')[1]));
    expect(tables.map(({ name }) => name).filter((name) => !used.has(name))).to.deep.equal([
      'knex_migrations_lock',
      'releases',
    ]);
  });

  it('are reset by the next migration after manual grants and revokes', async () => {
    const before = await granted();
    expect(before.filter((privilege) => !privilege.startsWith('platform_'))).to.deep.equal([]);
    await queryDatabase(database.url, 'grant all on users to platform_worker');
    await queryDatabase(database.url, 'grant update (action) on audit_records to platform_admin');
    await queryDatabase(database.url, 'grant select on projects to public');
    await queryDatabase(database.url, 'revoke all on mail_outbox from platform_worker');
    await queryDatabase(database.url, 'grant execute on function list_sign_ins to platform_admin, public');
    await migrateDatabase(database.url);
    expect(await granted()).to.have.members(before);
  });

  it('give a group role no login and no cluster privilege', async () => {
    const roles = await queryDatabase(
      database.url,
      `select 1 from pg_roles r where rolname = any($1) and not (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb
         or rolbypassrls or rolreplication or exists (select 1 from pg_auth_members m where m.member = r.oid))`,
      [Object.values(GROUP_ROLES)],
    );
    expect(roles).to.have.length(PROCESSES.length);
  });

  it('let only the listed processes call each function', async () => {
    const functions = await queryDatabase<{ name: string; isSafe: boolean; callers: string[] }>(
      database.url,
      `select p.proname as name, not prosecdef or 'search_path=public, pg_temp' = any(proconfig) as "isSafe",
         array(select role from unnest($1::text[]) role where has_function_privilege(role, p.oid, 'execute')) as callers
       from pg_proc p where pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
      [[...Object.values(GROUP_ROLES), 'public']],
    );
    const paths = functions.map(({ name }) => `functions/${name}.sql`);
    expect(paths).to.have.members(await listSqlFiles('functions'));
    for (const { name, isSafe, callers } of functions) {
      expect(isSafe, `${name} has a fixed search_path`).to.equal(true);
      expect(callers, name).to.deep.equal((CALLERS[name] ?? []).map((process) => GROUP_ROLES[process]));
    }
  });

  for (const process of PROCESSES)
    describe(`of the login of ${process}`, () => {
      let url: string;
      before(async () => {
        url = await withLoginOf(process, database.url);
      });

      for (const text of [...NOBODY_MAY, ...MAY_NOT[process]])
        it(`deny ${text.replace(/\s+/g, ' ').slice(0, 70)}`, async () => {
          const error = await getRejection(queryDatabase(url, text));
          expect(error).to.have.property('code', '42501');
        });
    });
});
