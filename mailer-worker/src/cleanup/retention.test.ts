import { holdLock } from '@platform/shared/testing/hold-lock';
import { expect } from 'chai';
import { getAgesIn, insertAgedRows, TABLES } from '../../testing/aged-rows.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { useWorkerDatabase } from '../../testing/worker-database.ts';
import { deleteExpiredRows } from './expired-rows.ts';

const RETAINED_AGES = ['0 seconds', '1 day', '29 days', '29 days 23:59:00'];
const EXPIRED_AGES = ['30 days 00:01:00', '31 days', '365 days', '10 years'];

describe('retention in the daily cleanup', () => {
  const { url, database, query } = useWorkerDatabase();

  for (const table of TABLES)
    describe(`of ${table}`, () => {
      it('deletes exactly the rows that are older than the retention period', async () => {
        for (const age of [...RETAINED_AGES, ...EXPIRED_AGES]) await insertAgedRows(url(), table, age);
        expect(await deleteExpiredRows(database(), table, 30)).to.equal(EXPIRED_AGES.length);
        expect(await getAgesIn(url(), table)).to.have.members(RETAINED_AGES);
        expect(await deleteExpiredRows(database(), table, 30)).to.equal(0);
      });

      it('deletes at most 200 rows per statement', async () => {
        await insertAgedRows(url(), table, '31 days', 450);
        const { countingDatabase, getRowCounts } = countStatements(database());
        expect(await deleteExpiredRows(countingDatabase, table, 30)).to.equal(450);
        expect(getRowCounts(`remove-old-${table}`)).to.deep.equal([200, 200, 50]);
      });

      it('deletes each row once when two workers run concurrently', async () => {
        await insertAgedRows(url(), table, '29 days');
        await insertAgedRows(url(), table, '31 days', 1_000);
        const deleted = await Promise.all([
          deleteExpiredRows(database(), table, 30),
          deleteExpiredRows(database(), table, 30),
        ]);
        expect(deleted[0] + deleted[1]).to.equal(1_000);
        expect(await getAgesIn(url(), table)).to.deep.equal(['29 days']);
      });
    });

  it('keeps a session that has tokens, at any age', async () => {
    await insertAgedRows(url(), 'sessions', '31 days', 2);
    await query(
      `with tokens as (
         insert into token_records
           (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
         select user_id, gen_random_uuid(), now(), gen_random_uuid(), now() from sessions limit 1 returning id, user_id
       )
       update sessions s set token_id = tokens.id from tokens
       where s.id = (select id from sessions where user_id = tokens.user_id limit 1)`,
    );
    expect(await deleteExpiredRows(database(), 'sessions', 30)).to.equal(1);
    expect(await query('select 1 from sessions where token_id is not null')).to.have.lengthOf(1);
  });

  it('skips a session that a sign-in has locked, without waiting', async () => {
    await insertAgedRows(url(), 'sessions', '31 days', 3);
    const signIn = await holdLock(
      url(),
      'update sessions set updated_at = now() where id = (select id from sessions limit 1)',
    );
    expect(await deleteExpiredRows(database(), 'sessions', 30)).to.equal(2);
    await signIn.commit();
    expect(await deleteExpiredRows(database(), 'sessions', 30)).to.equal(0);
  });

  it('keeps the newest event at any age, and numbers events that were never read', async () => {
    const unread = `insert into events (type, subject, recorded_at)
      select 'user.blocked', gen_random_uuid(), now() - n * interval '1 year' from generate_series(2, 4) n`;
    await query(unread);
    // The start of the feed is new, and everything after it stays.
    expect(await deleteExpiredRows(database(), 'events', 30)).to.equal(0);
    await query("update events set recorded_at = '2020-01-01' where type is null");
    expect(await deleteExpiredRows(database(), 'events', 30)).to.equal(3);
    expect(await query('select position::int from events')).to.deep.equal([{ position: 4 }]);
  });

  it('keeps an event at any age while one before it in the feed is kept', async () => {
    // Each position precedes those of the rows inserted before.
    for (const age of ['31 days', '29 days', '32 days']) await insertAgedRows(url(), 'events', age);
    expect(await deleteExpiredRows(database(), 'events', 30)).to.equal(1);
    expect(await getAgesIn(url(), 'events')).to.deep.equal(['29 days', '31 days']);
  });

  it('keeps an event that was recorded long after it occurred', async () => {
    await query(
      `insert into events (type, subject, occurred_at) values ('user.created', gen_random_uuid(), '2020-01-01')`,
    );
    await query("insert into events (type, subject) values ('user.blocked', gen_random_uuid())");
    expect(await deleteExpiredRows(database(), 'events', 30)).to.equal(0);
  });

  it('keeps the id of a mail of another service that waits, has failed or is recorded, at any age', async () => {
    await insertAgedRows(url(), 'service_mails', '31 days', 4);
    const ids = (await query<{ id: string }>('select id from service_mails')).map(({ id }) => id);
    await query(
      `insert into mail_outbox (id, mail, request_id, failed_at) values ($1, '{}', 'r', null), ($2, '{}', 'r', now())`,
      ids.slice(0, 2),
    );
    await query(
      `insert into sent_mails (id, user_id, mail, recipient, state)
       select id, user_id, 'service-message', '-', 'sent' from service_mails where id = $1`,
      [ids[2]],
    );
    expect(await deleteExpiredRows(database(), 'service_mails', 30)).to.equal(1);
    const kept = await query<{ id: string }>('select id from service_mails');
    expect(kept.map(({ id }) => id)).to.have.members(ids.slice(0, 3));
  });

  it('keeps a pending mail, at any age', async () => {
    await query(
      `insert into mail_outbox (mail, request_id, created_at) values ('{}', 'request-1', now() - interval '10 years')`,
    );
    expect(await deleteExpiredRows(database(), 'mail_outbox', 30)).to.equal(0);
    expect(await query('select 1 from mail_outbox')).to.have.lengthOf(1);
  });
});
