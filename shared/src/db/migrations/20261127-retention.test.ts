import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage from 'knex';
import pg from 'pg';
import { down, up } from './20261127-retention.ts';

const CONNECTIONS = 12;
const STEPS = 40;

const COUNTS = 'select action, count(*)::int as total from audit_records group by 1 order by 1';
const TOTALS = `
  select * from (select action, sum(total)::int as total from audit_totals group by 1) totals
  where total <> 0 order by 1`;

const insert = (rows: number) => `
  insert into audit_records (action, target_type, target_id, request_id, address)
  select (array['A', 'B', 'C'])[1 + (n + ${rows}) % 3], 'USER', 'x', 'x', 'x' from generate_series(1, ${rows}) n`;
const remove = (rows: number) => `
  with old as (select id from audit_records order by random() limit ${rows})
  delete from audit_records a using old where a.id = old.id`;
const CHANGES = [insert(1), insert(2), insert(5), remove(1), remove(4)];

describe('totals of the audit log', () => {
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

  /** Two deletes at once may lock the same rows in another order: Postgres rolls one of them back. */
  const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01';

  const change = async (client: pg.Client): Promise<void> => {
    for (let step = 0; step < STEPS; step += 1) {
      const text = CHANGES[Math.floor(Math.random() * CHANGES.length)] ?? '';
      try {
        await client.query('begin');
        await client.query(text);
        await client.query(Math.random() < 0.1 ? 'rollback' : 'commit');
      } catch (error) {
        await client.query('rollback');
        if (!isDeadlock(error)) throw error;
      }
    }
  };

  it('equal a count after concurrent changes', async () => {
    await query(insert(100));
    await Promise.all(clients.map(change));
    const counts = await query(COUNTS);
    expect(counts).to.have.lengthOf(3);
    expect(await query(TOTALS)).to.deep.equal(counts);
  });

  it('include records from before the migration', async () => {
    const db = knexPackage.knex({ client: 'pg', connection: database.url });
    try {
      await down(db);
      await query(insert(7));
      await up(db);
    } finally {
      await db.destroy();
    }
    expect(await query(TOTALS)).to.deep.equal(await query(COUNTS));
  });

  it('are empty after TRUNCATE', async () => {
    await query('truncate audit_records');
    expect(await query(TOTALS)).to.deep.equal([]);
  });
});
