import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { runScript } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { removeExpiredTokens } from '../src/cleanup/remove-rows.ts';
import { countStatements } from './counting-database.ts';

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

describe('The clean-up of expired tokens', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  beforeEach('create a database', async () => {
    database = await createTestDatabase();
    pool = connectDatabase({
      url: await withLoginOf('worker', database.url),
      applicationName: 'cleanup-test',
      maxConnections: 2,
      onError: () => undefined,
    });
  });
  afterEach('drop it', async () => {
    await pool.close();
    await database.drop();
  });

  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    queryDatabase<Row & Record<string, unknown>>(database.url, text, values);
  /** Sessions of one user whose refresh tokens expire so many seconds from now; the ids of their records. */
  const openSessions = async (...seconds: number[]): Promise<string[]> =>
    (await query<{ tokenId: string }>(INSERT_SESSIONS, [uniqueEmail(), seconds])).map(
      ({ tokenId }) => tokenId,
    );
  const records = async () =>
    (await query<{ id: string }>('select id from token_records')).map(({ id }) => id);
  const supersede = (tokenId: string, seconds: number) =>
    query(
      `insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, expired_at)
       values (gen_random_uuid(), $1, gen_random_uuid(), now() + make_interval(secs => $2))`,
      [tokenId, seconds],
    );
  const countSuperseded = async () => (await query('select 1 from superseded_refresh_tokens')).length;

  it('When some refresh lifetimes have passed, then exactly their records go', async () => {
    await openSessions(-3_600, -1, -1);
    const live = await openSessions(5, 3_600, 7_200);
    expect(await removeExpiredTokens(pool)).to.equal(3);
    expect(await records()).to.have.members(live);
  });

  it('When a record goes, then its session stays, without tokens, for the device’s next sign-in', async () => {
    await openSessions(-1, 3_600);
    await removeExpiredTokens(pool);
    const sessions = await query<{ tokenId: string | null }>('select token_id as "tokenId" from sessions');
    expect(sessions.length).to.equal(2);
    expect(sessions.filter(({ tokenId }) => tokenId === null).length).to.equal(1);
  });

  it('When the access token alone has expired, then the record stays', async () => {
    const live = await openSessions(3_600);
    await query("update token_records set access_token_expired_at = now() - interval '1 day'");
    expect(await removeExpiredTokens(pool)).to.equal(0);
    expect(await records()).to.deep.equal(live);
  });

  it('When tokens were exchanged, then their history goes with the record, or once it has expired itself', async () => {
    const [expired = '', live = ''] = await openSessions(-1, 3_600);
    await supersede(expired, -1);
    await supersede(live, -1);
    await supersede(live, 3_600);
    await removeExpiredTokens(pool);
    expect(await countSuperseded()).to.equal(1);
  });

  it('When nothing has expired, then nothing goes', async () => {
    expect(await removeExpiredTokens(pool)).to.equal(0);
    const live = await openSessions(60, 60);
    expect(await removeExpiredTokens(pool)).to.equal(0);
    expect(await records()).to.have.members(live);
  });

  it('When there are many, then they go in batches of 200, each committed before the next', async () => {
    await openSessions(...Array.from({ length: 450 }, () => -1));
    await query(
      `insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, expired_at)
      select gen_random_uuid(), $1, gen_random_uuid(), now() from generate_series(1, 450)`,
      [(await openSessions(60))[0]],
    );
    const left: number[] = [];
    const { counting, rowsOf } = countStatements(pool, async () => {
      left.push((await records()).length);
    });
    expect(await removeExpiredTokens(counting)).to.equal(450);
    expect(rowsOf('remove-expired-records')).to.deep.equal([200, 200, 50]);
    // Another connection sees what is committed.
    expect(left.slice(0, 3)).to.deep.equal([251, 51, 1]);
    expect(rowsOf('remove-expired-superseded')).to.deep.equal([200, 200, 50]);
    await query('delete from sessions');
    await query('update token_records set refresh_token_expired_at = now()');
    expect(await removeExpiredTokens(counting)).to.equal(1);
    expect(rowsOf('remove-orphaned-records')).to.deep.equal([0, 1]);
  });

  it('When others hold a record, then it is passed over, and goes the next time', async () => {
    const [held = '', ...others] = await openSessions(-1, -1, -1);
    const lock = await holdLock(database.url, 'select 1 from token_records where id = $1 for update', [held]);
    const started = performance.now();
    expect(await removeExpiredTokens(pool)).to.equal(others.length);
    expect(performance.now() - started).to.be.below(1_500);
    expect(await records()).to.deep.equal([held]);
    await lock.release();
    expect(await removeExpiredTokens(pool)).to.equal(1);
    expect(await records()).to.deep.equal([]);
  });

  it('When a device is signing in just now, then its record is passed over: neither waits for the other', async () => {
    const [held = '', ...others] = await openSessions(-1, -1, -1);
    // What a sign-in does first; it deletes the old record next.
    const signIn = await holdLock(
      database.url,
      'update sessions set updated_at = now() where token_id = $1',
      [held],
    );
    const started = performance.now();
    expect(await removeExpiredTokens(pool)).to.equal(others.length);
    expect(performance.now() - started).to.be.below(1_500);
    expect(await records()).to.deep.equal([held]);
    await signIn.release();
    expect(await removeExpiredTokens(pool)).to.equal(1);
  });

  it('When a record belongs to no session, then it goes all the same', async () => {
    const [expired, live = ''] = await openSessions(-1, 60);
    await query('delete from sessions');
    expect(await removeExpiredTokens(pool)).to.equal(1);
    expect(await records())
      .to.deep.equal([live])
      .and.not.to.include(expired);
  });

  it('When two clean-ups run at once, then each record goes once', async () => {
    await openSessions(...Array.from({ length: 2_500 }, () => -1));
    const removed = await Promise.all([removeExpiredTokens(pool), removeExpiredTokens(pool)]);
    expect(removed[0] + removed[1]).to.equal(2_500);
    expect(await records()).to.deep.equal([]);
  });

  it('When an operator runs `npm run cleanup:tokens`, then it removes them now and prints how many', async () => {
    await openSessions(-1, -1, 60);
    const environment = { DATABASE_URL: await withLoginOf('worker', database.url) };
    const { code, output } = await runScript('mailer-worker/src/run-cleanup.ts', [], environment);
    expect({ code, output }).to.deep.equal({ code: 0, output: 'Removed 2 expired token records.\n' });
    expect((await records()).length).to.equal(1);
  });
});
