import { type Database, query } from '@platform/shared/db/database';
import type { AgedAccount, Lasting } from './age.ts';
import { MOVED } from './times.ts';

/** Also an address that the account had, or has asked for: their codes and failures are of the account, too. */
const FIND = `
  select id, is_email_verified, factor_version, password_hash, array_remove(array[email] || array(
      select distinct recipient from sent_mails where user_id = users.id), null) as emails,
    array(select id from token_records where user_id = users.id) as token_ids
  from users where id = :id
  union all
  select id, false, 0, null, array[email], '{}'::uuid[] from invitations where id = :id`;

/** Everything of the account that has an end. An ADMIN's proof ends, too, if `:proofSeconds` is not 0. */
const LASTING = `
  select what, until from (
    select 'access-token' as what, access_token_expired_at as until from token_records where user_id = :id
    union all select 'session', refresh_token_expired_at from token_records where user_id = :id
    union all select 'proof', coalesce(proved_at, created_at) + make_interval(secs => :proofSeconds)
      from token_records where user_id = :id and :proofSeconds > 0 and exists (
        select from user_roles where user_id = :id and role in ('ADMIN', 'OPERATOR', 'ARBITER'))
    union all select 'app-set-up', created_at + make_interval(secs => :setUpSeconds)
      from totp_factors where user_id = :id and enabled_at is null
    union all select case when scope like '%network' then 'wait' else 'pause' end, waits_until
      from failed_guesses where split_part(subject, ' ', 1) = any(:subjects)
    union all select 'failures', expires_at from failed_guesses where split_part(subject, ' ', 1) = any(:subjects)
    union all select 'invitation', expires_at from invitations where id = :id or email = any(:emails)
  ) lasting where until > now() and until < 'infinity' order by until, what`;

export type Durations = { proofSeconds: number; setUpSeconds: number };

/** Values by the names in a statement, such as `:id`. */
type Values = Record<string, unknown>;

/** Prepared once for each connection, because planning the statements takes longer than running them. */
const prepare = (name: string, text: string) => {
  const names: string[] = [];
  const numbered = text.replace(/(?<!:):([a-z]+)/gi, (_, value: string) => `$${names.push(value)}`);
  return <Row>(database: Database, values: Values): Promise<Row[]> =>
    query<Row>(database, {
      name: `test-bench-${name}`,
      text: numbered,
      values: names.map((value) => values[value]),
    });
};

const find = prepare('aged-account', FIND);
const listLasting = prepare('lasting', LASTING);
const moves = Object.entries(MOVED).map(([table, { where, set }]) => {
  const changes = Object.entries(set).map(([column, value]) => `${column} = ${value}`);
  return prepare(`age-${table}`, `update ${table} set ${changes.join(', ')} where ${where}`);
});

/** Requires a transaction. */
export const createAccountTimeStore = (database: Database) => ({
  /** Locks the account, or the invitation, until the transaction ends. Undefined if neither exists. */
  lock: async (id: string): Promise<AgedAccount | undefined> => {
    await database('users').where({ id }).forNoKeyUpdate().select('id');
    await database('invitations').where({ id }).forUpdate().select('id');
    // A statement sees the snapshot of its start, so this one sees what the holder of the lock has changed.
    return (await find<AgedAccount>(database, { id }))[0];
  },

  listLasting: ({ id, emails }: AgedAccount, subjects: string[], durations: Durations): Promise<Lasting[]> =>
    listLasting(database, { id, emails, subjects, ...durations }),

  move: async ({ id, emails }: AgedAccount, subjects: string[], seconds: number): Promise<void> => {
    for (const move of moves) await move(database, { id, emails, subjects, seconds });
  },
});

export type AccountTimeStore = ReturnType<typeof createAccountTimeStore>;
