import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { removeOldRows } from '../src/cleanup/remove-rows.ts';
import { countStatements } from './counting-database.ts';
import { agesLeftIn, insertOldRows, TABLES } from './old-rows.ts';

const KEPT = ['0 seconds', '1 day', '29 days', '29 days 23:59:00'];
const OLD = ['30 days 00:01:00', '31 days', '365 days', '10 years'];

describe('retention in the nightly cleanup', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  const connect = (url: string): DatabasePool =>
    connectDatabase({ url, applicationName: 'retention-test', maxConnections: 2, onError: () => undefined });
  beforeEach('create a database', async () => {
    database = await createTestDatabase();
    pool = connect(await withLoginOf('worker', database.url));
  });
  afterEach('drop it', async () => {
    await pool.close();
    await database.drop();
  });

  const query = (text: string, values: unknown[] = []) => queryDatabase(database.url, text, values);

  for (const table of TABLES)
    describe(`of ${table}`, () => {
      it('removes exactly the rows that are older than the days named', async () => {
        for (const age of [...KEPT, ...OLD]) await insertOldRows(database.url, table, age);
        expect(await removeOldRows(pool, table, 30)).to.equal(OLD.length);
        expect(await agesLeftIn(database.url, table)).to.have.members(KEPT);
        expect(await removeOldRows(pool, table, 30)).to.equal(0);
      });

      it('removes at most 200 rows with one statement', async () => {
        await insertOldRows(database.url, table, '31 days', 450);
        const { counting, rowsOf } = countStatements(pool);
        expect(await removeOldRows(counting, table, 30)).to.equal(450);
        expect(rowsOf(`remove-old-${table}`)).to.deep.equal([200, 200, 50]);
      });

      it('removes each row once when two workers run at once', async () => {
        await insertOldRows(database.url, table, '31 days', 1_000);
        await insertOldRows(database.url, table, '29 days');
        const removed = await Promise.all([removeOldRows(pool, table, 30), removeOldRows(pool, table, 30)]);
        expect(removed[0] + removed[1]).to.equal(1_000);
        expect(await agesLeftIn(database.url, table)).to.deep.equal(['29 days']);
      });
    });

  it('keeps a session that has tokens, however old', async () => {
    await insertOldRows(database.url, 'sessions', '31 days', 2);
    await query(
      `with tokens as (
         insert into token_records
           (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
         select user_id, gen_random_uuid(), now(), gen_random_uuid(), now() from sessions limit 1 returning id, user_id
       )
       update sessions s set token_id = tokens.id from tokens
       where s.id = (select id from sessions where user_id = tokens.user_id limit 1)`,
    );
    expect(await removeOldRows(pool, 'sessions', 30)).to.equal(1);
    expect(await query('select 1 from sessions where token_id is not null')).to.have.lengthOf(1);
  });

  it('keeps a session whose device is signing in, and does not wait for it', async () => {
    await insertOldRows(database.url, 'sessions', '31 days', 3);
    const signIn = await holdLock(
      database.url,
      'update sessions set updated_at = now() where id = (select id from sessions limit 1)',
    );
    expect(await removeOldRows(pool, 'sessions', 30)).to.equal(2);
    await signIn.commit();
    expect(await removeOldRows(pool, 'sessions', 30)).to.equal(0);
  });

  it('keeps a mail that is still to be sent, however old', async () => {
    await query(
      `insert into mail_outbox (mail, request_id, created_at) values ('{}', 'request-1', now() - interval '10 years')`,
    );
    expect(await removeOldRows(pool, 'mail_outbox', 30)).to.equal(0);
    expect(await query('select 1 from mail_outbox')).to.have.lengthOf(1);
  });

  it('keeps the totals of the audit log right', async () => {
    await insertOldRows(database.url, 'audit_records', '31 days', 301);
    await insertOldRows(database.url, 'audit_records', '29 days', 8);
    await removeOldRows(pool, 'audit_records', 30);
    const totals = 'select action, sum(total)::int as total from audit_totals group by 1 order by 1';
    expect(await query(totals)).to.deep.equal(
      await query('select action, count(*)::int as total from audit_records group by 1 order by 1'),
    );
  });
});
