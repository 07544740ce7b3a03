import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { getLaunch } from '@platform/test/browser/support/chromium';
import {
  createEmptyProject,
  type FrontendProject,
  packPackage,
} from '@platform/test/client/frontend-project';
import { expect } from 'chai';
import { useTestBench } from '../testing/use-test-bench.ts';

const SHOP_TESTS = resolve(import.meta.dirname, '../../examples/shop-tests');
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
/** The tests take a tenth of it while nothing else runs. */
const RUN_MILLISECONDS = 500_000;

describe('examples/shop-tests with the packed packages', () => {
  const bench = useTestBench();
  let project: FrontendProject;

  before('install', async () => {
    project = await createEmptyProject();
    const filter = (source: string) => !source.includes('node_modules');
    await cp(SHOP_TESTS, project.directory, { recursive: true, filter });
    const packages = [await packPackage('client'), await packPackage('test-bench')];
    await project.npm('install', '--ignore-scripts', '--prefer-offline', '--no-audit', ...packages);
  });

  const run = async (...args: string[]): Promise<string> => {
    const { executablePath, env } = await getLaunch();
    const settings = { TEST_BENCH_STACK: bench().stackFile, CHROMIUM_PATH: executablePath };
    const options = {
      cwd: project.directory,
      env: { ...process.env, ...env, ...settings },
      timeout: RUN_MILLISECONDS,
    };
    const running = promisify(execFile)(process.execPath, args, options);
    const { stdout } = await running.catch((error) => {
      throw new Error(error.stdout + error.stderr);
    });
    return stdout;
  };

  it('passes in Chromium', async () => {
    expect(await run(PLAYWRIGHT, 'test', '--workers=2')).to.match(/^ {2}8 passed/m);
  });

  it('passes in Node', async () => {
    expect(await run('--test', '--test-reporter=tap', 'tests/customers.test.ts')).to.match(/^# pass 2$/m);
  });
});
