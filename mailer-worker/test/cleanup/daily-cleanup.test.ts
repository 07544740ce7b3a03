import { waitFor } from '@platform/shared/testing/poll';
import { type LogLine, type NodeProcess, startService } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { WORKER_ENVIRONMENT } from '../test-worker.ts';

const CLOCK = new URL('./clock-offset.ts', import.meta.url).href;
const DAY_MILLISECONDS = 24 * 3_600_000;
const CLEANUP_TIME_MILLISECONDS = 3 * 3_600_000;
/** The workers' clocks start this long before 03:00: enough to start, and the test waits no longer than needed. */
const START_MILLISECONDS = 12_000;

describe('daily cleanup', () => {
  let database: TestDatabase;
  let databaseUrl: string;
  let redis: TestRedis;
  let workers: NodeProcess[] = [];
  before('create a database and a Redis', async () => {
    [database, redis] = [await createTestDatabase(), await createTestRedis()];
    databaseUrl = await withLoginOf('worker', database.url);
    await queryDatabase(
      database.url,
      `with owner as (insert into users (email, password_hash) values ('ada@example.com', '-') returning id)
       insert into token_records
         (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
       select id, gen_random_uuid(), now(), gen_random_uuid(), now() + make_interval(secs => seconds)
       from owner, unnest(array[-3, -2, -1, 3600]) seconds`,
    );
    await queryDatabase(
      database.url,
      `insert into totp_factors (user_id, sealed_secret, created_at) select id, 'pending', now() - interval '2 days' from users`,
    );
  });
  after('drop them', async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    await redis?.drop();
    await database?.drop();
  });

  const start = (clockOffset: number): NodeProcess =>
    startService(
      'mailer-worker',
      {
        WORKER_OPS_PORT: '0',
        ...WORKER_ENVIRONMENT,
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis.url,
        SMTP_URL: 'smtp://127.0.0.1:1',
        CLOCK_OFFSET_MILLISECONDS: String(clockOffset),
      },
      ['--import', CLOCK],
    );
  const findLogLines = (message: string): LogLine[] =>
    workers.flatMap(({ logLines }) => logLines().filter(({ msg }) => msg === message));

  it('deletes the expired tokens and factors once at 03:00 with two workers', async () => {
    const beforeThree =
      Date.now() - (Date.now() % DAY_MILLISECONDS) + CLEANUP_TIME_MILLISECONDS - START_MILLISECONDS;
    const offset = beforeThree - Date.now();
    workers = [start(offset), start(offset)];
    await Promise.all(workers.map(({ listening }) => listening()));
    for (const { time } of findLogLines('listening')) expect(time).to.match(/T02:59:/, 'started too late');

    const [run] = await waitFor('the cleanup runs', () => {
      const runs = findLogLines('expired tokens removed');
      return runs.length > 0 && runs;
    });
    expect(run?.time).to.match(/T03:00:0[0-2]/);
    expect(run?.removed).to.equal(3);

    const [factors] = await waitFor('the unconfirmed factors are deleted', () => {
      const lines = findLogLines('unconfirmed second factors removed');
      return lines.length > 0 && lines;
    });
    expect(factors?.removed).to.equal(1);

    const queue = new Queue('maintenance', { connection: redis.client });
    const counts = await waitFor('the run ends', async () => {
      const current = await queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
      return current['active'] === 0 && current;
    });
    expect(counts).to.deep.equal({ waiting: 0, active: 0, delayed: 1, failed: 0 });
    const [next] = await queue.getJobSchedulers();
    expect(next?.next).to.equal(beforeThree + START_MILLISECONDS + DAY_MILLISECONDS);
    await queue.close();
    const exits = await Promise.all(workers.map((worker) => worker.stop()));
    expect(exits.map(({ code }) => code)).to.deep.equal([0, 0]);
    expect(findLogLines('expired tokens removed').length).to.equal(1);
  });
});
