import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from '../../tools/install-package.ts';
import { type Defer, ROOT } from './processes.ts';

/** The folder for logs, and for runs that are not recorded. */
export const CACHE = join(ROOT, '.bench');

/**
 * `serverUrl`: a PostgreSQL server to create a database on. `users`: the number of users to insert.
 * `directory`: for logs.
 */
export type PeerOptions = { serverUrl: string; directory: string; users: number; defer: Defer };

/** Installs the packages of bench/peers/<name>, whose native code is prebuilt. @returns the folder */
export const installPeer = async (name: string): Promise<string> => {
  const directory = join(ROOT, 'bench', 'peers', name);
  await installPackage(directory);
  return directory;
};

export const installedVersion = (directory: string, name: string): string => {
  const file = join(directory, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

/**
 * Starts a peer. Without it, the benchmark lacks its rows.
 * @param versions gets the name and version of the peer, or the reason why it does not run here
 * @returns the peer, if it runs
 */
export const tryPeer = async <Peer extends { version: string }>(
  versions: Record<string, string>,
  name: string,
  start: () => Promise<Peer>,
): Promise<Peer[]> => {
  try {
    const peer = await start();
    versions[name] = `${name} ${peer.version}`;
    return [peer];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`! ${name} does not run here: ${reason}`);
    versions[name] = `${name} does not run here: ${reason.split('\n')[0]?.slice(0, 120)}`;
    return [];
  }
};
