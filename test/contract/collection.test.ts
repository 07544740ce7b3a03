import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProcess } from '@platform/shared/testing/process';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { installPackage } from '../../tools/install-package.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COLLECTION = join(ROOT, 'test/collection');
const BRUNO = join(COLLECTION, 'node_modules/@usebruno/cli/bin/bru.js');
const RUN_SECONDS = 120;

type Result = {
  test: { filename: string };
  request: { method: string; url: string };
  response: { status: number; data: { code?: string } };
  error: string | null;
  status: string;
  assertionResults: { status: string }[];
};
type Run = { code: number | null; output: string; results: Result[] };

/** Bruno reports a request with a failed assertion as passed, so check the assertions, too. */
const hasFailed = ({ status, assertionResults }: Result): boolean =>
  status !== 'pass' || assertionResults.some((assertion) => assertion.status !== 'pass');

/** Lists the files of failed requests, or the output of a run that sent none. */
const listFailures = ({ output, results }: Run): string[] =>
  results.length === 0 ? [output] : results.filter(hasFailed).map(({ test }) => test.filename);

const countFiles = async (folder: string): Promise<number> => {
  const files = await readdir(join(COLLECTION, folder), { recursive: true });
  return files.filter((file) => file.endsWith('.yml') && !file.endsWith('folder.yml')).length;
};

describe('request collection', function () {
  this.timeout((RUN_SECONDS + 30) * 1_000);
  let running: RunningStack;
  let directory: string;

  before('install Bruno and start a stack with demo data', async function () {
    this.timeout(300_000);
    await installPackage('test/collection');
    directory = await mkdtemp(join(tmpdir(), 'collection-'));
    running = await startStack({ SEED_DEMO: 'on' });
  });
  after('stop the stack', async function () {
    this.timeout(30_000);
    await running?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** Runs Bruno's command line on a folder in the environment `development`, except for the ports. */
  const run = async (folder: string): Promise<Run> => {
    const { gatewayUrl, inboxUrl } = running.stack;
    const report = join(directory, 'report.json');
    await rm(report, { force: true });
    const variables = [`gatewayUrl=${gatewayUrl}`, `inboxUrl=${inboxUrl}`].flatMap((pair) => [
      '--env-var',
      pair,
    ]);
    const options = ['-r', '--noproxy', '--env', 'development', ...variables, '--reporter-json', report];
    const bruno = startProcess([BRUNO, 'run', folder, ...options], {
      environment: { PATH: process.env['PATH'], HOME: directory },
      cwd: COLLECTION,
    });
    const { code } = await bruno.waitForExit(RUN_SECONDS);
    const text = await readFile(report, 'utf8').catch(() => '[]');
    return { code, output: bruno.output(), results: JSON.parse(text)[0]?.results ?? [] };
  };

  it('completes the journeys', async () => {
    const finished = await run('journeys');
    expect(listFailures(finished)).to.deep.equal([]);
    expect(finished.code, finished.output).to.equal(0);
    expect(finished.results).to.have.length(await countFiles('journeys'));
    expect(finished.results.filter(({ assertionResults }) => assertionResults.length === 0)).to.deep.equal(
      [],
    );
  });
});
