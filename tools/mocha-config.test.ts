import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';

const ROOT = resolve(import.meta.dirname, '..');
const MOCHA = 'node_modules/mocha/bin/mocha.js';
const TIMEOUT_MILLISECONDS = 20_000;

/** Fails and leaves a server open, which would keep the process running. */
const SPEC = `
import { createServer } from 'node:net';

describe('suite without cleanup', () => {
  it('fails', () => {
    createServer().listen(0, '127.0.0.1');
    throw new Error('failed');
  });
});
`;

describe('mocha configuration', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mocha-config-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** Runs one spec with a configuration file of this repository, changed by `overrides`. */
  const runWithConfig = async (
    path: string,
    overrides: object,
  ): Promise<{ code: number | null; output: string }> => {
    const spec = join(directory, 'open-server.test.ts');
    const config = join(directory, 'mocharc.yaml');
    await writeFile(spec, SPEC);
    await writeFile(
      config,
      stringify({ ...parse(await readFile(join(ROOT, path), 'utf8')), ...overrides, spec }),
    );
    return new Promise((resolvePromise) => {
      const child = execFile(
        process.execPath,
        [MOCHA, '--config', config],
        { cwd: ROOT, timeout: TIMEOUT_MILLISECONDS, killSignal: 'SIGKILL' },
        (_error, stdout, stderr) => resolvePromise({ code: child.exitCode, output: stdout + stderr }),
      );
    });
  };

  for (const [path, overrides] of [
    ['.mocharc.yaml', {}],
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
