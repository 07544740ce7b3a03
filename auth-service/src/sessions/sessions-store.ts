import type { Database } from '@platform/shared/db/database';
import type { Account, AccountWithPassword } from '../accounts/account.ts';
import { ACCOUNT_COLUMNS, type AccountRow, toAccount } from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import type {
  AuthCaller,
  Device,
  PresentedSession,
  RefreshTokenHistory,
  Session,
  TokenPairIds,
} from './session.ts';
import { CALLER_JOINS, SESSION_COLUMNS, type SessionRow, toCaller } from './session-mapper.ts';

type Expiry = Pick<TokenPairIds, 'accessTokenExpiredAt' | 'refreshTokenExpiredAt'>;

const byRefreshToken = (kind: Kind) => `
  select ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS},
    t.refresh_token_id = $1 as is_current,
    coalesce(h.replaced_by = t.refresh_token_id, false) as is_previous,
    coalesce(extract(epoch from now() - h.superseded_at), 0)::float8 as superseded_seconds
  from (
    select id from token_records where refresh_token_id = $1
    union all
    select token_id from superseded_refresh_tokens where refresh_token_id = $1
  ) issued
  join token_records t on t.id = issued.id
  left join superseded_refresh_tokens h on h.refresh_token_id = $1 ${CALLER_JOINS(kind)}
  where t.user_id = $2`;

const OPEN = `
  select id, user_id, fingerprint, ip, created_at, updated_at
  from open_session($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

// Compare and swap: of several requests with one token, only the first finds it still current.
const rotation = (kind: Kind) => `
  with found as (
    select ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS}, t.created_at + make_interval(secs => $5::float8) as session_end
    from token_records t ${CALLER_JOINS(kind)}
    where t.refresh_token_id = $1 and t.user_id = $2 and not u.is_blocked
      and s.fingerprint = $3 and s.id = coalesce($4, s.id)
  ), rotated as (
    update token_records t
    set access_token_id = $6, access_token_expired_at = least($7, found.session_end),
      refresh_token_id = $8, refresh_token_expired_at = least($9, found.session_end)
    from found
    where t.id = found.token_id and t.refresh_token_id = $1 and coalesce(found.session_end >= now(), true)
    returning t.id, t.access_token_expired_at, t.refresh_token_expired_at
  ), superseded as (
    insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, expired_at)
    select $1, id, $8, refresh_token_expired_at from rotated
  )
  select found.*, rotated.access_token_expired_at, rotated.refresh_token_expired_at
  from found join rotated on rotated.id = found.token_id`;

/**
 * Whoever changes a session and its token record locks in one order: user, session, token record; several sessions by
 * id. A sign-in needs this order (open_session in 20261126-open-session.ts), so every deletion of a token record locks
 * the session first, though it changes the session only afterwards (`on delete set null`): in the other order each of
 * the two could wait for the other. The nightly cleanup does the same.
 */
const REMOVE_BY_ID = `
  with held as (select token_id from sessions where token_id = $1 for update)
  delete from token_records t using held where t.id = held.token_id`;
const REMOVE_BY_SESSION = `
  with held as (select token_id from sessions where id = $2 and user_id = $1 and token_id is not null for update)
  delete from token_records t using held where t.id = held.token_id returning 1`;
// By user, so that a record without a session ends too; counting makes Postgres lock all sessions first.
const REMOVE_BY_USER = `
  with held as (
    select 1 from sessions where user_id = $1 and token_id is distinct from $2 and token_id is not null
    order by id for update
  )
  delete from token_records where user_id = $1 and id is distinct from $2 and (select count(*) from held) >= 0`;

const idValues = (ids: TokenPairIds) => [
  ids.accessTokenId,
  ids.accessTokenExpiredAt,
  ids.refreshTokenId,
  ids.refreshTokenExpiredAt,
];

export const createSessionStore = (database: Database) => ({
  /** Finds the session of a refresh token that it issued since its last sign-in, current or not. */
  findByRefreshToken: async (
    kind: Kind,
    jti: string,
    userId: string,
  ): Promise<(AuthCaller & RefreshTokenHistory) | undefined> => {
    const [row] = await database.query<AccountRow & SessionRow & RefreshTokenHistory>({
      name: `signed-in-by-refresh-token-${kind}`,
      text: byRefreshToken(kind),
      values: [jti, userId],
    });
    if (!row) return undefined;
    const { isCurrent, isPrevious, supersededSeconds } = row;
    return { ...toCaller(kind, row), isCurrent, isPrevious, supersededSeconds };
  },

  /**
   * Opens the device's session, or points the one it has at the new tokens and deletes the old ones; records the network.
   * Undefined when the user is blocked, or has no longer the password of that hash.
   */
  open: async (
    { userId, passwordHash }: AccountWithPassword,
    { fingerprint, ip, network }: Device,
    ids: TokenPairIds,
  ): Promise<Session | undefined> => {
    const [session] = await database.query<Session>({
      name: 'open-session',
      text: OPEN,
      values: [userId, passwordHash, fingerprint, ip, ...idValues(ids), network],
    });
    return session;
  },

  /**
   * Exchanges a session's current refresh token, in one statement with all that must be true of it; `ids` ends with the
   * session, `maxAgeSeconds` after the sign-in. Undefined when something is not true, whatever it is.
   */
  rotate: async (
    kind: Kind,
    { jti, userId }: { jti: string; userId: string },
    { fingerprint, sessionId }: PresentedSession,
    ids: TokenPairIds,
    maxAgeSeconds: number | undefined,
  ): Promise<{ account: Account; sessionId: string; ids: TokenPairIds } | undefined> => {
    const [row] = await database.query<AccountRow & Pick<SessionRow, 'sessionId'> & Expiry>({
      name: `rotate-tokens-${kind}`,
      text: rotation(kind),
      values: [jti, userId, fingerprint, sessionId, maxAgeSeconds, ...idValues(ids)],
    });
    if (!row) return undefined;
    const { accessTokenExpiredAt, refreshTokenExpiredAt, sessionId: id } = row;
    return {
      account: toAccount(row),
      sessionId: id,
      ids: { ...ids, accessTokenExpiredAt, refreshTokenExpiredAt },
    };
  },

  /** Ends the tokens; the session stays for the device's next sign-in. */
  removeTokens: async (tokenId: string): Promise<void> => {
    await database.query({
      name: 'remove-tokens',
      text: REMOVE_BY_ID,
      values: [tokenId],
    });
  },

  /** Ends the tokens of all the user's sessions, but for the record named. */
  removeTokensOfUser: async (userId: string, exceptTokenId?: string): Promise<void> => {
    await database.query({
      name: 'remove-tokens-of-user',
      text: REMOVE_BY_USER,
      values: [userId, exceptTokenId],
    });
  },

  /** Those that have tokens. */
  listOfUser: (userId: string): Promise<Session[]> =>
    database.query<Session>({
      name: 'sessions-of-user',
      text: `select s.id, s.user_id, s.fingerprint, s.ip, s.created_at, s.updated_at
        from sessions s join token_records t on t.id = s.token_id
        where s.user_id = $1 and t.refresh_token_expired_at > now() order by s.updated_at desc, s.id`,
      values: [userId],
    }),

  /** False when the user has no session of that id with tokens. */
  removeTokensOfSession: async (userId: string, sessionId: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'remove-tokens-of-session',
      text: REMOVE_BY_SESSION,
      values: [userId, sessionId],
    });
    return rows.length === 1;
  },

  /** Whether the device has signed in to the account from this network; the client chooses the fingerprint. */
  hasSignedInFrom: async (email: string, { fingerprint, network }: Omit<Device, 'ip'>): Promise<boolean> => {
    const rows = await database.query({
      name: 'has-signed-in-from',
      text: `select 1 from users u join sessions s on s.user_id = u.id join session_networks n on n.session_id = s.id
        where u.email = $1 and s.fingerprint = $2 and n.network = $3`,
      values: [email, fingerprint, network],
    });
    return rows.length > 0;
  },
});

export type SessionStore = ReturnType<typeof createSessionStore>;
