import { type Database, query } from '@platform/shared/db/database';
import { type GuessedSecret, LIMITS, MAX_PENDING_SECONDS, type Scope } from './guess-limits.ts';

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

// The parameters of all statements: $1 is the secret, and $2 the counters with their limits (toParameter).

const COUNT = `on conflict (subject, secret) do update set
    attempted_at = now(),
    failures = case when f.expires_at <= now() then 1 else f.failures + 1 end,
    pending = case when f.pending > 0 and f.attempted_at > now() - make_interval(secs => $4)
      then f.pending + 1 else 1 end,
    expires_at = greatest(f.expires_at, excluded.expires_at)`;

/** Whether the locked row of a counter allows an attempt. */
const ALLOWS = `f.waits_until <= now() and exists (
    select from counters c where c.subject = f.subject
      and (f.failures < c.free or (f.failures - c.free) % c.every <> 0
        or f.pending <= 0 or f.attempted_at <= now() - make_interval(secs => $4)))`;

/**
 * Checks all counters, then counts at all of them or at none. $3 exempts the attempt from the pause of the
 * account, $4 is MAX_PENDING_SECONDS, $5 MAX_ROWS.
 */
const BEGIN = `
with counters as materialized (
  select c.*, coalesce(now() + make_interval(secs => c."forgottenAfterSeconds"), 'infinity') as expires_at
  from jsonb_to_recordset($2::jsonb)
    as c (position int, scope text, subject text, free int, every int, "forgottenAfterSeconds" int)
  where c.scope <> 'email' or (select reltuples from pg_class where oid = 'failed_guesses'::regclass) < $5::int
),
-- The counters that wait. Where the next failure starts a wait, only one attempt at a time is allowed.
rejected as materialized (
  select c.subject, ceil(extract(epoch from greatest(f.waits_until, now()) - now()))::int as seconds
  from counters c join failed_guesses f on f.subject = c.subject and f.secret = $1
  where not (c.scope = 'account' and $3)
    and (f.waits_until > now()
      or f.failures >= c.free and (f.failures - c.free) % c.every = 0
        and f.pending > 0 and f.attempted_at > now() - make_interval(secs => $4))
),
-- A concurrent statement may have counted meanwhile, so the update checks the locked row again.
at_networks as (
  insert into failed_guesses as f (subject, secret, scope, expires_at)
  select subject, $1, scope, expires_at from counters
  where scope like '%network' and not exists (select from rejected) order by position
  ${COUNT}
  where ${ALLOWS}
  returning f.subject, f.failures
),
-- The account counts last, so that nobody can pause it with attempts that their network does not allow.
at_account as (
  insert into failed_guesses as f (subject, secret, scope, expires_at)
  select subject, $1, scope, expires_at from counters
  where scope not like '%network' and not exists (select from rejected)
    and (select count(*) from at_networks) = (select count(*) from counters where scope like '%network')
  order by position
  ${COUNT}
  where f.scope = 'account' and $3 or ${ALLOWS}
  returning f.subject, f.failures
)
-- Each counter with its wait if it rejects, and with its failures if it has counted.
select c.scope, c.subject, r.seconds, n.failures from counters c
left join rejected r using (subject)
left join (select * from at_networks union all select * from at_account) n using (subject)
order by c.position`;

const ENDS = {
  /** The wait starts at the response, because a hash alone can take as long as the first waits. */
  fail: `
-- The locked row may be newer than what the rest of the statement reads.
with locked as materialized (
  select c.*, f.failures - c.free as over
  from jsonb_to_recordset($2::jsonb) as c (position int, subject text, free int, every int,
    "firstWaitSeconds" int, "longestWaitSeconds" int, "forgottenAfterSeconds" int)
  join failed_guesses f on f.subject = c.subject and f.secret = $1
  order by c.position for update of f
),
-- Each wait is twice as long as the last one. A larger exponent would overflow the interval.
ended as (
  select subject, "forgottenAfterSeconds", make_interval(secs => case when over < 0 or over % every <> 0 then 0
    else least("firstWaitSeconds" * power(2, least(over / every, 10)), "longestWaitSeconds") end) as wait
  from locked
)
update failed_guesses f set
  pending = greatest(f.pending - 1, 0),
  waits_until = case when e.wait > interval '0' then now() + e.wait else f.waits_until end,
  expires_at = greatest(f.expires_at,
    coalesce(now() + e.wait + make_interval(secs => e."forgottenAfterSeconds"), 'infinity'))
from ended e where f.subject = e.subject and f.secret = $1`,

  /** Failures of other networks are kept. */
  clear: `
with locked as materialized (
  select f.subject
  from jsonb_to_recordset($2::jsonb) as c (position int, subject text)
  join failed_guesses f on f.subject = c.subject and f.secret = $1
  order by c.position for update of f
)
delete from failed_guesses f using locked l where f.subject = l.subject and f.secret = $1`,

  /**
   * The attempt had no result, for example because the hashing queue was full. Many such attempts must not
   * fill the table.
   */
  refund: `
with locked as materialized (
  select c.subject, f.failures, f.failures >= c.free and (f.failures - c.free) % c.every = 0 as waits
  from jsonb_to_recordset($2::jsonb) as c (position int, subject text, free int, every int)
  join failed_guesses f on f.subject = c.subject and f.secret = $1
  order by c.position for update of f
),
deleted as (
  delete from failed_guesses f using locked l where f.subject = l.subject and f.secret = $1 and l.failures <= 1
)
update failed_guesses f set
  pending = greatest(f.pending - 1, 0),
  failures = f.failures - 1,
  waits_until = case when l.waits then '-infinity' else f.waits_until end
from locked l where f.subject = l.subject and f.secret = $1 and l.failures > 1`,
};

const toParameter = (counters: readonly Counter[]): string =>
  JSON.stringify(counters.map((counter, position) => ({ position, ...counter, ...LIMITS[counter.scope] })));

type CounterRow = Counter & { seconds: number | null; failures: number | null };

export const createFailureStore = (database: Database) => {
  const end = async (kind: keyof typeof ENDS, { secret, counters }: Counters): Promise<void> => {
    const values = [secret, toParameter(counters)];
    await query(database, { name: `${kind}-guess`, text: ENDS[kind], values });
  };

  return {
    /**
     * Counts the attempt as a failure before it is verified, so that parallel attempts cannot share a free
     * one.
     */
    begin: async ({ secret, counters }: Counters, isExempt: boolean): Promise<FailureDecision> => {
      const rows = await query<CounterRow>(database, {
        name: 'begin-guess',
        text: BEGIN,
        values: [secret, toParameter(counters), isExempt, MAX_PENDING_SECONDS, MAX_ROWS],
      });
      const counted = rows.filter(({ failures }) => failures !== null);
      if (counted.length === rows.length)
        return { kind: 'counted', failuresAtAccount: rows.at(-1)?.failures ?? 0 };
      if (counted.length > 0) await end('refund', { secret, counters: counted });
      // If no counter rejects, a concurrent attempt has used the last free failure meanwhile.
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
