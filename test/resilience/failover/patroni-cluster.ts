import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '@platform/dev/child-process';
import type { PostgresUrls } from '@platform/dev/engines/postgres';
import { resolvePostgresPaths } from '@platform/dev/engines/postgres-paths';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { findPorts } from '../platform.ts';
import { type PatroniMember, startMember } from './patroni-member.ts';

export type PatroniPostgres = {
  processUrls: PostgresUrls['processUrls'];
  leader: () => PatroniMember;
  /** Finds the standby that has every acknowledged commit. */
  findSynchronousStandby: () => Promise<PatroniMember | undefined>;
  /** Resolves when Patroni has made another member the leader. */
  waitForNextLeader: () => Promise<void>;
  /** Resolves when all standbys follow the leader, and one of them is synchronous. */
  waitForStandbys: () => Promise<void>;
  stop: () => Promise<void>;
};

const MEMBERS = ['member-1', 'member-2', 'member-3'];
const DEBIAN_FOLDER = '/usr/lib/postgresql';
const TIMEOUT_SECONDS = 120;

/** Finds the folder with the programs of Debian's newest PostgreSQL. */
const findBinDir = (): string | undefined => {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).map(Number) : [];
  const folders = versions
    .sort((one, other) => other - one)
    .map((version) => `${DEBIAN_FOLDER}/${version}/bin`);
  return folders.find((folder) => existsSync(join(folder, 'postgres')));
};

export const findPatroniObstacle = (): string | undefined => {
  const missing = ['patroni', 'etcd'].filter((program) => !existsSync(`/usr/bin/${program}`));
  if (!findBinDir()) missing.push('postgresql');
  return missing.length > 0 ? `${missing.join(' and ')} (Debian's packages) not installed` : undefined;
};

const startEtcd = async (dataDir: string): Promise<{ url: string; stop: () => Promise<unknown> }> => {
  const [clientPort, peerPort] = await findPorts(2);
  const [url, peerUrl] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  const options = {
    'data-dir': join(dataDir, 'etcd'),
    'enable-v2': 'true',
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = startChild({
    file: 'etcd',
    args,
    env: process.env,
    cwd: '/',
    logFile: join(dataDir, 'etcd.log'),
  });
  const kill = () => child.signal('SIGKILL');
  process.once('exit', kill);
  await waitFor('etcd responds', async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok);
  return {
    url,
    stop: () => {
      kill();
      return child.exited;
    },
  };
};

/** Replaces the host of a URL by several hosts. libpq parses the result, but `new URL` does not. */
const withHosts = (url: string, ports: readonly number[]): string => {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return `${url.replace(/@[^/]*/, `@${hosts}`)}?target_session_attrs=read-write`;
};

const STANDBYS = `select from pg_stat_replication where state = 'streaming'`;

/**
 * Starts three members, of which Patroni promotes one. An acknowledged commit is on the leader and on one
 * standby.
 */
export const startPatroni = async (dataDir: string): Promise<PatroniPostgres> => {
  const etcd = await startEtcd(dataDir);
  const { account } = resolvePostgresPaths(dataDir);
  const password = randomBytes(12).toString('hex');
  const cluster = { dataDir, binDir: findBinDir() ?? '', account, etcdUrl: etcd.url, password };
  const members = await Promise.all(MEMBERS.map((name) => startMember(name, cluster)));
  for (const member of members) member.start();

  let leader: PatroniMember | undefined;
  const getLeader = (): PatroniMember => {
    if (!leader) throw new Error('There is no leader yet');
    return leader;
  };
  const waitForNextLeader = async () => {
    leader = await waitFor(
      'Patroni promotes another member',
      async () => {
        const others = members.filter((member) => member !== leader);
        const areLeaders = await Promise.all(others.map(({ isLeader }) => isLeader()));
        return others[areLeaders.indexOf(true)];
      },
      TIMEOUT_SECONDS,
    );
  };
  const findSynchronousStandby = async (): Promise<PatroniMember | undefined> => {
    const areSynchronous = await Promise.all(members.map(({ isSynchronous }) => isSynchronous()));
    return members[areSynchronous.indexOf(true)];
  };
  // PostgreSQL reports a standby as synchronous before Patroni has stored that it may be promoted.
  const areReady = async () =>
    (await queryDatabase(getLeader().url, STANDBYS)).length === MEMBERS.length - 1 &&
    (await findSynchronousStandby()) !== undefined;
  const waitForStandbys = async () => {
    await waitFor('the standbys follow the leader', areReady, TIMEOUT_SECONDS);
  };

  await waitForNextLeader();
  await queryDatabase(
    Object.assign(new URL(getLeader().url), { pathname: '/postgres' }).href,
    'create database platform',
  );
  await waitForStandbys();
  // The leader is last, so that the processes have to find it.
  const ports = [...members.filter((member) => member !== leader), getLeader()].map(({ port }) => port);
  const toUrl = (name: string) => `postgres://${name}:${randomBytes(12).toString('hex')}@host/platform`;
  const logins = {
    auth: toUrl('auth_service'),
    admin: toUrl('admin_service'),
    worker: toUrl('mailer_worker'),
  };
  return {
    processUrls: {
      auth: withHosts(logins.auth, ports),
      admin: withHosts(logins.admin, ports),
      worker: withHosts(logins.worker, ports),
    },
    leader: getLeader,
    findSynchronousStandby,
    waitForNextLeader,
    waitForStandbys,
    stop: async () => {
      await Promise.all(members.map(({ kill }) => kill()));
      await etcd.stop();
    },
  };
};
