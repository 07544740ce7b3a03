import pg from 'pg';
import { waitFor } from './poll.ts';

export type HeldLock = {
  /** Resolves when so many backends of the database wait for a lock, with their process ids. */
  untilWaiting: (count: number) => Promise<number[]>;
  /** Lets them go on as if nothing had happened. */
  release: () => Promise<void>;
  /** Lets them go on after what the statement changed. */
  commit: () => Promise<void>;
};

/** Stops others in the middle of their work: runs a statement that locks, in a transaction that stays open. */
export const holdLock = async (
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<HeldLock> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Of a connection that a failed test left behind nobody needs to hear.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query("set local lock_timeout = '5s'");
  await client.query(text, [...values]);
  let ending: Promise<void> | undefined;
  const end = (how: 'commit' | 'rollback'): Promise<void> => {
    ending ??= client.query(how).then(() => client.end());
    return ending;
  };
  /** Postgres shows a transaction the same activity again and again, unless it is told to forget. */
  const findWaiting = async (): Promise<number[]> => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    untilWaiting: async (count) => {
      try {
        return await waitFor(`${count} backends wait for a lock`, async () => {
          const pids = await findWaiting();
          return pids.length >= count && pids;
        });
      } catch (error) {
        await end('rollback');
        throw error;
      }
    },
    release: () => end('rollback'),
    commit: () => end('commit'),
  };
};
