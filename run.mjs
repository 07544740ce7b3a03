// Runs a TypeScript entry point: `node run.mjs path/to/file.ts [arguments]`.
// Plain JavaScript for any Node: it finds the pinned one, and one too old says so in a line instead of failing on the
// first type annotation.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PINNED = { 'linux-x64': 'linux-x64', 'linux-arm64': 'linux-arm64', 'win32-x64': 'win-x64' };

/** The Node that npm installed for this machine; undefined where there is none. */
const findPinned = () => {
  const name = PINNED[`${process.platform}-${process.arch}`];
  const binary = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = fileURLToPath(new URL(`node_modules/node-${name}/bin/${binary}`, import.meta.url));
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

const stripsTypes = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
};

/** npm 10 leaves the pinned Node out of node_modules/.bin, so that a script is started with the machine's own. */
const runWith = (node) => {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
};

// What was compiled once is not compiled again, by this process or those that it starts: half the time to start, and
// 20 MB of memory a process, which is what the stripping of types takes. Where it cannot be written, nothing is kept.
// biome-ignore lint/style/noProcessEnv: the one setting of Node's own that can only be made here.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/node-compile/', import.meta.url),
);

const pinned = findPinned();
if (pinned !== undefined && pinned !== realpathSync(process.execPath)) {
  runWith(pinned);
} else if (stripsTypes()) {
  const [entry] = process.argv.splice(2, 1);
  process.argv[1] = resolve(entry);
  await import(pathToFileURL(process.argv[1]).href);
} else {
  console.error(
    `This project runs on Node 24, which npm installs with it for Linux and Windows; here only Node ${process.versions.node} was found. ` +
      'Run `npm ci` again without --omit=optional, or install Node 22.18 or later.',
  );
  process.exitCode = 1;
}
