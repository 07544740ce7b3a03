import { type Database, query } from '@platform/shared/db/database';
import type { Language } from '@platform/shared/http/language';
import { createAccessCheck, type SignInMethod } from '@platform/shared/platform/access/caller';
import { PROOF_AGE_COLUMN, type ProvedCaller } from '@platform/shared/platform/access/recent-proof';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  profileJoin,
  ROLES_COLUMN,
  toAccount,
} from '../accounts/account-mapper.ts';
import type { StoredCaller } from '../authentication/callers.ts';
import { forEachKind, type Kind } from '../kinds.ts';
import { type CurrentRefreshToken, toRecordRange } from './refresh-token.ts';
import { isSessionExpired, type SessionIdentifiers } from './session.ts';
import type { TokenPairIds, TokenSubject } from './tokens.ts';

type SessionRow = ProvedCaller & {
  sessionId: string;
  fingerprint: string;
  ip: string;
  sessionCreatedAt: Date;
  sessionUpdatedAt: Date;
  tokenId: string;
  signedInAt: Date;
  authenticatedAt: Date | null;
  methods: SignInMethod[];
};

/** Columns of `token_records t` and the tables that callerJoins adds. */
const CALLER_COLUMNS = `
  ${ACCOUNT_COLUMNS}, t.id as token_id, t.created_at as signed_in_at, t.authenticated_at, ${PROOF_AGE_COLUMN}, t.methods,
  s.id as session_id, s.fingerprint, s.ip,
  s.created_at as session_created_at, s.updated_at as session_updated_at`;

const callerJoins = (kind: Kind) => `
  join users u on u.id = t.user_id
  join sessions s on s.token_id = t.id
  ${profileJoin(kind)}`;

const toCaller = (kind: Kind, row: AccountRow & SessionRow): StoredCaller => ({
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
  authenticatedAt: row.authenticatedAt,
  proofAgeSeconds: row.proofAgeSeconds,
  methods: row.methods,
});

const byAccessTokens = (kind: Kind) => `
  select t.access_token_id as key, ${CALLER_COLUMNS}
  from token_records t ${callerJoins(kind)}
  where t.access_token_id = any($1::uuid[])`;

/**
 * Finds the caller of an access token. This store is not one of the transaction-bound stores, because it
 * batches the lookups of all requests.
 * @param maxAgeSeconds the maximum age of a session; undefined sets no limit
 */
export const createAccessCheckStore = (database: Database, maxAgeSeconds: number | undefined) => {
  const checks = forEachKind((kind) =>
    createAccessCheck<AccountRow & SessionRow & { key: string }>(database, {
      name: `signed-in-by-access-tokens-${kind}`,
      text: byAccessTokens(kind),
      isExpired: ({ signedInAt }) => isSessionExpired(signedInAt, maxAgeSeconds),
    }),
  );
  return {
    /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED */
    checkAccess: async (kind: Kind, claims: TokenClaims): Promise<StoredCaller> =>
      toCaller(kind, await checks[kind](claims)),
  };
};

export type AccessCheckStore = ReturnType<typeof createAccessCheckStore>;

const byRefreshToken = (kind: Kind) => `
  select ${CALLER_COLUMNS}, t.refresh_token_id,
    coalesce(extract(epoch from now() - t.refreshed_at), 0)::float8 as refreshed_seconds
  from token_records t ${callerJoins(kind)}
  where t.refresh_token_id between $1 and $2 and t.user_id = $3`;

/** One statement for any number of tokens, because a client may send many cookies. */
const sessionsByRefreshTokens = (kind: Kind) => `
  select s.id, presented.index
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as presented (first_id, last_id, user_id, index)
  join token_records t on t.refresh_token_id between presented.first_id and presented.last_id
    and t.user_id = presented.user_id ${callerJoins(kind)}`;

const SESSION_END = 't.created_at + make_interval(secs => $9::float8)';

// This is a compare-and-swap: of several requests with one token, the first succeeds. The others wait for its
// row lock, and then find another token. The statement locks only the token record, so it cannot deadlock.
const rotation = (kind: Kind) => `
  update token_records t
  set access_token_id = $5, access_token_expired_at = least($6, ${SESSION_END}),
    refresh_token_id = $7, refreshed_at = now(),
    refresh_token_expired_at = least(case when t.stays_signed_in then $10::timestamptz else $8::timestamptz end, ${SESSION_END})
  from sessions s, users u ${profileJoin(kind)}
  where t.refresh_token_id = $1 and t.user_id = $2 and coalesce(${SESSION_END} >= now(), true)
    and s.token_id = t.id and s.fingerprint = $3 and s.id = coalesce($4, s.id)
    and u.id = t.user_id and not u.is_blocked
  returning ${ROLES_COLUMN}, u.language, u.time_zone, p.id as profile_id, s.id as session_id, t.access_token_expired_at,
    t.refresh_token_expired_at`;

/** The presented refresh token, the values that must match it, and the ids that replace it. */
type Rotation = SessionIdentifiers & TokenPairIds & { presentedId: string; userId: string };

/** The claims and expiry times of the new tokens. */
type Rotated = Pick<TokenPairIds, 'accessTokenExpiredAt' | 'refreshTokenExpiredAt'> & {
  subject: TokenSubject;
  sessionId: string;
  language: Language;
  timeZone: string | null;
};

type RotatedRow = Omit<Rotated, 'subject'> & { roles: string[]; profileId: string | null };

export const createTokenRecordStore = (database: Database) => ({
  /**
   * Finds the session of a refresh token of any generation that was issued since the last sign-in of the
   * session.
   */
  findByRefreshToken: async (
    kind: Kind,
    storedId: string,
    userId: string,
  ): Promise<(StoredCaller & CurrentRefreshToken) | undefined> => {
    const [row] = await query<AccountRow & SessionRow & CurrentRefreshToken>(database, {
      name: `signed-in-by-refresh-token-${kind}`,
      text: byRefreshToken(kind),
      values: [...toRecordRange(storedId), userId],
    });
    if (!row) return undefined;
    const { refreshTokenId, refreshedSeconds } = row;
    return { ...toCaller(kind, row), refreshTokenId, refreshedSeconds };
  },

  /** Returns the id of each token's session at the index of the token; see `findByRefreshToken`. */
  findSessionIds: async (
    kind: Kind,
    tokens: readonly { storedId: string; userId: string }[],
  ): Promise<(string | undefined)[]> => {
    const ranges = tokens.map(({ storedId }) => toRecordRange(storedId));
    const rows = await query<{ id: string; index: string }>(database, {
      name: `sessions-by-refresh-tokens-${kind}`,
      text: sessionsByRefreshTokens(kind),
      values: [
        ranges.map(([first]) => first),
        ranges.map(([, last]) => last),
        tokens.map(({ userId }) => userId),
      ],
    });
    const ids = new Map(rows.map(({ id, index }) => [Number(index) - 1, id]));
    return tokens.map((_, index) => ids.get(index));
  },

  /**
   * Exchanges the current refresh token of a session. Resolves with undefined if any check fails. No new
   * token outlives the session, which ends `maxAgeSeconds` after the sign-in. Undefined sets no limit.
   */
  rotate: async (
    kind: Kind,
    { presentedId, userId, fingerprint, sessionId, ...pair }: Rotation,
    maxAgeSeconds: number | undefined,
  ): Promise<Rotated | undefined> => {
    const { accessTokenId, accessTokenExpiredAt, refreshTokenId, refreshTokenExpiredAt, stayingExpiredAt } =
      pair;
    const presented = [presentedId, userId, fingerprint, sessionId];
    const issued = [accessTokenId, accessTokenExpiredAt, refreshTokenId, refreshTokenExpiredAt];
    const [row] = await query<RotatedRow>(database, {
      name: `rotate-tokens-${kind}`,
      text: rotation(kind),
      values: [...presented, ...issued, maxAgeSeconds, stayingExpiredAt],
    });
    if (!row) return undefined;
    const { roles, profileId, ...rotated } = row;
    const profile = profileId === null ? null : { id: profileId };
    return { subject: { userId, roles, profile }, ...rotated };
  },

  /** Records that the session has proved a further factor. Returns false if the session has ended. */
  addMethod: async (id: string, method: SignInMethod): Promise<boolean> => {
    const methods = database.raw('array_append(array_remove(methods, :method), :method)', { method });
    return (await database('token_records').where({ id }).update({ methods })) === 1;
  },

  /** The user of the session has just proved their identity. */
  recordProof: async (id: string): Promise<void> => {
    await database('token_records').where({ id }).update({ provedAt: database.fn.now() });
  },

  exists: async (id: string): Promise<boolean> =>
    (await database('token_records').where({ id }).first('id')) !== undefined,

  /**
   * Deletes the proved factors of a session, so that later operations must prove them again. A session
   * without a password may have no methods left.
   */
  resetMethods: async (id: string): Promise<void> => {
    const methods = database.raw(
      "array(select method from unnest(methods) method where method not in ('totp', 'recovery-code', 'passkey'))",
    );
    await database('token_records').where({ id }).update({ methods });
  },
});

export type TokenRecordStore = ReturnType<typeof createTokenRecordStore>;
