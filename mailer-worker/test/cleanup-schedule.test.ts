import { connectBlockingRedis, type RedisClient } from '@platform/shared/redis/redis';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { scheduleCleanup } from '../src/cleanup/cleanup-schedule.ts';

type Schedule = ReturnType<typeof scheduleCleanup>;

/** What a clock on the wall of that zone shows. */
const wallClock = (time: number | undefined, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(time);

describe('The schedule of the clean-up', () => {
  let redis: TestRedis;
  let queue: Queue;
  const clients: RedisClient[] = [];
  const schedules: Schedule[] = [];
  let runs: number;
  const errors: Error[] = [];
  beforeEach('take a Redis', async () => {
    redis = await createTestRedis();
    queue = new Queue('maintenance', { connection: redis.client });
    runs = 0;
    errors.length = 0;
  });
  afterEach('give it back', async () => {
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
  const registered = async () => {
    const [only, ...others] = await queue.getJobSchedulers();
    expect(others).to.deep.equal([]);
    expect(await queue.getDelayedCount()).to.equal(1);
    if (!only) throw new Error('Nothing is registered');
    return only;
  };

  it('When many workers register it, again and again, then it is registered once, for the next 03:00', async () => {
    const workers = [startWorker(), startWorker(), startWorker(), startWorker()];
    await Promise.all(workers.map(({ ensure }) => ensure()));
    for (const { ensure } of workers) await ensure();
    const { next } = await registered();
    expect(wallClock(next, 'UTC')).to.equal('03:00:00');
    expect((next ?? 0) - Date.now()).to.be.within(0, 24 * 3_600_000);
    expect(errors).to.deep.equal([]);
  });

  for (const timeZone of ['Asia/Kolkata', 'America/New_York'])
    it(`When CLEANUP_TZ is ${timeZone}, then 03:00 is the one there`, async () => {
      await startWorker(timeZone).ensure();
      const { next } = await registered();
      expect(wallClock(next, timeZone)).to.equal('03:00:00');
      expect(wallClock(next, 'UTC')).not.to.equal('03:00:00');
    });

  it('When CLEANUP_TZ has changed since it was registered, then the new zone holds', async () => {
    await startWorker('UTC').ensure();
    await startWorker('Asia/Kolkata').ensure();
    expect(wallClock((await registered()).next, 'Asia/Kolkata')).to.equal('03:00:00');
  });

  it('When Redis was emptied, then the next look registers it again', async () => {
    const worker = startWorker();
    await worker.ensure();
    await redis.client.flushDb();
    expect(await queue.getJobSchedulers()).to.deep.equal([]);
    await worker.ensure();
    expect(wallClock((await registered()).next, 'UTC')).to.equal('03:00:00');
  });

  it('When its time has come, then one of the workers runs it, and it is due again the next day', async () => {
    const workers = [startWorker(), startWorker(), startWorker()];
    await workers[0]?.ensure();
    const { next = 0 } = await registered();
    const [job] = await queue.getDelayed();
    await job?.promote();
    await waitFor('it ran', async () => (await queue.getCompletedCount()) === 1);
    expect(runs).to.equal(1);
    // Looking meanwhile changes nothing.
    await Promise.all(workers.map(({ ensure }) => ensure()));
    expect(((await registered()).next ?? 0) - next).to.equal(24 * 3_600_000);
    expect(runs).to.equal(1);
  });
});
