import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage from 'knex';
import pg from 'pg';
import { down, up } from './20261205-role-lists.ts';

const CONNECTIONS = 4;
const STEPS = 50;

const DIFFERENT = `
  select r.user_id from user_roles r join users u on u.id = r.user_id
  where (r.user_created_at, r.is_blocked, r.user_email) is distinct from (u.created_at, u.is_blocked, u.email)`;

const A_USER = '(select id from users order by random() limit 1)';

const CHANGES = [
  "insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' from generate_series(1, 3)",
  `insert into user_roles (user_id, role) values (${A_USER}, 'CUSTOMER') on conflict do nothing`,
  `insert into user_roles (user_id, role) select id, 'EMPLOYEE' from users order by random() limit 3 on conflict do nothing`,
  `delete from user_roles where user_id = ${A_USER}`,
  `update user_roles set user_id = ${A_USER} where user_id = ${A_USER} and role = 'CUSTOMER'`,
  `update users set is_blocked = not is_blocked where id = ${A_USER}`,
  'update users set is_blocked = not is_blocked where id in (select id from users order by id limit 5)',
  `update users set email = gen_random_uuid() || '@example.com', deleted_at = null where id = ${A_USER}`,
  `update users set email = null, deleted_at = now() where id = ${A_USER}`,
  `delete from users where id = ${A_USER}`,
];

/** Concurrent changes may deadlock or violate a constraint: Postgres rolls one of them back. */
const UNDONE = new Set(['40P01', '23503', '23505']);

describe('columns of the user in the roles', () => {
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

  const query = async (sql: string, values: unknown[] = []) => (await clients[0]?.query(sql, values))?.rows;
  const createUser = async () => {
    const id = randomUUID();
    await query(
      "insert into users (id, email, password_hash, created_at) values ($1, $2, '-', '2020-02-02')",
      [id, `${id}@x.example`],
    );
    return id;
  };
  const findRole = async (id: string) =>
    (await query('select user_created_at, is_blocked from user_roles where user_id = $1', [id]))?.[0];

  it('are set in the statement of a sign-up, which does not name them', async () => {
    const [created] =
      (await query(`
        with u as (insert into users (email, password_hash) values ('sign-up@x.example', '-') returning id, created_at),
          r as (insert into user_roles (user_id, role) select id, 'CUSTOMER' from u)
        select id, created_at from u`)) ?? [];
    expect(await findRole(created.id)).to.deep.equal({
      user_created_at: created.created_at,
      is_blocked: false,
    });
  });

  it('follow a block and an unblock', async () => {
    const id = await createUser();
    await query("insert into user_roles (user_id, role) values ($1, 'CUSTOMER')", [id]);
    for (const isBlocked of [true, false]) {
      await query('update users set is_blocked = $2 where id = $1', [id, isBlocked]);
      expect(await findRole(id)).to.include({ is_blocked: isBlocked });
    }
  });

  it('follow a change of e-mail', async () => {
    const id = await createUser();
    await query("insert into user_roles (user_id, role) values ($1, 'CUSTOMER')", [id]);
    await query('update users set email = $2 where id = $1', [id, `new-${id}@x.example`]);
    const [role] = (await query('select user_email from user_roles where user_id = $1', [id])) ?? [];
    expect(role).to.deep.equal({ user_email: `new-${id}@x.example` });
  });

  it('are current when the user is blocked while the role is assigned', async () => {
    const [one, other] = clients;
    const id = await createUser();
    await one?.query('begin');
    await one?.query('update users set is_blocked = true where id = $1', [id]);
    const assigned = other?.query("insert into user_roles (user_id, role) values ($1, 'CUSTOMER')", [id]);
    await one?.query('commit');
    await assigned;
    expect(await findRole(id)).to.include({ is_blocked: true });
  });

  it('are current when the role is assigned while the user is blocked', async () => {
    const [one, other] = clients;
    const id = await createUser();
    await one?.query('begin');
    await one?.query("insert into user_roles (user_id, role) values ($1, 'CUSTOMER')", [id]);
    const blocked = other?.query('update users set is_blocked = true where id = $1', [id]);
    await one?.query('commit');
    await blocked;
    expect(await findRole(id)).to.include({ is_blocked: true });
  });

  it('still reject a role of no user by its foreign key', async () => {
    const error = await query(
      "insert into user_roles (user_id, role) values (gen_random_uuid(), 'ADMIN')",
    ).catch((caught: unknown) => caught);
    expect(error).to.include({ code: '23503' });
  });

  it('equal those of the users after concurrent changes', async () => {
    const work = async (client: pg.Client): Promise<void> => {
      for (let step = 0; step < STEPS; step += 1) {
        try {
          await client.query(CHANGES[Math.floor(Math.random() * CHANGES.length)] ?? '');
        } catch (error) {
          if (!(error instanceof pg.DatabaseError && UNDONE.has(error.code ?? ''))) throw error;
        }
      }
    };
    await Promise.all(clients.map(work));
    expect(await query('select 1 from user_roles limit 1')).to.have.length(1);
    expect(await query(DIFFERENT)).to.deep.equal([]);
  });

  describe('of the previous release', () => {
    const db = () => knexPackage.knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    const migrate = async (change: typeof up) => {
      const connection = db();
      await change(connection).finally(() => connection.destroy());
    };

    it('are filled by the migration, also when it is repeated', async () => {
      await migrate(down);
      await query(`insert into users (email, password_hash, is_blocked, created_at)
        select n || '@filled.example', '-', n % 2 = 0, now() - n * interval '1 hour' from generate_series(1, 4500) n`);
      await query(
        "insert into user_roles (user_id, role) select id, 'ARBITER' from users on conflict do nothing",
      );
      await migrate(up);
      expect(await query(DIFFERENT)).to.deep.equal([]);
      await migrate(up);
      expect(await query(DIFFERENT)).to.deep.equal([]);
    });
  });
});
