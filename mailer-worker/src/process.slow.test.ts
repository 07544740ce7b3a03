import { startTestValkey, type TestValkey } from '@platform/dev/testing/test-valkey';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { WORKER_ENVIRONMENT } from '../testing/test-worker.ts';

const UNREACHABLE = {
  DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
  REDIS_URL: 'redis://127.0.0.1:1',
  SMTP_URL: 'smtp://127.0.0.1:1',
};

const getJson = async (url: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
};

describe('mailer-worker process', () => {
  let database: TestDatabase;
  let valkey: TestValkey;
  const workers: NodeProcess[] = [];
  before('start a separate Valkey', async () => {
    [database, valkey] = [await createTestDatabase(), await startTestValkey()];
  });
  after('stop it', async () => {
    await valkey?.stop();
    await database?.drop();
  });
  afterEach('kill the remaining workers', async () => {
    valkey.thaw();
    for (const worker of workers.splice(0)) {
      worker.kill();
      await worker.waitForExit();
    }
  });
  const start = (environment: Record<string, string>): NodeProcess => {
    const worker = startService('mailer-worker', { WORKER_OPS_PORT: '0', ...environment });
    workers.push(worker);
    return worker;
  };
  const startReady = async (): Promise<{ worker: NodeProcess; opsUrl: string }> => {
    const worker = start({
      ...WORKER_ENVIRONMENT,
      ...UNREACHABLE,
      DATABASE_URL: await withLoginOf('worker', database.url),
      REDIS_URL: valkey.url,
    });
    const { opsUrl } = await worker.listening();
    await waitFor('the worker is ready', async () => (await getJson(`${opsUrl}/readyz`)).status === 200);
    return { worker, opsUrl };
  };
  const expectCleanStop = async (worker: NodeProcess): Promise<void> => {
    expect(await worker.stop(), worker.output()).to.include({ code: 0 });
    expect(worker.logLines().at(-1)?.msg).to.equal('stopped');
  };

  it('starts without Postgres and Redis, reports 503 on /readyz and stops on SIGTERM', async () => {
    const worker = start({ ...WORKER_ENVIRONMENT, ...UNREACHABLE });
    const { opsUrl } = await worker.listening();
    expect(await getJson(`${opsUrl}/healthz`)).to.deep.equal({ status: 200, body: { status: 'ok' } });
    expect(await getJson(`${opsUrl}/readyz`)).to.deep.equal({
      status: 503,
      body: { status: 'unavailable', failing: ['postgres', 'postgres-writes', 'redis'] },
    });
    await expectCleanStop(worker);
  });

  it('returns 503 on /readyz until Redis is back', async () => {
    const { worker, opsUrl } = await startReady();
    valkey.freeze();
    const isReady = async () => (await getJson(`${opsUrl}/readyz`)).status === 200;
    await waitFor('the worker is not ready', async () => !(await isReady()));
    valkey.thaw();
    valkey.kill();
    await waitFor('the worker is ready again', isReady);
    await expectCleanStop(worker);
  });
});
