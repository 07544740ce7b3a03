import { connectBlockingRedis } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { scheduleCleanup } from './cleanup-schedule.ts';

type Schedule = ReturnType<typeof scheduleCleanup>;

const toLocalTime = (time: number | undefined, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(time);

describe('cleanup schedule', () => {
  let redis: TestRedis;
  let queue: Queue;
  const clients: RedisClient[] = [];
  const schedules: Schedule[] = [];
  let runs: number;
  const errors: Error[] = [];
  beforeEach('create a Redis', async () => {
    redis = await createTestRedis();
    queue = new Queue('maintenance', { connection: redis.client });
    runs = 0;
    errors.length = 0;
  });
  afterEach('drop it', async () => {
    await Promise.all(schedules.splice(0).map((schedule) => schedule.close()));
    for (const client of clients.splice(0)) client.destroy();
    await queue.close();
    await redis.drop();
  });

  const startWorker = (timeZone = 'UTC'): Schedule => {
    const client = connectBlockingRedis(redis.url, (error) => errors.push(error));
    clients.push(client);
    const schedule = scheduleCleanup({
      redis: client,
      timeZone,
      run: async () => {
        runs += 1;
      },
      onError: (error) => errors.push(error),
    });
    schedules.push(schedule);
    return schedule;
  };
  const getRegistered = async () => {
    const [only, ...others] = await queue.getJobSchedulers();
    expect(others).to.deep.equal([]);
    expect(await queue.getDelayedCount()).to.equal(1);
    if (!only) throw new Error('No schedule is registered');
    return only;
  };

  it('is registered once for the next 03:00, however many workers register it', async () => {
    const workers = [startWorker(), startWorker(), startWorker(), startWorker()];
    await Promise.all(workers.map(({ ensure }) => ensure()));
    for (const { ensure } of workers) await ensure();
    const { next } = await getRegistered();
    expect(toLocalTime(next, 'UTC')).to.equal('03:00:00');
    expect((next ?? 0) - Date.now()).to.be.within(0, 24 * 3_600_000);
    expect(errors).to.deep.equal([]);
  });

  for (const timeZone of ['Asia/Kolkata', 'America/New_York'])
    it(`runs at 03:00 of CLEANUP_TZ ${timeZone}`, async () => {
      await startWorker(timeZone).ensure();
      const { next } = await getRegistered();
      expect(toLocalTime(next, timeZone)).to.equal('03:00:00');
      expect(toLocalTime(next, 'UTC')).not.to.equal('03:00:00');
    });

  it('uses the new time zone after CLEANUP_TZ changed', async () => {
    await startWorker('UTC').ensure();
    await startWorker('Asia/Kolkata').ensure();
    expect(toLocalTime((await getRegistered()).next, 'Asia/Kolkata')).to.equal('03:00:00');
  });

  it('is registered again by the next check after Redis was emptied', async () => {
    const worker = startWorker();
    await worker.ensure();
    await redis.client.flushDb();
    expect(await queue.getJobSchedulers()).to.deep.equal([]);
    await worker.ensure();
    expect(toLocalTime((await getRegistered()).next, 'UTC')).to.equal('03:00:00');
  });

  it('runs on one of the workers and is due again the next day', async () => {
    const workers = [startWorker(), startWorker(), startWorker()];
    await workers[0]?.ensure();
    const { next = 0 } = await getRegistered();
    const [job] = await queue.getDelayed();
    await job?.promote();
    await waitFor('the cleanup ran', async () => (await queue.getCompletedCount()) === 1);
    expect(runs).to.equal(1);
    await Promise.all(workers.map(({ ensure }) => ensure()));
    expect(((await getRegistered()).next ?? 0) - next).to.equal(24 * 3_600_000);
    expect(runs).to.equal(1);
  });
});
