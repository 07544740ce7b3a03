import { type Command, startChild } from '@platform/dev/child-process';
import { findProcessesIn } from '@platform/dev/process-identity';
import { errorCode } from '@platform/dev/stack-error';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';

/** A server whose faults the test injects; nothing restarts it. */
export type PostgresServer = {
  port: number;
  clusterDir: string;
  /** As the superuser. */
  url: string;
  /** `kill -9` of the server and all its backends; frozen ones too. */
  kill: () => Promise<void>;
  /** Stops the server and all its backends: their connections stay open without responses. */
  freeze: () => void;
  /** A fast shutdown: closes open connections and sends the remaining WAL to the standby. */
  stop: () => Promise<void>;
};

const signalAll = (clusterDir: string, signal: NodeJS.Signals): void => {
  for (const pid of findProcessesIn(clusterDir)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error; // it has exited
    }
  }
};

type ServerOptions = { command: Command; clusterDir: string; port: number; url: string };

export const startServer = async ({
  command,
  clusterDir,
  port,
  url,
}: ServerOptions): Promise<PostgresServer> => {
  const child = startChild(command);
  const killAll = () => signalAll(clusterDir, 'SIGKILL');
  process.once('exit', killAll);
  const waitForExit = async () => {
    await child.exited;
    await waitFor('its backends have exited', () => findProcessesIn(clusterDir).length === 0);
    process.off('exit', killAll);
  };
  // Exists in every cluster.
  const maintenanceUrl = Object.assign(new URL(url), { pathname: '/postgres' }).href;
  await waitFor(
    `PostgreSQL on port ${port} responds`,
    async () => {
      if (child.hasExited()) throw new Error(`PostgreSQL exited (${await child.exited}): ${command.logFile}`);
      return await queryDatabase(maintenanceUrl, 'select 1').catch(() => undefined);
    },
    60,
  );
  return {
    port,
    clusterDir,
    url,
    kill: async () => {
      killAll();
      await waitForExit();
    },
    freeze: () => {
      // The server first, so that it adds no backend to the list.
      child.signal('SIGSTOP');
      signalAll(clusterDir, 'SIGSTOP');
    },
    stop: async () => {
      child.signal('SIGINT');
      await waitForExit();
    },
  };
};
