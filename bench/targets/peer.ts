import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './processes.ts';

/** Installed there once, and kept from run to run. */
export const CACHE = join(ROOT, '.bench');

/** A peer that can be asked, or why it cannot: then its lines of the table say so. */
export type Available<Peer> = { peer: Peer } | { missing: string };

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

/**
 * Installs what bench/peers/<name> locks, in a folder of its own. No script of a package is run: what the two peers need
 * of native code comes built.
 */
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
    console.log(`Installing ${name}, once …`);
    await run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], target);
    writeFileSync(stampFile, stamp);
  }
  return target;
};

export const versionOf = (directory: string, name: string): string => {
  const file = join(directory, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

/** @returns why, when it cannot be had here. */
export const tryPeer = async <Peer>(name: string, start: () => Promise<Peer>): Promise<Available<Peer>> => {
  try {
    return { peer: await start() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`! ${name} cannot be run here: ${reason}`);
    return { missing: `${name} cannot be run here: ${reason.split('\n')[0]?.slice(0, 120)}` };
  }
};
