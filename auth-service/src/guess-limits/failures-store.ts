import { type Database, query } from '@platform/shared/db/database';
import {
  type FailureLimit,
  type GuessedSecret,
  LIMITS,
  MAX_PENDING_SECONDS,
  type Scope,
} from './guess-limits.ts';

/** The counters of an attempt: networks, e-mail, account. Every statement locks in this order. */
export type Counter = { scope: Scope; subject: string };
export type Counters = { secret: GuessedSecret; counters: Counter[] };

type FailureDecision =
  | { kind: 'counted'; failuresAtAccount: number }
  /** The counter of this scope allows no attempt now. */
  | { kind: 'rejected'; scope: Scope; seconds: number };

/**
 * Compared with autovacuum's estimate. If the table has more rows, failures at e-mails without an account
 * count only by network.
 */
const MAX_ROWS = 1_000_000;

const perScope = (field: keyof FailureLimit): string => {
  const cases = Object.entries(LIMITS).map(([scope, limit]) => `when '${scope}' then ${limit[field]}`);
  return `(case f.scope ${cases.join(' ')} end)`;
};
const OVER = `(f.failures - ${perScope('free')})`;
// The exponent is limited, because a larger one would overflow the interval.
const WAIT = `(case when ${OVER} < 0 or ${OVER} % ${perScope('every')} <> 0 then interval '0' else make_interval(secs =>
  least(${perScope('firstWait')} * power(2, least(${OVER} / ${perScope('every')}, 10)), ${perScope('longestWait')})) end)`;
// The failures of an account are consecutive and never expire.
const toExpiry = (since: string): string => `(case f.scope when 'account' then 'infinity'::timestamptz
  else ${since} + make_interval(secs => ${perScope('forgottenAfter')}) end)`;
const IS_PENDING = `(f.pending > 0 and f.attempted_at > now() - interval '${MAX_PENDING_SECONDS} s')`;
/** $4 exempts the attempt from the pause of the account. */
const IS_ALLOWED = `(f.scope = 'account' and $4
  or f.waits_until <= now() and (${WAIT} = interval '0' or not ${IS_PENDING}))`;

const count = (condition: string): string => `
  insert into failed_guesses as f (subject, secret, scope, expires_at)
  select f.subject, $1, f.scope, ${toExpiry('now()')} from counters f
  where not exists (select from rejected) and ${condition} order by f.position
  on conflict (subject, secret) do update set attempted_at = now(),
    failures = case when f.expires_at <= now() then 1 else f.failures + 1 end,
    pending = case when ${IS_PENDING} then f.pending + 1 else 1 end,
    expires_at = greatest(f.expires_at, excluded.expires_at)
  where ${IS_ALLOWED} returning f.subject, f.failures`;

// Checks all counters, then counts at all of them or at none. The account counts last, so that nobody can
// pause it with attempts that their network does not allow. If concurrent statements interfere, the update
// checks again, and may already have counted at some counters.
const BEGIN = `
  with counters as materialized (
    select * from unnest($2::text[], $3::text[]) with ordinality as c (scope, subject, position)
    where scope <> 'email' or (select reltuples from pg_class where oid = 'failed_guesses'::regclass) < ${MAX_ROWS}
  ), rejected as materialized (
    select f.subject, ceil(extract(epoch from greatest(f.waits_until, now()) - now()))::int as seconds
    from counters c join failed_guesses f on f.subject = c.subject and f.secret = $1 where not ${IS_ALLOWED}
  ), at_networks as (${count("f.scope like '%network'")}
  ), at_account as (${count(`f.scope not like '%network'
    and (select count(*) from at_networks) = (select count(*) from counters where scope like '%network')`)}
  )
  select c.scope, c.subject, r.seconds, n.failures from counters c left join rejected r using (subject)
  left join (select * from at_networks union all select * from at_account) n using (subject) order by c.position`;

// `failures` comes from the locked row, which may be newer than what the rest of the statement reads.
const LOCKED = `
  with locked as materialized (
    select subject, failures from failed_guesses where subject = any($2) and secret = $1
    order by array_position($2, subject) for update
  )`;
const END = 'from locked l where f.subject = l.subject and f.secret = $1';
const ENDS = {
  // The wait starts at the response, because a hash alone can take as long as the first waits.
  fail: `${LOCKED} update failed_guesses f set pending = greatest(f.pending - 1, 0),
    waits_until = case when ${WAIT} > interval '0' then now() + ${WAIT} else f.waits_until end,
    expires_at = greatest(f.expires_at, ${toExpiry(`(now() + ${WAIT})`)}) ${END}`,
  // Failures of other networks are kept.
  clear: `${LOCKED} delete from failed_guesses f using ${END.slice('from '.length)}`,
  /**
   * The attempt had no result, for example because the hashing queue was full. Many such attempts must not
   * fill the table.
   */
  refund: `${LOCKED}, removed as (
      delete from failed_guesses f using locked l where f.subject = l.subject and f.secret = $1 and l.failures <= 1
    ) update failed_guesses f set pending = greatest(f.pending - 1, 0), failures = f.failures - 1,
    waits_until = case when ${WAIT} > interval '0' then '-infinity' else f.waits_until end ${END} and l.failures > 1`,
};

type CounterRow = Counter & { seconds: number | null; failures: number | null };

export const createFailureStore = (database: Database) => {
  const end = async (kind: keyof typeof ENDS, { secret, counters }: Counters): Promise<void> => {
    const values = [secret, counters.map(({ subject }) => subject)];
    await query(database, { name: `${kind}-guess`, text: ENDS[kind], values });
  };

  return {
    /**
     * Counts the attempt as a failure before it is verified, so that parallel attempts cannot share a free
     * one.
     */
    begin: async ({ secret, counters }: Counters, isExempt: boolean): Promise<FailureDecision> => {
      const scopes = counters.map(({ scope }) => scope);
      const subjects = counters.map(({ subject }) => subject);
      const rows = await query<CounterRow>(database, {
        name: 'begin-guess',
        text: BEGIN,
        values: [secret, scopes, subjects, isExempt],
      });
      const counted = rows.filter(({ failures }) => failures !== null);
      if (counted.length === rows.length)
        return { kind: 'counted', failuresAtAccount: rows.at(-1)?.failures ?? 0 };
      if (counted.length > 0) await end('refund', { secret, counters: counted });
      // Without a rejected counter, a concurrent attempt has taken the last free one meanwhile.
      const rejected =
        rows.find(({ seconds }) => seconds !== null) ?? rows.find((row) => !counted.includes(row));
      // A counter whose free attempts are still being verified has no wait yet.
      return { kind: 'rejected', scope: rejected?.scope ?? 'network', seconds: rejected?.seconds || 1 };
    },

    end,

    /** Also compares the network, because clients choose their fingerprint. */
    isKnownDevice: async (userId: string, fingerprint: string, network: string): Promise<boolean> => {
      const text = `select 1 from sessions s join session_networks n on n.session_id = s.id
        where s.user_id = $1 and s.fingerprint = $2 and n.network = $3`;
      const statement = { name: 'has-signed-in-from', text, values: [userId, fingerprint, network] };
      return (await query(database, statement)).length > 0;
    },
  };
};

export type FailureStore = ReturnType<typeof createFailureStore>;
