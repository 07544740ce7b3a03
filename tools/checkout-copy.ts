import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const SCOPE = '@platform';
const EXCLUDED = /^(?:node_modules|\.git|\.data.*)$/;
const MOCHA = [
  'node_modules/mocha/bin/mocha.js',
  '--no-config',
  '--require=./shared/testing/fixtures.ts',
  '--require=./web/testing/load-pages.ts',
  '--reporter=./shared/testing/closing-line-reporter.ts',
  '--timeout=120000',
  // As in npm test: tests of pages expect a document for each file.
  '--parallel',
  '--jobs=2',
  '--exit',
];

const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { generate: string };
};
/** The scripts that `npm run generate` runs. */
const GENERATORS = [...scripts.generate.matchAll(/node run\.mjs (\S+)/g)].map(([, script = '']) => script);

/** Junctions need no privileges on Windows, but require an absolute target. */
const link = (target: string, path: string): Promise<void> => symlink(target, path, 'junction');

/** Links the installed packages of this checkout; the workspace links point into the copy. */
const linkModules = async (root: string): Promise<void> => {
  const installed = join(ROOT, 'node_modules');
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, SCOPE), { recursive: true });
  // Otherwise run.mjs reports that the packages are missing.
  await cp(join(installed, '.package-lock.json'), join(modules, '.package-lock.json'));
  for (const entry of await readdir(installed, { withFileTypes: true }))
    if (!entry.isFile() && entry.name !== SCOPE)
      await link(join(installed, entry.name), join(modules, entry.name));
  for (const name of await readdir(join(installed, SCOPE))) {
    const workspace = relative(ROOT, await realpath(join(installed, SCOPE, name)));
    await link(join(root, workspace), join(modules, SCOPE, name));
    const nested = join(ROOT, workspace, 'node_modules');
    if (existsSync(nested)) await link(nested, join(root, workspace, 'node_modules'));
  }
};

/** Runs a command in `root` and resolves with its output, also when it fails. */
const run = (
  root: string,
  [program = '', ...args]: string[],
  env?: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> =>
  new Promise((resolvePromise) => {
    const child = execFile(
      program,
      args,
      { cwd: root, maxBuffer: 64 * 2 ** 20, ...(env && { env }) },
      (_error, stdout, stderr) => resolvePromise({ code: child.exitCode ?? 1, output: stdout + stderr }),
    );
  });

/** A temporary copy of this checkout's sources. Call `removeAll` after use. */
export const createCheckoutCopy = async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'checkout-copy-')));
  await cp(ROOT, root, {
    recursive: true,
    filter: (source) => source === ROOT || !EXCLUDED.test(basename(source)),
  });
  await linkModules(root);
  /** @throws Error with its output, if it fails */
  const runSuccessfully = async (...command: string[]): Promise<void> => {
    const { code, output } = await run(root, command);
    if (code !== 0) throw new Error(output);
  };
  const runScript = (script: string): Promise<void> => runSuccessfully(process.execPath, script);
  return {
    root,
    /** Applies a patch of this checkout. @throws Error with the output of git */
    apply: (patch: string): Promise<void> => runSuccessfully('git', 'apply', join(ROOT, patch)),
    /** Runs `npm run generate`. @throws Error with its output */
    generate: async (): Promise<void> => {
      for (const script of GENERATORS) await runScript(script);
    },
    run: runScript,
    /** Runs `npm test` with these files and folders only. */
    test: (env: NodeJS.ProcessEnv, ...specs: string[]) =>
      run(root, [process.execPath, ...MOCHA, ...specs], env),
    /** Runs `npm run check`. */
    check: () => run(root, [process.execPath, 'tools/check.ts']),
    removeAll: (): Promise<void> => rm(root, { recursive: true, force: true }),
  };
};

/** The installed packages by path, version and checksum, without the workspaces. */
const listPackages = async (root: string): Promise<string> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string; link?: boolean }>;
  };
  return Object.entries(packages)
    .filter(([path, { link: isLink }]) => path.includes('node_modules/') && isLink !== true)
    .map(([path, { version, integrity }]) => `${path} ${version} ${integrity}`)
    .sort()
    .join('\n');
};

/**
 * A temporary checkout of another commit. It has the packages of this one, unless its lockfile names others.
 * Call `remove` after use.
 * @throws Error with the output of git or npm, for example in a clone without the commit
 */
export const createCheckoutOf = async (commit: string) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'checkout-of-')));
  const runGit = async (...args: string[]): Promise<void> => {
    const { code, output } = await run(ROOT, ['git', ...args]);
    if (code !== 0) throw new Error(output);
  };
  await runGit('worktree', 'add', '--detach', root, commit);
  if ((await listPackages(root)) === (await listPackages(ROOT))) {
    await linkModules(root);
    // run.mjs compares the two, and would ask for the versions of that commit.
    await cp(join(root, 'package-lock.json'), join(root, 'node_modules/.package-lock.json'));
  } else {
    const { code, output } = await run(root, ['npm', 'ci', '--no-audit', '--no-fund']);
    if (code !== 0) throw new Error(output);
  }
  return { root, remove: (): Promise<void> => runGit('worktree', 'remove', '--force', root) };
};

export type CheckoutCopy = Awaited<ReturnType<typeof createCheckoutCopy>>;
