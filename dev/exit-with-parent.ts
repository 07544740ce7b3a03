// Preloaded (`node --import`) into the stack's Node processes: when the stack dies without stopping them (kill -9,
// out of memory), its end of the channel closes and they go too, instead of holding their ports for ever.
import { isMainThread } from 'node:worker_threads';
import { findPostmaster } from './engines/stale-postgres.ts';
import { parentOf } from './process-identity.ts';

const graceSeconds = 3;
const stackPid = process.ppid;

/** PostgreSQL has no channel of its own, so its siblings end it too. */
const endSiblingPostgres = () => {
  const cluster = process.env.TETHER_POSTGRES;
  const pid = cluster ? findPostmaster(cluster) : undefined;
  if (pid === undefined) return;
  // Orphans of one stack have the same parent. A stack started since runs a PostgreSQL of its own on that directory,
  // which is not to be touched.
  const parent = parentOf(pid);
  if (parent === stackPid || parent === process.ppid) process.kill(pid, 'SIGINT');
};

const end = () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceSeconds * 1000).unref();
  try {
    endSiblingPostgres();
  } finally {
    process.kill(process.pid, 'SIGTERM');
  }
};

if (isMainThread && process.channel) {
  process.once('disconnect', end);
  process.channel.unref(); // or the listener above would keep a process alive that has nothing left to do
}
