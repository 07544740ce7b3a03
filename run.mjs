// Runs a TypeScript entry point: `node run.mjs path/to/file.ts [arguments]`.
// Plain JavaScript, so that it runs on any Node: it starts the pinned Node, and prints an error message if there is only one
// that is too old for TypeScript.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PINNED = { 'linux-x64': 'linux-x64', 'linux-arm64': 'linux-arm64', 'win32-x64': 'win-x64' };

/** The pinned Node that npm has installed; undefined on unsupported platforms. */
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

/** npm 10 does not link the pinned Node in node_modules/.bin, so npm scripts start with the Node of the machine. */
const runWith = (node) => {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)));
};

// The compile cache of this process and its children: it halves the start time, and saves the 20 MB of memory per process
// that type stripping needs. Without write access, Node does not cache.
// biome-ignore lint/style/noProcessEnv: a setting of Node that can only be changed here.
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
    `This project requires Node 24, which npm installs on Linux and Windows; only Node ${process.versions.node} was found. ` +
      'Run `npm ci` again without --omit=optional, or install Node 22.18 or later.',
  );
  process.exitCode = 1;
}
