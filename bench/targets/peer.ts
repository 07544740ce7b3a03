import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Defer, ROOT } from './processes.ts';

/** Peers are installed here once and kept. */
export const CACHE = join(ROOT, '.bench');

/** A running peer, or the reason why it does not run here, which the report shows instead of a value. */
export type Available<Peer> = { peer: Peer } | { missing: string };

/** `serverUrl`: a PostgreSQL server to create a database on. `users`: the number of users to insert. `directory`: for logs. */
export type PeerOptions = { serverUrl: string; directory: string; users: number; defer: Defer };

const INSTALL_SECONDS = 600;

const run = async (command: string[], cwd: string): Promise<void> => {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: INSTALL_SECONDS * 1_000,
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} failed: ${output.trim().slice(-300)}`);
};

/** Installs the locked packages of bench/peers/<name>. Install scripts do not run: the native code of both peers is prebuilt. */
export const installPeer = async (name: string): Promise<string> => {
  const source = join(ROOT, 'bench', 'peers', name);
  const target = join(CACHE, 'peers', name);
  const lock = readFileSync(join(source, 'package-lock.json'));
  const stamp = createHash('sha256').update(lock).update(process.version).digest('hex');
  const stampFile = join(target, 'installed');
  const isInstalled = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (!isInstalled) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
  }
  cpSync(source, target, { recursive: true });
  if (!isInstalled) {
    console.log(`Installing ${name} (only once) …`);
    await run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], target);
    writeFileSync(stampFile, stamp);
  }
  return target;
};

export const installedVersion = (directory: string, name: string): string => {
  const file = join(directory, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

/** @returns the reason when the peer does not start */
export const tryPeer = async <Peer>(name: string, start: () => Promise<Peer>): Promise<Available<Peer>> => {
  try {
    return { peer: await start() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`! ${name} does not run here: ${reason}`);
    return { missing: `${name} does not run here: ${reason.split('\n')[0]?.slice(0, 120)}` };
  }
};
