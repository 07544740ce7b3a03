import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');
const MOCHA = 'node_modules/mocha/bin/mocha.js';
const PATIENCE_MILLISECONDS = 20_000;

/** Fails and leaves a server open, which alone would keep the process running. */
const SPEC = `
import { createServer } from 'node:net';

describe('A suite whose cleanup is never reached', () => {
  it('fails', () => {
    createServer().listen(0, '127.0.0.1');
    throw new Error('failed');
  });
});
`;

describe('The end of a test run', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mocha-config-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Runs one spec under a configuration of this repository, in which only `replaced` and the list of specs differ. */
  const runUnder = async (
    path: string,
    replaced: object,
  ): Promise<{ code: number | null; output: string }> => {
    const spec = join(directory, 'open-server.test.ts');
    const config = join(directory, 'mocharc.yaml');
    await writeFile(spec, SPEC);
    await writeFile(
      config,
      stringify({ ...parse(await readFile(join(ROOT, path), 'utf8')), ...replaced, spec }),
    );
    return new Promise((settle) => {
      const child = execFile(
        process.execPath,
        [MOCHA, '--config', config],
        { cwd: ROOT, timeout: PATIENCE_MILLISECONDS, killSignal: 'SIGKILL' },
        (_error, stdout, stderr) => settle({ code: child.exitCode, output: stdout + stderr }),
      );
    });
  };

  for (const [path, replaced] of [
    ['.mocharc.yaml', {}],
    // Its fixtures start a platform and Chromium, and remove the screenshots of the last run.
    ['test/browser/.mocharc.yaml', { require: undefined }],
  ] as const)
    it(`comes with exit code 1 when a failed test leaves a server open (${path})`, async () => {
      const { code, output } = await runUnder(path, replaced);
      expect(output).to.match(/^0 passed, 1 failed, 0 skipped$/m);
      expect(code).to.equal(1);
    });
});
