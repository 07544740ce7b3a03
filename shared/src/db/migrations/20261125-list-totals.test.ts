import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import pg from 'pg';

const CONNECTIONS = 12;
const STEPS = 60;

const COUNTS = `
  select 'user' as list, is_blocked::text as a, '' as b, count(*)::int as total from users group by 2
  union all select 'user', u.is_blocked::text, r.role, count(*)::int
    from user_roles r join users u on u.id = r.user_id group by 2, 3
  union all select 'project', status, category, count(*)::int from projects where deleted_at is null group by 2, 3
  union all select 'team', status, '', count(*)::int from teams group by 2
  order by 1, 2, 3`;
const TOTALS = `
  select * from (
    select 'user' as list, is_blocked::text as a, role as b, sum(total)::int as total from user_totals group by 2, 3
    union all select 'project', status, category, sum(total)::int from project_totals group by 2, 3
    union all select 'team', status, '', sum(total)::int from team_totals group by 2
  ) totals where total <> 0 order by 1, 2, 3`;

const A_USER = '(select id from users order by random() limit 1)';
const PROJECT = '(select id from projects order by random() limit 1)';
const TEAM = '(select id from teams order by random() limit 1)';

const NEW_USERS = `insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' from generate_series(1, 3)`;
const NEW_PROJECTS = `insert into projects (owner_id, title, description, category, status) select ${A_USER}, 'Title', 'Text', category, 'DRAFT'
    from unnest(array['WEB', 'DATA', 'WEB']) category`;

/** Whatever changes a total, several rows at once too. */
const CHANGES = [
  NEW_USERS,
  `insert into user_roles (user_id, role) values (${A_USER}, 'CUSTOMER') on conflict do nothing`,
  `insert into user_roles (user_id, role) values (${A_USER}, 'EMPLOYEE') on conflict do nothing`,
  `delete from user_roles where user_id = ${A_USER}`,
  `update user_roles set role = 'EMPLOYEE' where role = 'CUSTOMER' and user_id = ${A_USER}
    and not exists (select 1 from user_roles r where r.user_id = user_roles.user_id and r.role = 'EMPLOYEE')`,
  `update users set is_blocked = not is_blocked where id = ${A_USER}`,
  `update users set is_blocked = not is_blocked where id in (select id from users order by id limit 5)`,
  `update users set is_email_verified = true where id = ${A_USER}`,
  `delete from users where id in (select id from users where not exists (select 1 from projects where owner_id = users.id)
    order by random() limit 2)`,
  NEW_PROJECTS,
  `update projects set category = 'MOBILE' where id = ${PROJECT}`,
  `update projects set status = 'PUBLISHED' where id = ${PROJECT}`,
  `update projects set deleted_at = now(), deleted_by = owner_id, status = 'CANCELLED' where id = ${PROJECT}`,
  `update projects set deleted_at = null, deleted_by = null where id = ${PROJECT}`,
  `delete from projects where id = ${PROJECT}`,
  `insert into teams (name, slug, status) values ('Team', gen_random_uuid(), 'ONBOARDING')`,
  `update teams set status = 'ACTIVE', verified_at = now() where id = ${TEAM} and status = 'ONBOARDING'`,
  `delete from teams where id = ${TEAM}`,
] as const;

/** Concurrent changes may deadlock or violate a foreign key: Postgres rolls one of them back. */
const UNDONE = new Set(['40P01', '23503', '23505']);

describe('List totals', () => {
  let database: TestDatabase;
  let clients: pg.Client[];
  before(async () => {
    database = await createTestDatabase();
    clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: database.url }));
    await Promise.all(clients.map((client) => client.connect()));
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await database.drop();
  });

  const query = async (sql: string) => (await clients[0]?.query(sql))?.rows;

  const work = async (client: pg.Client): Promise<void> => {
    for (let step = 0; step < STEPS; step += 1) {
      const change = CHANGES[Math.floor(Math.random() * CHANGES.length)] ?? '';
      const end = Math.random() < 0.1 ? 'rollback' : 'commit';
      try {
        await client.query('begin');
        await client.query(change);
        await client.query(end);
      } catch (error) {
        await client.query('rollback');
        if (!(error instanceof pg.DatabaseError && UNDONE.has(error.code ?? ''))) throw error;
      }
    }
  };

  it('equal a count after concurrent changes', async () => {
    await query(NEW_USERS);
    await query(NEW_PROJECTS);
    await Promise.all(clients.map(work));
    const counts = await query(COUNTS);
    expect(counts).to.have.length.above(8);
    expect(await query(TOTALS)).to.deep.equal(counts);
  });

  it('count a role that is assigned while its user is being blocked', async () => {
    const [one, other] = clients;
    const id = randomUUID();
    await query(`insert into users (id, email, password_hash) values ('${id}', '${id}@example.com', '-')`);
    await one?.query('begin');
    await one?.query('update users set is_blocked = true where id = $1', [id]);
    const given = other?.query("insert into user_roles (user_id, role) values ($1, 'CUSTOMER')", [id]);
    await one?.query('commit');
    await given;
    expect(await query(TOTALS)).to.deep.equal(await query(COUNTS));
  });

  it('are empty after TRUNCATE of their tables', async () => {
    await query('truncate users, teams cascade');
    expect(await query(TOTALS)).to.deep.equal([]);
  });
});
