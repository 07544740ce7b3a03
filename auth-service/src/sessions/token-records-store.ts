import { createAccessCheck } from '@platform/shared/access/caller';
import type { SignInMethod } from '@platform/shared/access/second-factor-requirement';
import { createBatchLoader } from '@platform/shared/db/batch-loader';
import { type Database, query } from '@platform/shared/db/database';
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

/** One rotation: the current token with its checks, and what replaces it. */
type Rotation = SessionIdentifiers & { storedId: string; userId: string; ids: TokenPairIds };

type ExpiryTimes = Pick<TokenPairIds, 'accessTokenExpiredAt' | 'refreshTokenExpiredAt'>;

/** What the new tokens are signed with. */
type Rotated = ExpiryTimes & { subject: TokenSubject; sessionId: string };

type RotatedRow = Pick<AccountRow, 'roles' | 'profileId'> &
  Pick<SessionRow, 'sessionId'> &
  ExpiryTimes & { key: string };

const SESSION_END = 't.created_at + make_interval(secs => $9::float8)';

// Compare and swap: of several requests with one token, only the first finds it current.
const rotation = (kind: Kind, lock: 'for update of t' | 'for update of t skip locked') => `
  with current_tokens as (
    select t.id, ${ROLES_COLUMN}, p.id as profile_id, s.id as session_id, ${SESSION_END} as session_end,
      r.refresh_token_id, r.new_access_token_id, r.new_access_token_end, r.new_refresh_token_id, r.new_refresh_token_end
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::timestamptz[], $7::uuid[], $8::timestamptz[])
      r (refresh_token_id, user_id, fingerprint, session_id, new_access_token_id, new_access_token_end, new_refresh_token_id,
        new_refresh_token_end)
    join token_records t on t.refresh_token_id = r.refresh_token_id and t.user_id = r.user_id
    join users u on u.id = t.user_id and not u.is_blocked ${profileJoin(kind)}
    join sessions s on s.token_id = t.id and s.fingerprint = r.fingerprint and s.id = coalesce(r.session_id, s.id)
    where coalesce(${SESSION_END} >= now(), true)
    ${lock}
  ), rotated as (
    update token_records t
    set access_token_id = c.new_access_token_id, access_token_expired_at = least(c.new_access_token_end, c.session_end),
      refresh_token_id = c.new_refresh_token_id, refresh_token_expired_at = least(c.new_refresh_token_end, c.session_end)
    from current_tokens c
    where t.id = c.id
    returning c.*, t.access_token_expired_at, t.refresh_token_expired_at
  ), superseded as (
    insert into superseded_refresh_tokens (refresh_token_id, token_id, replaced_by, expired_at)
    select refresh_token_id, id, new_refresh_token_id, refresh_token_expired_at from rotated
  )
  select new_refresh_token_id as key, roles, profile_id, session_id, access_token_expired_at, refresh_token_expired_at
  from rotated`;

/**
 * Exchanges a session's current refresh token, with all of its checks. One statement serves all requests that arrive in the
 * same turn of the event loop, so do not use it within a transaction. The expiry times in `ids` are limited to the end of
 * the session, `maxAgeSeconds` after the sign-in; undefined sets no limit.
 */
export const createTokenRotation = (database: Database, maxAgeSeconds: number | undefined) => {
  const createForKind = (kind: Kind) => {
    const statements = {
      // A batch that waited for a lock would delay all of its requests, and two batches could wait for each other.
      batch: { name: `rotate-tokens-${kind}`, text: rotation(kind, 'for update of t skip locked') },
      single: { name: `rotate-locked-token-${kind}`, text: rotation(kind, 'for update of t') },
    };
    const run = (rotations: readonly Rotation[], statement: keyof typeof statements) => {
      const column = <Value>(toValue: (rotation: Rotation) => Value) => rotations.map(toValue);
      return query<RotatedRow>(database, {
        ...statements[statement],
        values: [
          column(({ storedId }) => storedId),
          column(({ userId }) => userId),
          column(({ fingerprint }) => fingerprint),
          column(({ sessionId }) => sessionId),
          column(({ ids }) => ids.accessTokenId),
          column(({ ids }) => ids.accessTokenExpiredAt),
          column(({ ids }) => ids.refreshTokenId),
          column(({ ids }) => ids.refreshTokenExpiredAt),
          maxAgeSeconds,
        ],
      });
    };
    const rotateInBatch = createBatchLoader(
      ({ ids }: Rotation) => ids.refreshTokenId,
      (rotations) => run(rotations, 'batch'),
    );
    return async (rotation: Rotation): Promise<RotatedRow | undefined> =>
      (await rotateInBatch(rotation)) ?? (await run([rotation], 'single'))[0];
  };
  const rotations = {
    customer: createForKind('customer'),
    employee: createForKind('employee'),
    administrator: createForKind('administrator'),
  };
  /** Undefined when any check fails. */
  return async (
    kind: Kind,
    { storedId, userId }: { storedId: string; userId: string },
    { fingerprint, sessionId }: SessionIdentifiers,
    ids: TokenPairIds,
  ): Promise<Rotated | undefined> => {
    const row = await rotations[kind]({ storedId, userId, fingerprint, sessionId, ids });
    if (!row) return undefined;
    const { accessTokenExpiredAt, refreshTokenExpiredAt, profileId } = row;
    return {
      subject: { userId, roles: row.roles, profile: profileId === null ? null : { id: profileId } },
      sessionId: row.sessionId,
      accessTokenExpiredAt,
      refreshTokenExpiredAt,
    };
  };
};

export type RotateTokens = ReturnType<typeof createTokenRotation>;

export const createTokenRecordStore = (database: Database) => ({
  /** Finds the session of a refresh token, current or superseded, issued since the session's last sign-in. */
  findByRefreshToken: async (
    kind: Kind,
    storedId: string,
    userId: string,
  ): Promise<(AuthCaller & RefreshTokenState) | undefined> => {
    const [row] = await query<AccountRow & SessionRow & RefreshTokenState>(database, {
      name: `signed-in-by-refresh-token-${kind}`,
      text: byRefreshToken(kind),
      values: [storedId, userId],
    });
    if (!row) return undefined;
    const { isCurrent, isPrevious, supersededSeconds, replacedBy } = row;
    return { ...toCaller(kind, row), isCurrent, isPrevious, supersededSeconds, replacedBy };
  },

  /** Records that the session has proved a further factor; false when the session has ended. */
  addMethod: async (tokenId: string, method: SignInMethod): Promise<boolean> => {
    const rows = await query(database, {
      name: 'add-sign-in-method',
      text: `update token_records set methods = array_append(array_remove(methods, $2), $2) where id = $1 returning 1`,
      values: [tokenId, method],
    });
    return rows.length === 1;
  },

  /** Forgets a session's proved factors when its user has none left, so that a later one must be proved again. */
  resetMethodsWithoutFactor: async (tokenId: string): Promise<void> => {
    await query(database, {
      name: 'reset-sign-in-methods',
      text: `
        update token_records t set methods = '{password}'
        where t.id = $1
          and not exists (select from totp_factors f where f.user_id = t.user_id and f.enabled_at is not null)
          and not exists (select from passkeys p where p.user_id = t.user_id)`,
      values: [tokenId],
    });
  },
});
