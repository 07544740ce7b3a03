import { type Database, query } from '@platform/shared/db/database';
import {
  ACCOUNT_FAILURES,
  FIRST_PAUSE_SECONDS,
  type GuessedSecret,
  LONGEST_PAUSE_SECONDS,
} from './guess-limits.ts';

// The exponent is limited because the interval of a greater one would overflow.
const COUNT = `
  insert into failed_guesses as f (user_id, secret, failures) values ($1, $2, 1)
  on conflict (user_id, secret) do update set failures = f.failures + 1,
    paused_until = case when (f.failures + 1) % ${ACCOUNT_FAILURES} <> 0 then f.paused_until else now() + make_interval(
      secs => least(${FIRST_PAUSE_SECONDS} * power(2, least((f.failures + 1) / ${ACCOUNT_FAILURES} - 1, 10)), ${LONGEST_PAUSE_SECONDS})) end
  where $3 or coalesce(f.paused_until <= now(), true)
  returning failures`;

const REFUND = `
  update failed_guesses set failures = failures - 1,
    paused_until = case when failures % ${ACCOUNT_FAILURES} = 0 then null else paused_until end
  where user_id = $1 and secret = $2 and failures > 0`;

/**
 * Consecutive failures of each account, and its pauses. In Postgres, so that they hold when Redis is full, restarted or
 * unavailable: an attacker could bring about each of these.
 */
export const createPausedAccountStore = (database: Database) => ({
  /** Counts an attempt as a failure before it is verified; returns the consecutive ones, or undefined during a pause. */
  count: async (userId: string, secret: GuessedSecret, isExempt: boolean): Promise<number | undefined> => {
    const [row] = await query<{ failures: number }>(database, {
      name: 'count-guess',
      text: COUNT,
      values: [userId, secret, isExempt],
    });
    return row?.failures;
  },

  /** 0 without a pause. The user may be unknown. */
  findPauseSeconds: async (userId: string, secret: GuessedSecret): Promise<number> => {
    const [row] = await query<{ seconds: number }>(database, {
      name: 'pause-of-account',
      text: `select ceil(extract(epoch from paused_until - now()))::int as seconds from failed_guesses
        where user_id = $1 and secret = $2 and paused_until > now()`,
      values: [userId, secret],
    });
    return row?.seconds ?? 0;
  },

  /** The counted attempt had no result. */
  refund: async (userId: string, secret: GuessedSecret): Promise<void> => {
    await query(database, { name: 'refund-guess', text: REFUND, values: [userId, secret] });
  },

  clear: async (userId: string, secret: GuessedSecret): Promise<void> => {
    await query(database, {
      name: 'clear-guesses',
      text: 'delete from failed_guesses where user_id = $1 and secret = $2',
      values: [userId, secret],
    });
  },
});

export type PausedAccountStore = ReturnType<typeof createPausedAccountStore>;
