import { createAccessCheck } from '@platform/shared/access/caller';
import type { SignInMethod } from '@platform/shared/access/second-factor-requirement';
import type { Database } from '@platform/shared/db/database';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import type { TokenSubject } from '../accounts/account.ts';
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  profileJoin,
  ROLES_COLUMN,
  toAccount,
} from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import {
  type AuthCaller,
  isSessionExpired,
  type RefreshTokenState,
  type SessionIdentifiers,
  type TokenPairIds,
} from './session.ts';

type SessionRow = {
  sessionId: string;
  fingerprint: string;
  ip: string;
  sessionCreatedAt: Date;
  sessionUpdatedAt: Date;
  tokenId: string;
  signedInAt: Date;
  methods: SignInMethod[];
};

/** Of `token_records t` and the tables that callerJoins adds. */
const SESSION_COLUMNS = `
  t.id as token_id, t.created_at as signed_in_at, t.methods, s.id as session_id, s.fingerprint, s.ip,
  s.created_at as session_created_at, s.updated_at as session_updated_at`;

const callerJoins = (kind: Kind) => `
  join users u on u.id = t.user_id
  join sessions s on s.token_id = t.id
  ${profileJoin(kind)}`;

const toCaller = (kind: Kind, row: AccountRow & SessionRow): AuthCaller => ({
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
  methods: row.methods,
});

const byAccessTokens = (kind: Kind) => `
  select t.access_token_id as key, ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS}
  from token_records t ${callerJoins(kind)}
  where t.access_token_id = any($1::uuid[])`;

type CallerRow = AccountRow & SessionRow & { key: string };

/**
 * Finds the caller of an access token. Not part of the transaction-bound stores: it batches the lookups of all requests.
 * @param maxAgeSeconds undefined sets no limit
 */
export const createAccessCheckStore = (database: Database, maxAgeSeconds: number | undefined) => {
  const createForKind = (kind: Kind) =>
    createAccessCheck<CallerRow>(database, {
      name: `signed-in-by-access-tokens-${kind}`,
      text: byAccessTokens(kind),
      isExpired: ({ signedInAt }) => isSessionExpired(signedInAt, maxAgeSeconds),
    });
  const checks = {
    customer: createForKind('customer'),
    employee: createForKind('employee'),
    administrator: createForKind('administrator'),
  };
  return {
    /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED */
    checkAccess: async (kind: Kind, claims: TokenClaims): Promise<AuthCaller> =>
      toCaller(kind, await checks[kind](claims)),
  };
};

const byRefreshToken = (kind: Kind) => `
  select ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS},
    t.refresh_token_id = $1 as is_current,
    coalesce(h.replaced_by = t.refresh_token_id, false) as is_previous,
    coalesce(extract(epoch from now() - h.superseded_at), 0)::float8 as superseded_seconds,
    h.replaced_by
  from (
    select id from token_records where refresh_token_id = $1
    union all
    select token_id from superseded_refresh_tokens where refresh_token_id = $1
  ) issued
  join token_records t on t.id = issued.id
  left join superseded_refresh_tokens h on h.refresh_token_id = $1 ${callerJoins(kind)}
  where t.user_id = $2`;

const SESSION_END = 't.created_at + make_interval(secs => $5::float8)';

type RotatedRow = Pick<AccountRow, 'roles' | 'profileId'> &
  Pick<SessionRow, 'sessionId'> &
  Pick<TokenPairIds, 'accessTokenExpiredAt' | 'refreshTokenExpiredAt'>;

// Compare and swap: of several requests with one token, only the first finds it current. The update joins what it checks
// itself: a select before it would read the record and join a second time.
const rotation = (kind: Kind) => `
  with rotated as (
    update token_records t
    set access_token_id = $6, access_token_expired_at = least($7, ${SESSION_END}),
      refresh_token_id = $8, refresh_token_expired_at = least($9, ${SESSION_END})
    from users u ${profileJoin(kind)}, sessions s
    where t.refresh_token_id = $1 and t.user_id = $2 and coalesce(${SESSION_END} >= now(), true)
      and u.id = t.user_id and not u.is_blocked
      and s.token_id = t.id and s.fingerprint = $3 and s.id = coalesce($4, s.id)
    returning t.id, ${ROLES_COLUMN}, p.id as profile_id, s.id as session_id,
      t.access_token_expired_at, t.refresh_token_expired_at
  ), superseded as (
    insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, expired_at)
    select $1, id, $8, refresh_token_expired_at from rotated
  )
  select roles, profile_id, session_id, access_token_expired_at, refresh_token_expired_at from rotated`;

export const createTokenRecordStore = (database: Database) => ({
  /** Finds the session of a refresh token, current or superseded, issued since the session's last sign-in. */
  findByRefreshToken: async (
    kind: Kind,
    jti: string,
    userId: string,
  ): Promise<(AuthCaller & RefreshTokenState) | undefined> => {
    const [row] = await database.query<AccountRow & SessionRow & RefreshTokenState>({
      name: `signed-in-by-refresh-token-${kind}`,
      text: byRefreshToken(kind),
      values: [jti, userId],
    });
    if (!row) return undefined;
    const { isCurrent, isPrevious, supersededSeconds, replacedBy } = row;
    return { ...toCaller(kind, row), isCurrent, isPrevious, supersededSeconds, replacedBy };
  },

  /** Records that the session has proved a further factor; false when the session has ended. */
  addMethod: async (tokenId: string, method: SignInMethod): Promise<boolean> => {
    const rows = await database.query({
      name: 'add-sign-in-method',
      text: `update token_records set methods = array_append(array_remove(methods, $2), $2) where id = $1 returning 1`,
      values: [tokenId, method],
    });
    return rows.length === 1;
  },

  /** Forgets a session's proved factors when its user has none left, so that a later one must be proved again. */
  resetMethodsWithoutFactor: async (tokenId: string): Promise<void> => {
    await database.query({
      name: 'reset-sign-in-methods',
      text: `
        update token_records t set methods = '{password}'
        where t.id = $1
          and not exists (select from totp_factors f where f.user_id = t.user_id and f.enabled_at is not null)
          and not exists (select from passkeys p where p.user_id = t.user_id)`,
      values: [tokenId],
    });
  },

  /**
   * Exchanges a session's current refresh token in one statement with all of its checks. The expiry times in `ids` are
   * limited to the end of the session, `maxAgeSeconds` after the sign-in. Undefined when any check fails.
   */
  rotate: async (
    kind: Kind,
    { jti, userId }: { jti: string; userId: string },
    { fingerprint, sessionId }: SessionIdentifiers,
    ids: TokenPairIds,
    maxAgeSeconds: number | undefined,
  ): Promise<{ subject: TokenSubject; sessionId: string; ids: TokenPairIds } | undefined> => {
    const [row] = await database.query<RotatedRow>({
      name: `rotate-tokens-${kind}`,
      text: rotation(kind),
      values: [
        jti,
        userId,
        fingerprint,
        sessionId,
        maxAgeSeconds,
        ids.accessTokenId,
        ids.accessTokenExpiredAt,
        ids.refreshTokenId,
        ids.refreshTokenExpiredAt,
      ],
    });
    if (!row) return undefined;
    const { accessTokenExpiredAt, refreshTokenExpiredAt, profileId } = row;
    return {
      subject: { userId, roles: row.roles, profile: profileId === null ? null : { id: profileId } },
      sessionId: row.sessionId,
      ids: { ...ids, accessTokenExpiredAt, refreshTokenExpiredAt },
    };
  },
});
