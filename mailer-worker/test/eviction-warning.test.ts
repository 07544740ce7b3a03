import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { createClient } from 'redis';
import { composeWorker } from './compose-worker.ts';

const connect = (url: string) => createClient({ url }).on('error', () => undefined);

describe('A Redis that may drop what it holds', () => {
  let valkey: TestValkey;
  let redis: ReturnType<typeof connect>;
  let database: TestDatabase;
  before('start a Valkey of its own', async () => {
    valkey = await startTestValkey();
    redis = connect(valkey.url);
    await redis.connect();
    database = await createTestDatabase();
  });
  after('stop it', async () => {
    redis?.destroy();
    await valkey?.stop();
    await database?.drop();
  });

  /** What a worker that starts now logs about the policy, once it has connected. */
  const startWith = async (policy: string): Promise<string> => {
    await redis.flushDb();
    await redis.configSet('maxmemory-policy', policy);
    const worker = await composeWorker({
      DATABASE_URL: await withLoginOf('worker', database.url),
      REDIS_URL: valkey.url,
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    try {
      const hasSchedule = () => redis.exists('bull:maintenance:repeat');
      await waitFor('it has worked with Redis', async () => (await hasSchedule()) === 1);
      return worker.logs();
    } finally {
      await worker.stop();
    }
  };

  it('When a worker starts on it, then a warning names the policy and says what to do', async () => {
    const logs = await startWith('allkeys-lru');
    expect(logs).to.match(/"level":40[^\n]*maxmemory-policy is allkeys-lru[^\n]*noeviction/);
  });

  it('When the policy is noeviction, then there is no warning', async () => {
    expect(await startWith('noeviction')).not.to.include('maxmemory-policy');
  });
});
