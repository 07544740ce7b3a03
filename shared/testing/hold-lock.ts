import pg from 'pg';
import { waitFor } from './poll.ts';

/** Stops other transactions by a statement that locks rows or tables, in a transaction that stays open. */
export const holdLock = async (url: string, text: string, values: readonly unknown[] = []) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Errors of connections that a failed test has left open are irrelevant.
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
  /** Postgres caches pg_stat_activity in a transaction until pg_stat_clear_snapshot. */
  const findWaiting = async (): Promise<number[]> => {
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.map(({ pid }) => pid);
  };
  const untilWaiting = async (count: number): Promise<number[]> => {
    try {
      return await waitFor(`${count} backends wait for a lock`, async () => {
        const pids = await findWaiting();
        return pids.length >= count && pids;
      });
    } catch (error) {
      await end('rollback');
      throw error;
    }
  };
  return {
    /** Resolves with the process ids when this many backends of the database wait for a lock. */
    untilWaiting,
    /** Rolls the statement back, so that the waiting backends continue. */
    release: () => end('rollback'),
    /** Commits the statement, so that the waiting backends continue. */
    commit: () => end('commit'),
    releaseWhenWaiting: async (count: number) => {
      await untilWaiting(count);
      await end('rollback');
    },
    commitWhenWaiting: async (count: number) => {
      await untilWaiting(count);
      await end('commit');
    },
  };
};

type HeldLock = Awaited<ReturnType<typeof holdLock>>;

/** Stops transactions that change the user. */
export const lockUser = (url: string, userId: string): Promise<HeldLock> =>
  holdLock(url, 'select 1 from users where id = $1 for no key update', [userId]);
