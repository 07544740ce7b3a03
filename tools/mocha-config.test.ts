import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');
const MOCHA = 'node_modules/mocha/bin/mocha.js';
const TIMEOUT_MILLISECONDS = 60_000;

const SPECS = {
  /** Fails and leaves a server open, which would keep the process running. */
  'open-server': `
    import { createServer } from 'node:net';
    describe('suite without cleanup', () => it('fails', () => {
      createServer().listen(0, '127.0.0.1');
      throw new Error('failed');
    }));`,
  passing: `
    describe('suite', () => {
      it('passes', () => undefined);
      it('skips itself', function () { this.skip(); });
    });`,
  filtered: "describe('suite', () => it.only('passes', () => undefined));",
  empty: "describe('suite', () => undefined);",
  stack: `
    import { sharedStack } from '${new URL('../shared/testing/shared-stack.ts', import.meta.url)}';
    describe('suite', () => it('prints its stack', async () => {
      const { stack, dataDir } = await sharedStack();
      console.log(JSON.stringify({ pids: Object.values(stack.pids), dataDir }));
    }));`,
};
type Name = keyof typeof SPECS;

describe('mocha configuration', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mocha-config-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const writeSpec = async (name: Name): Promise<string> => {
    const spec = join(directory, `${name}.test.ts`);
    await writeFile(spec, SPECS[name]);
    return spec;
  };
  const runMocha = (...args: string[]): Promise<{ code: number | null; output: string }> =>
    new Promise((resolvePromise) => {
      const child = execFile(
        process.execPath,
        [MOCHA, ...args],
        { cwd: ROOT, timeout: TIMEOUT_MILLISECONDS, killSignal: 'SIGKILL' },
        (_error, stdout, stderr) => resolvePromise({ code: child.exitCode, output: stdout + stderr }),
      );
    });

  for (const [name, code, message] of [
    ['passing', 0, /^1 passed, 0 failed, 1 skipped$/m],
    ['open-server', 1, /^0 passed, 1 failed, 0 skipped$/m],
    ['empty', 1, /^0 passed, 0 failed, 0 skipped$/m],
    ['filtered', 1, /`\.only` is not supported in parallel mode|`\.only` forbidden/],
  ] as const)
    it(`runs only the file of the command line, and ends with ${code} (${name})`, async () => {
      const run = await runMocha(await writeSpec(name));
      expect(run.output).to.match(message);
      expect(run.code).to.equal(code);
    });

  it('stops the stack of a worker and removes its data before the run ends', async () => {
    const { code, output } = await runMocha(await writeSpec('stack'));
    const { pids, dataDir } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '{}');
    expect(pids).to.have.length(9);
    for (const pid of pids) expect(() => process.kill(pid, 0), `process ${pid}`).to.throw('ESRCH');
    expect(existsSync(dataDir), dataDir).to.equal(false);
    expect(code).to.equal(0);
  });

  for (const [args, code, counts] of [
    [[], 1, /^1 passed, 1 failed, 1 skipped$/m],
    [['--grep', 'passes'], 0, /^1 passed, 0 failed, 0 skipped$/m],
  ] as const)
    it(`ends with ${code} for a directory with one failing file (${args.join(' ') || 'all tests'})`, async () => {
      for (const name of ['passing', 'open-server'] as const) await writeSpec(name);
      await writeFile(join(directory, 'no-test.ts'), "throw new Error('loaded');");
      const run = await runMocha(directory, ...args);
      expect(run.output).to.match(counts);
      expect(run.code).to.equal(code);
    });
});
