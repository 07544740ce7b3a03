import { statfsSync, unlinkSync, writeFileSync } from 'node:fs';
import { freezePostgres, freezeProcess } from '@platform/shared/testing/freeze';
import { setReadOnly } from '@platform/shared/testing/query-database';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import pg from 'pg';
import type { Fault } from '../fault.ts';

const freezeEngine =
  (engine: 'postgres' | 'redis'): Fault['inject'] =>
  async ({ databaseUrl, pids }) =>
    engine === 'redis' ? freezeProcess(pids().redis) : await freezePostgres(databaseUrl, pids().postgres);

/** Another client takes all connections, and the connections of the services are closed. */
const takeAllConnections: Fault['inject'] = async ({ databaseUrl }) => {
  const taken: pg.Client[] = [];
  const takeOne = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'greedy' });
    client.on('error', () => undefined);
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    );
    if (isTaken) taken.push(client);
    return isTaken;
  };
  const closeOthers = () =>
    taken[0]?.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and application_name <> 'greedy'`);
  await takeOne();
  for (let round = 0; round < 20; round += 1) {
    await closeOthers();
    while (await takeOne());
  }
  return () => Promise.all(taken.map((client) => client.end()));
};

/** Postgres can still fill the pages that it has already allocated. */
const fillDisk: Fault['inject'] = async ({ diskFolder = '' }) => {
  const filler = `${diskFolder}/filler`;
  const { bfree, bsize } = statfsSync(diskFolder);
  writeFileSync(filler, Buffer.alloc(bfree * bsize));
  return async () => unlinkSync(filler);
};

/** Redis may use a half more than it does. */
const limitMemory: Fault['inject'] = async ({ redisUrl }) => {
  const memory = String(await runRedisCommand(redisUrl, 'INFO', 'memory'));
  const used = Number(/^used_memory:(\d+)/m.exec(memory)?.[1]);
  await runRedisCommand(redisUrl, 'CONFIG', 'SET', 'maxmemory', String(Math.round(used * 1.5)));
  return () => runRedisCommand(redisUrl, 'CONFIG', 'SET', 'maxmemory', '0');
};

export const ENGINE_FAULTS: readonly Fault[] = [
  {
    cause: 'PostgreSQL frozen for two minutes',
    alerts: ['PostgresUnavailable'],
    minutes: 2,
    seconds: 120,
    isWatchedToTheEnd: true,
    inject: freezeEngine('postgres'),
  },
  {
    cause: 'connections of PostgreSQL exhausted',
    alerts: ['PostgresUnavailable'],
    minutes: 2,
    isWatchedToTheEnd: true,
    inject: takeAllConnections,
  },
  {
    cause: 'PostgreSQL read-only',
    alerts: ['PostgresCannotWrite'],
    minutes: 2,
    isWatchedToTheEnd: true,
    inject: async ({ databaseUrl }) => {
      await setReadOnly(databaseUrl, true);
      return () => setReadOnly(databaseUrl, false);
    },
  },
  {
    cause: 'disk of PostgreSQL full',
    alerts: ['PostgresCannotWrite'],
    minutes: 3,
    hasSmallDisk: true,
    inject: fillDisk,
  },
  {
    cause: 'Redis two thirds full',
    alerts: ['RedisMemoryHigh'],
    minutes: 7,
    sharedPlatform: 'services',
    inject: limitMemory,
  },
  {
    cause: 'Redis frozen',
    alerts: ['RedisUnavailable'],
    minutes: 2,
    inject: freezeEngine('redis'),
  },
];
