import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = resolve(import.meta.dirname, '..');
/** The .npmrc of the root does not apply to other packages. */
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const NETWORK_ERRORS =
  /^(?:EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)$/;

const getModifiedTime = async (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** npm writes node_modules/.package-lock.json last, so an interrupted installation counts as missing. */
const isInstalled = async (directory: string, versions: string): Promise<boolean> => {
  const installed = await getModifiedTime(join(directory, 'node_modules/.package-lock.json'));
  return installed > 0 && installed >= (await getModifiedTime(versions));
};

/** Resolves with the output. */
export const runNpm = async (args: readonly string[], cwd: string): Promise<string> => {
  // biome-ignore lint/style/noProcessEnv: npm sets the path of its script here when it runs a script.
  const npm = process.env['npm_execpath'];
  const options = { cwd, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = npm
    ? await promisify(execFile)(process.execPath, [npm, ...args], options)
    : await promisify(execFile)('npm', args, { ...options, shell: process.platform === 'win32' });
  return stdout;
};

const describeFailure = (error: unknown): string => {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  const code = /^npm error code (\S+)/m.exec(output)?.[1] ?? '';
  if (NETWORK_ERRORS.test(code)) return `the npm registry cannot be reached (${code})`;
  return (
    output
      .replace(/^npm error (?:code )?/gm, '')
      .split('\n')
      .find((line) => line.trim()) ?? 'npm failed'
  );
};

/**
 * Installs the packages of a package outside the workspaces, such as test/contract, because `npm ci` in the
 * root does not install them. Does nothing when they are newer than its lock file, or than the package.json of
 * a package without one.
 */
export const installPackage = async (directory: URL | string): Promise<void> => {
  const path = resolve(ROOT, directory instanceof URL ? fileURLToPath(directory) : directory);
  const lock = join(path, 'package-lock.json');
  const isLocked = existsSync(lock);
  if (await isInstalled(path, isLocked ? lock : join(path, 'package.json'))) return;
  const name = relative(ROOT, path);
  console.log(`Installing the packages of ${name} …`);
  try {
    await runNpm([isLocked ? 'ci' : 'install', ...OPTIONS], path);
  } catch (error) {
    throw new Error(
      `Cannot install the packages of ${name}: ${describeFailure(error)}. Fix it and run again.`,
      {
        cause: error,
      },
    );
  }
};
