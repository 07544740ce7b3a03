import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');
const MOCHA = 'node_modules/mocha/bin/mocha.js';
const TIMEOUT_MILLISECONDS = 110_000;

/** Fails and leaves a server open, which would keep the process running. */
const OPEN_SERVER = `
import { createServer } from 'node:net';

describe('suite without cleanup', () => {
  it('fails', () => {
    createServer().listen(0, '127.0.0.1');
    throw new Error('failed');
  });
});
`;

const PASSING = `
describe('suite', () => {
  it('passes', () => undefined);
  it('skips itself', function () {
    this.skip();
  });
});
`;

const USING_STACK = `
import { sharedStack } from '${new URL('../shared/testing/shared-stack.ts', import.meta.url)}';

describe('suite', () => {
  it('prints its stack', async () => {
    const { stack, dataDir } = await sharedStack();
    console.log(JSON.stringify({ pids: Object.values(stack.pids), dataDir }));
  });
});
`;

const FILTERED = "describe('suite', () => it.only('passes', () => undefined));";
const EMPTY = "describe('suite', () => undefined);";

type Run = { code: number | null; output: string };

describe('mocha configuration', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mocha-config-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const writeSpec = async (name: string, content: string): Promise<string> => {
    const spec = join(directory, `${name}.test.ts`);
    await writeFile(spec, content);
    return spec;
  };
  const runMocha = (...args: string[]): Promise<Run> =>
    new Promise((resolvePromise) => {
      const child = execFile(
        process.execPath,
        [MOCHA, ...args],
        {
          cwd: ROOT,
          env: { ...process.env, TEST_STACK_DIR: undefined },
          timeout: TIMEOUT_MILLISECONDS,
          killSignal: 'SIGKILL',
        },
        (_error, stdout, stderr) => resolvePromise({ code: child.exitCode, output: stdout + stderr }),
      );
    });
  /** Runs one spec with another configuration file of this repository, changed by `overrides`. */
  const runWithConfig = async (path: string, overrides: object): Promise<Run> => {
    const spec = await writeSpec('open-server', OPEN_SERVER);
    const config = join(directory, 'mocharc.yaml');
    const content = parse(await readFile(join(ROOT, path), 'utf8'));
    await writeFile(config, stringify({ ...content, ...overrides, spec }));
    return await runMocha('--config', config);
  };

  it('runs only the files of the command line, and counts passed and skipped tests', async () => {
    const { code, output } = await runMocha(await writeSpec('passing', PASSING));
    expect(output).to.match(/^1 passed, 0 failed, 1 skipped$/m);
    expect(code).to.equal(0);
  });

  for (const [what, content, message] of [
    ['with an open server after a failed test', OPEN_SERVER, /^0 passed, 1 failed, 0 skipped$/m],
    ['without a test', EMPTY, /^0 passed, 0 failed, 0 skipped$/m],
    ['with .only', FILTERED, /`\.only` is not supported in parallel mode|`\.only` forbidden/],
  ] as const)
    it(`fails a run ${what}`, async () => {
      const { code, output } = await runMocha(await writeSpec('failing', content));
      expect(output).to.match(message);
      expect(code).to.equal(1);
    });

  it('stops the stack of a worker and removes its data before the run ends', async () => {
    const { code, output } = await runMocha(await writeSpec('stack', USING_STACK));
    const { pids, dataDir } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '{}');
    expect(pids).to.have.length(8);
    for (const pid of pids) expect(() => process.kill(pid, 0), `process ${pid}`).to.throw('ESRCH');
    expect(existsSync(dataDir), dataDir).to.equal(false);
    expect(code).to.equal(0);
  });

  it('fails the run of a directory with one failing file among others', async () => {
    await writeSpec('passing', PASSING);
    await writeSpec('open-server', OPEN_SERVER);
    const { code, output } = await runMocha(directory);
    expect(output).to.match(/^1 passed, 1 failed, 1 skipped$/m);
    expect(code).to.equal(1);
  });

  it('passes with --grep when some files have no such test', async () => {
    await writeSpec('passing', PASSING);
    await writeSpec('open-server', OPEN_SERVER);
    const { code, output } = await runMocha(directory, '--grep', 'passes');
    expect(output).to.match(/^1 passed, 0 failed, 0 skipped$/m);
    expect(code).to.equal(0);
  });

  for (const [path, overrides] of [
    // Its fixtures would start the platform and Chromium, and delete screenshots.
    ['test/browser/.mocharc.yaml', { require: undefined }],
    ['test/client/.mocharc.yaml', {}],
  ] as const)
    it(`ends the run with exit code 1 when a failed test leaves a server open (${path})`, async () => {
      const { code, output } = await runWithConfig(path, overrides);
      expect(output).to.match(/^0 passed, 1 failed, 0 skipped$/m);
      expect(code).to.equal(1);
    });
});
