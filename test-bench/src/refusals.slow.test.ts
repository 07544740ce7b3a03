import { sharedEngines } from '@platform/shared/testing/engines';
import { type ServiceName, startProcess, startService } from '@platform/shared/testing/process';
import { getRejection } from '@platform/shared/testing/rejection';
import { useDatabase } from '@platform/shared/testing/use-database';
import { expect } from 'chai';
import { REQUIRED_VARIABLES } from '../../tools/deploy/processes.ts';
import { markDatabase } from './mark/mark.ts';

const SERVICES: ServiceName[] = ['auth-service', 'admin-service', 'mailer-worker'];

describe('mark of the test bench', () => {
  const { url, records } = useDatabase();

  /** The settings of a process on the database of the test, with any free ports. */
  const getEnvironment = async (nodeEnv: string): Promise<Record<string, string>> => ({
    ...REQUIRED_VARIABLES,
    NODE_ENV: nodeEnv,
    DATABASE_URL: url(),
    REDIS_URL: (await sharedEngines()).redisUrl,
    ...Object.fromEntries(
      ['AUTH_API_PORT', 'AUTH_OPS_PORT', 'ADMIN_API_PORT', 'ADMIN_OPS_PORT', 'WORKER_OPS_PORT'].map(
        (name) => [name, '0'],
      ),
    ),
  });
  const startTestBench = async (nodeEnv: string) =>
    startProcess(['test-bench/src/main.ts'], {
      environment: {
        ...(await getEnvironment(nodeEnv)),
        TEST_BENCH_PORT: '0',
        TEST_BENCH_PROXY_PORT: '0',
        TEST_BENCH_GATEWAY_URL: 'http://127.0.0.1:1',
        TEST_BENCH_INBOX_URL: 'http://127.0.0.1:1',
        TEST_BENCH_SECRET: 'a secret of a test',
      },
    });

  it('is not written into a database with users', async () => {
    await records().user(['CUSTOMER']);
    const error = await getRejection(markDatabase(url()));
    expect(error.message).to.match(/has users.*Start the test bench with an empty database/);
    expect(await records().query("select to_regnamespace('test_bench') as schema")).to.deep.equal([
      { schema: null },
    ]);
  });

  it('stays in a database that has users since', async () => {
    await markDatabase(url());
    await records().user(['CUSTOMER']);
    await markDatabase(url());
  });

  for (const service of SERVICES)
    it(`keeps ${service} from starting in production`, async () => {
      await markDatabase(url());
      const started = startService(service, await getEnvironment('production'));
      const { code } = await started.waitForExit();
      expect(started.output()).to.match(/Cannot start: .*test bench \(schema test_bench\).*empty one/);
      expect(code).to.equal(1);
    });

  it('is required by the test bench', async () => {
    const started = await startTestBench('development');
    const { code } = await started.waitForExit();
    expect(started.output()).to.match(/Cannot start: DATABASE_URL: .*no mark.*npm run test-bench/);
    expect(code).to.equal(1);
  });

  it('does not let the test bench start in production', async () => {
    await markDatabase(url());
    const started = await startTestBench('production');
    const { code } = await started.waitForExit();
    expect(started.output()).to.match(/Cannot start: .*NODE_ENV=production: the test bench does not run/);
    expect(code).to.equal(1);
  });
});
