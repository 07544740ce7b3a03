import { readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ADVISORY_LOCKS } from '@platform/shared/db/advisory-locks';
import { queryDatabase } from '@platform/shared/testing/query-database';
import pg from 'pg';

export type MigrationLocks = {
  name: string;
  seconds: number;
  /** Locks of existing tables that block writes, such as `users AccessExclusiveLock`. */
  locks: string[];
  /** The longest time that a statement of a process has waited for a lock of the migration. */
  longestWaitSeconds: number;
};

const EVERY_MILLISECONDS = 10;
const AFTERWARDS = 'functions and rights';

/**
 * Who holds the advisory lock migrates. A statement waits for it also when another transaction holds the lock,
 * and the migration waits in front of it.
 */
const SAMPLE = `
  with migrator as materialized (
    select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = ${ADVISORY_LOCKS.migrations}
  )
  select
    (select array_agg(name) from knex_migrations) as done,
    array(
      select distinct relation::regclass || ' ' || mode from pg_locks join migrator using (pid)
      where relation = any ($1::oid[]) and granted
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    ) as locks,
    coalesce((
      select max(extract(epoch from clock_timestamp() - waitstart)) from pg_locks waiting
      where not granted and exists (select 1 from migrator where pid = any (pg_blocking_pids(waiting.pid)))
    ), 0)::float8 as wait`;

type Sample = { done: string[]; locks: string[]; wait: number };

/** Samples the locks of the migrations of a checkout while they run. `stop` returns them in their order. */
export const watchMigrations = async (databaseUrl: string, root: string) => {
  const files = (await readdir(join(root, 'migrate/migrations'))).sort().map((file) => parse(file).name);
  const done = await queryDatabase<{ name: string }>(databaseUrl, 'select name from knex_migrations');
  const pending = files.filter((file) => !done.some(({ name }) => name === file));
  const tables = await queryDatabase<{ id: number }>(
    databaseUrl,
    "select oid as id from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname !~ '^knex_'",
  );
  const client = new pg.Client({ connectionString: databaseUrl, statement_timeout: 60_000 });
  await client.connect();
  const found = new Map<string, { first: number; last: number; locks: Set<string>; wait: number }>();
  let isStopped = false;

  const sample = async (): Promise<void> => {
    const { rows } = await client.query<Sample>(SAMPLE, [tables.map(({ id }) => id)]);
    const [row] = rows;
    const name = pending.find((each) => !row?.done.includes(each)) ?? AFTERWARDS;
    const at = performance.now();
    const { first, locks, wait } = found.get(name) ?? { first: at, locks: new Set(), wait: 0 };
    for (const lock of row?.locks ?? []) locks.add(lock);
    found.set(name, { first, last: at, locks, wait: Math.max(wait, row?.wait ?? 0) });
  };
  const running = (async () => {
    while (!isStopped) {
      await sample();
      await delay(EVERY_MILLISECONDS);
    }
  })();
  return {
    stop: async (): Promise<MigrationLocks[]> => {
      isStopped = true;
      await running;
      await client.end();
      return [...pending, AFTERWARDS].map((name) => {
        const { first = 0, last = 0, locks = [], wait = 0 } = found.get(name) ?? {};
        return { name, seconds: (last - first) / 1_000, locks: [...locks], longestWaitSeconds: wait };
      });
    },
  };
};
