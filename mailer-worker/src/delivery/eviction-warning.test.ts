import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { createClient } from 'redis';
import { startTestWorker } from '../../testing/test-worker.ts';

const connect = (url: string) => createClient({ url }).on('error', () => undefined);

describe('Redis eviction policy warning', () => {
  let valkey: TestValkey;
  let redis: ReturnType<typeof connect>;
  let database: TestDatabase;
  before('start a separate Valkey', async () => {
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

  const getStartLogs = async (policy: string): Promise<string> => {
    await redis.flushDb();
    await redis.configSet('maxmemory-policy', policy);
    const worker = await startTestWorker({
      DATABASE_URL: await withLoginOf('worker', database.url),
      REDIS_URL: valkey.url,
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    try {
      const hasSchedule = () => redis.exists('bull:maintenance:repeat');
      await waitFor('the worker used Redis', async () => (await hasSchedule()) === 1);
      return worker.logs();
    } finally {
      await worker.stop();
    }
  };

  it('logs a warning that names the policy and the fix', async () => {
    const logs = await getStartLogs('allkeys-lru');
    expect(logs).to.match(/"level":40[^\n]*maxmemory-policy is allkeys-lru[^\n]*noeviction/);
  });

  it('logs no warning when the policy is noeviction', async () => {
    expect(await getStartLogs('noeviction')).not.to.include('maxmemory-policy');
  });
});
