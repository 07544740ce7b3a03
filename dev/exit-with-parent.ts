// Preloaded (`node --import`) into the Node processes of the stack. If the stack dies without stopping them
// (kill -9, out of memory), its end of the IPC channel closes, and they exit, too, instead of occupying their
// ports.
import { isMainThread } from 'node:worker_threads';
import { findPostmaster } from './engines/stale-postgres.ts';
import { getParentPid } from './process-identity.ts';

const graceSeconds = 3;
const stackPid = process.ppid;

/** PostgreSQL has no IPC channel, so the services of its stack stop it as well. */
const stopSiblingPostgres = () => {
  const clusterDir = process.env.EXIT_WITH_PARENT_POSTGRES;
  const pid = clusterDir ? findPostmaster(clusterDir) : undefined;
  if (pid === undefined) return;
  // Orphans of the same stack have the same parent. A stack that was started since has a different PostgreSQL
  // on that directory.
  const parent = getParentPid(pid);
  if (parent === stackPid || parent === process.ppid) process.kill(pid, 'SIGINT');
};

const exit = () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceSeconds * 1000).unref();
  try {
    stopSiblingPostgres();
  } finally {
    process.kill(process.pid, 'SIGTERM');
  }
};

if (isMainThread && process.channel) {
  process.once('disconnect', exit);
  process.channel.unref(); // otherwise the listener above keeps a finished process alive
}
