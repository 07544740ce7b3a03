import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { runScript } from '@platform/shared/testing/process';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { countStatements } from '../../testing/count-statements.ts';
import { useWorkerDatabase } from '../../testing/worker-database.ts';
import { deleteExpiredTokens } from './expired-rows.ts';

const INSERT_SESSIONS = `
  with owner as (insert into users (email, password_hash) values ($1, '-') returning id),
  tokens as (
    insert into token_records
      (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
    select owner.id, gen_random_uuid(), now(), gen_random_uuid(), now() + make_interval(secs => seconds)
    from owner, unnest($2::int[]) seconds
    returning id, user_id
  )
  insert into sessions (user_id, token_id, fingerprint, ip)
  select user_id, id, id::text, '127.0.0.1' from tokens returning token_id as "tokenId"`;

describe('cleanup of expired tokens', () => {
  const { url, database, query } = useWorkerDatabase();

  /**
   * Creates sessions of one user, whose refresh tokens expire in `seconds`; returns the ids of the token
   * records.
   */
  const createSessions = async (...seconds: number[]): Promise<string[]> =>
    (await query<{ tokenId: string }>(INSERT_SESSIONS, [uniqueEmail(), seconds])).map(
      ({ tokenId }) => tokenId,
    );
  const getRecordIds = async () =>
    (await query<{ id: string }>('select id from token_records')).map(({ id }) => id);

  it('deletes exactly the records whose refresh token expired', async () => {
    await createSessions(-3_600, -1, -1);
    const live = await createSessions(5, 3_600, 7_200);
    expect(await deleteExpiredTokens(database())).to.equal(3);
    expect(await getRecordIds()).to.have.members(live);
  });

  it('keeps the session of a deleted record, without tokens', async () => {
    await createSessions(-1, 3_600);
    await deleteExpiredTokens(database());
    const sessions = await query<{ tokenId: string | null }>('select token_id as "tokenId" from sessions');
    expect(sessions.length).to.equal(2);
    expect(sessions.filter(({ tokenId }) => tokenId === null).length).to.equal(1);
  });

  it('keeps a record when only its access token expired', async () => {
    const live = await createSessions(3_600);
    await query("update token_records set access_token_expired_at = now() - interval '1 day'");
    expect(await deleteExpiredTokens(database())).to.equal(0);
    expect(await getRecordIds()).to.deep.equal(live);
  });

  it('deletes in batches of 200, each committed before the next', async () => {
    await createSessions(...Array.from({ length: 450 }, () => -1));
    await createSessions(60);
    const remaining: number[] = [];
    const { countingDatabase, getRowCounts } = countStatements(database(), async () => {
      remaining.push((await getRecordIds()).length);
    });
    expect(await deleteExpiredTokens(countingDatabase)).to.equal(450);
    expect(getRowCounts('remove-expired-records')).to.deep.equal([200, 200, 50]);
    // Counting on another connection sees committed changes only.
    expect(remaining.slice(0, 3)).to.deep.equal([251, 51, 1]);
    await query('delete from sessions');
    await query('update token_records set refresh_token_expired_at = now()');
    expect(await deleteExpiredTokens(countingDatabase)).to.equal(1);
    expect(getRowCounts('remove-orphaned-records')).to.deep.equal([0, 1]);
  });

  it('skips a locked record and deletes it the next time', async () => {
    const [held = '', ...others] = await createSessions(-1, -1, -1);
    const lock = await holdLock(url(), 'select 1 from token_records where id = $1 for update', [held]);
    expect(await deleteExpiredTokens(database())).to.equal(others.length);
    expect(await getRecordIds()).to.deep.equal([held]);
    await lock.release();
    expect(await deleteExpiredTokens(database())).to.equal(1);
    expect(await getRecordIds()).to.deep.equal([]);
  });

  it('skips the record of a device that is signing in; neither waits for the other', async () => {
    const [held = '', ...others] = await createSessions(-1, -1, -1);
    // This is the first statement of a sign-in; the next one deletes the old record.
    const signIn = await holdLock(url(), 'update sessions set updated_at = now() where token_id = $1', [
      held,
    ]);
    expect(await deleteExpiredTokens(database())).to.equal(others.length);
    expect(await getRecordIds()).to.deep.equal([held]);
    await signIn.release();
    expect(await deleteExpiredTokens(database())).to.equal(1);
  });

  it('deletes each record once when two cleanups run concurrently', async () => {
    await createSessions(...Array.from({ length: 2_500 }, () => -1));
    const deleted = await Promise.all([deleteExpiredTokens(database()), deleteExpiredTokens(database())]);
    expect(deleted[0] + deleted[1]).to.equal(2_500);
    expect(await getRecordIds()).to.deep.equal([]);
  });

  it('runs now with `npm run cleanup:tokens` and prints the number of deleted records', async () => {
    await createSessions(-1, -1, 60);
    const environment = { DATABASE_URL: await withLoginOf('worker', url()) };
    const { code, output } = await runScript('mailer-worker/src/run-cleanup.ts', [], environment);
    expect({ code, output }).to.deep.equal({ code: 0, output: 'Deleted 2 expired token records.\n' });
    expect((await getRecordIds()).length).to.equal(1);
  });
});
