import type { Database } from '@platform/shared/db/database';
import { ACCOUNT_COLUMNS, type AccountRow, profileJoin, toAccount } from '../account-rows.ts';
import type { Kind } from '../kinds.ts';
import type { RefreshTokenHistory, Session, SignedIn, TokenPairIds } from './session.ts';

type SessionRow = {
  sessionId: string;
  fingerprint: string;
  ip: string;
  sessionCreatedAt: Date;
  sessionUpdatedAt: Date;
  tokenId: string;
  signedInAt: Date;
};

const SESSION_COLUMNS = `
  t.id as token_id, t.created_at as signed_in_at, s.id as session_id, s.fingerprint, s.ip,
  s.created_at as session_created_at, s.updated_at as session_updated_at`;

const SIGNED_IN_JOINS = (kind: Kind) => `
  join users u on u.id = t.user_id
  join sessions s on s.token_id = t.id
  ${profileJoin(kind)}`;

const byAccessToken = (kind: Kind) => `
  select ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS}
  from token_records t ${SIGNED_IN_JOINS(kind)}
  where t.access_token_id = $1 and t.user_id = $2`;

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
  left join superseded_refresh_tokens h on h.refresh_token_id = $1 ${SIGNED_IN_JOINS(kind)}
  where t.user_id = $2`;

// The old token record is found before the session moves on; the caller holds the user's row lock.
const OPEN = `
  with token as (
    insert into token_records
      (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
    values ($1, $4, $5, $6, $7) returning id
  ), old as (
    delete from token_records t using sessions s
    where s.user_id = $1 and s.fingerprint = $2 and t.id = s.token_id
  )
  insert into sessions (user_id, token_id, fingerprint, ip) select $1, id, $2, $3 from token
  on conflict (user_id, fingerprint) do update
    set token_id = excluded.token_id, ip = excluded.ip, updated_at = now()
  returning id, user_id, fingerprint, ip, created_at, updated_at`;

// Compare and swap: of several requests with one token, only the first finds it still current.
const ROTATE = `
  with rotated as (
    update token_records set access_token_id = $2, access_token_expired_at = $3,
      refresh_token_id = $4, refresh_token_expired_at = $5
    where refresh_token_id = $1 returning id
  )
  insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, expired_at)
  select $1, id, $4, $5 from rotated
  returning token_id`;

const toSignedIn = (kind: Kind, row: AccountRow & SessionRow): SignedIn => ({
  kind,
  account: toAccount(row),
  session: {
    id: row.sessionId,
    userId: row.userId,
    fingerprint: row.fingerprint,
    ip: row.ip,
    createdAt: row.sessionCreatedAt,
    updatedAt: row.sessionUpdatedAt,
  },
  tokenId: row.tokenId,
  signedInAt: row.signedInAt,
});

const idValues = (ids: TokenPairIds) => [
  ids.accessTokenId,
  ids.accessTokenExpiredAt,
  ids.refreshTokenId,
  ids.refreshTokenExpiredAt,
];

export const createSessionStore = (database: Database) => ({
  /** The access check: one statement, on the unique index of access_token_id. */
  findByAccessToken: async (kind: Kind, jti: string, userId: string): Promise<SignedIn | undefined> => {
    const [row] = await database.query<AccountRow & SessionRow>({
      name: `signed-in-by-access-token-${kind}`,
      text: byAccessToken(kind),
      values: [jti, userId],
    });
    return row && toSignedIn(kind, row);
  },

  /** Finds the session of a refresh token that it issued since its last sign-in, current or not. */
  findByRefreshToken: async (
    kind: Kind,
    jti: string,
    userId: string,
  ): Promise<(SignedIn & RefreshTokenHistory) | undefined> => {
    const [row] = await database.query<AccountRow & SessionRow & RefreshTokenHistory>({
      name: `signed-in-by-refresh-token-${kind}`,
      text: byRefreshToken(kind),
      values: [jti, userId],
    });
    if (!row) return undefined;
    const { isCurrent, isPrevious, supersededSeconds } = row;
    return { ...toSignedIn(kind, row), isCurrent, isPrevious, supersededSeconds };
  },

  /** Opens the device's session, or points the one it has at the new tokens and deletes the old ones. */
  open: async (userId: string, fingerprint: string, ip: string, ids: TokenPairIds): Promise<Session> => {
    const [session] = await database.query<Session>({
      name: 'open-session',
      text: OPEN,
      values: [userId, fingerprint, ip, ...idValues(ids)],
    });
    if (!session) throw new Error('The session was not returned');
    return session;
  },

  /** False when the presented refresh token is no longer the current one. */
  rotate: async (presentedRefreshTokenId: string, ids: TokenPairIds): Promise<boolean> => {
    const rows = await database.query({
      name: 'rotate-tokens',
      text: ROTATE,
      values: [presentedRefreshTokenId, ...idValues(ids)],
    });
    return rows.length === 1;
  },

  /** Ends the tokens; the session stays for the device's next sign-in. */
  removeTokens: async (tokenId: string): Promise<void> => {
    await database.query({
      name: 'remove-tokens',
      text: 'delete from token_records where id = $1',
      values: [tokenId],
    });
  },

  /** Ends the tokens of all the user's sessions, but for the record named. */
  removeTokensOfUser: async (userId: string, exceptTokenId?: string): Promise<void> => {
    await database.query({
      name: 'remove-tokens-of-user',
      text: 'delete from token_records where user_id = $1 and id is distinct from $2',
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
      text: `delete from token_records t using sessions s
        where s.token_id = t.id and s.id = $2 and s.user_id = $1 returning 1`,
      values: [userId, sessionId],
    });
    return rows.length === 1;
  },

  hasDevice: async (email: string, fingerprint: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'has-device',
      text: 'select 1 from sessions s join users u on u.id = s.user_id where u.email = $1 and s.fingerprint = $2',
      values: [email, fingerprint],
    });
    return rows.length > 0;
  },
});

export type SessionStore = ReturnType<typeof createSessionStore>;
