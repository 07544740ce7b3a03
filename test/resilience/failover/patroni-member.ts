import { chown, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, type RunningChild, startChild } from '@platform/dev/child-process';
import { findProcessesIn } from '@platform/dev/process-identity';
import { errorCode } from '@platform/dev/stack-error';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { findPorts } from '../platform.ts';

/** A PostgreSQL server and its Patroni. */
export type PatroniMember = {
  name: string;
  port: number;
  /** The URL of the superuser. */
  url: string;
  /** Whether Patroni holds the lock of the leader and PostgreSQL accepts writes. */
  isLeader: () => Promise<boolean>;
  /** Whether Patroni may promote the member, because it has every acknowledged commit. */
  isSynchronous: () => Promise<boolean>;
  /** Makes Patroni hand the lock to a standby. */
  switchOver: () => Promise<unknown>;
  start: () => void;
  /** Ends Patroni and PostgreSQL with `kill -9`. */
  kill: () => Promise<void>;
  /** Stops Patroni and PostgreSQL. Their connections stay open without responses. */
  freeze: () => void;
  thaw: () => void;
  /** Separates this member from etcd and the other members. The platform still reaches its PostgreSQL. */
  partition: () => void;
  heal: () => Promise<void>;
};

type PatroniCluster = {
  dataDir: string;
  binDir: string;
  account: Account | undefined;
  etcdUrl: string;
  /** The password of the superuser `platform`. */
  password: string;
};

/**
 * The shortest lease that Patroni's documentation recommends. A leader that does not respond is replaced
 * after the `ttl`.
 */
const LEASE = { ttl: 20, loop_wait: 2, retry_timeout: 5 };

const toAddress = (url: string): string => new URL(url).host;

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error; // it has exited
    }
  }
};

export const startMember = async (name: string, cluster: PatroniCluster): Promise<PatroniMember> => {
  const { dataDir, binDir, account, etcdUrl, password } = cluster;
  const [port = 0, restPort = 0] = await findPorts(2);
  const restUrl = `http://127.0.0.1:${restPort}`;
  const url = `postgres://platform:${password}@127.0.0.1:${port}/platform`;
  // A partition interrupts the connections of the members to etcd and to each other.
  const proxies = await Promise.all([url, restUrl, etcdUrl].map(createInterruptibleProxy));
  const [address = '', restAddress = '', etcdAddress = ''] = proxies.map((proxy) => toAddress(proxy.url));
  await mkdir(join(dataDir, name), { mode: 0o700 });
  const home = await realpath(join(dataDir, name));
  const login = { username: 'platform', password };
  const configuration = {
    scope: 'platform',
    name,
    restapi: { listen: toAddress(restUrl), connect_address: restAddress },
    // Patroni uses the v2 API. With v3, Patroni 3.0 writes the leader key without a comparison, so a leader
    // that thaws within its loop would take the lock back from the new one. With `use_proxies`, it connects
    // directly instead of asking etcd for its address.
    etcd: { hosts: [etcdAddress], use_proxies: true },
    bootstrap: {
      dcs: {
        ...LEASE,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, jit: 'off' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: toAddress(url),
      connect_address: address,
      bin_dir: binDir,
      data_dir: join(home, 'data'),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: login, replication: login, rewind: login },
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: '', fsync: 'on' },
    },
  };
  const file = join(home, 'patroni.json');
  await writeFile(file, JSON.stringify(configuration));
  if (account) for (const path of [home, file]) await chown(path, account.uid, account.gid);

  let child: RunningChild | undefined;
  const logFile = join(dataDir, `${name}.log`);
  const command = { file: 'patroni', args: [file], env: process.env, cwd: '/', logFile, account };
  // Patroni is signalled first, so that it restarts nothing and adds no process to the list.
  const signal = (name: NodeJS.Signals) => {
    child?.signal(name);
    signalAll(findProcessesIn(join(home, 'data')), name);
  };
  process.once('exit', () => signal('SIGKILL'));
  const rest = createHttpClient(restUrl, { timeoutSeconds: 2 });
  const respondsOk = async (path: string) => (await rest.send({ path })).status === 200;
  return {
    name,
    port,
    url,
    isLeader: async () => {
      if (child?.hasExited()) throw new Error(`Patroni exited (${await child.exited}): ${logFile}`);
      return await respondsOk('/primary');
    },
    isSynchronous: () => respondsOk('/synchronous'),
    switchOver: () =>
      createHttpClient(restUrl, { timeoutSeconds: 60 }).sendOrThrow({
        method: 'POST',
        path: '/switchover',
        body: { leader: name },
      }),
    start: () => {
      child = startChild(command);
    },
    kill: async () => {
      signal('SIGKILL');
      await child?.exited;
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    partition: () => {
      for (const proxy of proxies) proxy.freeze();
    },
    heal: async () => {
      for (const proxy of proxies) await proxy.restore();
    },
  };
};
