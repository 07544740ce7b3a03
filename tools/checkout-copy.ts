import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const SCOPE = '@platform';
const LEFT_OUT = new Set(['node_modules', '.git', '.data', 'coverage']);
const MOCHA = [
  'node_modules/mocha/bin/mocha.js',
  '--no-config',
  '--require=./shared/testing/fixtures.ts',
  '--reporter=./shared/testing/closing-line-reporter.ts',
  '--timeout=30000',
  '--exit',
];

/** Works without privileges on Windows too, as long as it leads to a folder by its full path. */
const link = (target: string, path: string): Promise<void> => symlink(target, path, 'junction');

/** Packages are shared with this checkout; the workspaces' links lead into the copy. */
const linkModules = async (root: string): Promise<void> => {
  const installed = join(ROOT, 'node_modules');
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, SCOPE), { recursive: true });
  for (const entry of await readdir(installed, { withFileTypes: true }))
    if (!entry.isFile() && entry.name !== SCOPE)
      await link(join(installed, entry.name), join(modules, entry.name));
  for (const name of await readdir(join(installed, SCOPE))) {
    const workspace = relative(ROOT, await realpath(join(installed, SCOPE, name)));
    await link(join(root, workspace), join(modules, SCOPE, name));
    const own = join(ROOT, workspace, 'node_modules');
    if (existsSync(own)) await link(own, join(root, workspace, 'node_modules'));
  }
};

/** Runs `script` in `root` and resolves with what it said, whatever its exit code. */
const run = (
  root: string,
  script: string[],
  env?: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> =>
  new Promise((settle) => {
    const child = execFile(
      process.execPath,
      script,
      { cwd: root, maxBuffer: 64 * 2 ** 20, ...(env && { env }) },
      (_error, stdout, stderr) => settle({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });

/** A throw-away copy of this checkout's sources, to plant faults in and check. `removeAll` after use. */
export const createCheckoutCopy = async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'checkout-copy-')));
  await cp(ROOT, root, {
    recursive: true,
    filter: (source) => source === ROOT || !LEFT_OUT.has(basename(source)),
  });
  await linkModules(root);
  return {
    plant: async (path: string, content: string): Promise<void> => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    read: (path: string): Promise<string> => readFile(join(root, path), 'utf8'),
    generate: () => run(root, ['openapi/generate.ts']),
    /** `npm test`, with this file only, of it the tests whose names hold `name`. */
    test: (env: NodeJS.ProcessEnv, spec: string, name = '') =>
      run(root, [...MOCHA, '--fgrep', name, spec], env),
    /** `npm run check`, with these of its steps only. */
    check: (...steps: string[]) => run(root, ['tools/check.ts', '--only', steps.join(',')]),
    remove: (path: string): Promise<void> => rm(join(root, path), { recursive: true }),
    removeAll: (): Promise<void> => rm(root, { recursive: true, force: true }),
  };
};

export type CheckoutCopy = Awaited<ReturnType<typeof createCheckoutCopy>>;
