import { createAccessCheck, type RecordUse, type SignInMethod } from '@platform/shared/access/caller';
import { type Database, query } from '@platform/shared/db/database';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import { ACCOUNT_COLUMNS, type AccountRow, profileJoin, toAccount } from '../accounts/account-mapper.ts';
import { forEachKind, type Kind } from '../kinds.ts';
import { toRecordRange } from './refresh-token-id.ts';
import { isSessionExpired, type RefreshTokenState, type StoredCaller } from './session.ts';

type SessionRow = {
  sessionId: string;
  fingerprint: string;
  ip: string;
  sessionCreatedAt: Date;
  sessionUpdatedAt: Date;
  tokenId: string;
  signedInAt: Date;
  authenticatedAt: Date | null;
  methods: SignInMethod[];
  isUsed: boolean;
};

/** Of `token_records t` and the tables that callerJoins adds. */
const CALLER_COLUMNS = `
  ${ACCOUNT_COLUMNS}, t.id as token_id, t.created_at as signed_in_at, t.authenticated_at, t.methods, t.is_used, s.id as session_id,
    s.fingerprint, s.ip,
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
  methods: row.methods,
});

const byAccessTokens = (kind: Kind) => `
  select t.access_token_id as key, ${CALLER_COLUMNS}
  from token_records t ${callerJoins(kind)}
  where t.access_token_id = any($1::uuid[])`;

/**
 * Finds the caller of an access token. Not part of the transaction-bound stores: it batches the lookups of all requests.
 * @param maxAgeSeconds undefined sets no limit
 */
export const createAccessCheckStore = (
  database: Database,
  recordUse: RecordUse,
  maxAgeSeconds: number | undefined,
) => {
  const checks = forEachKind((kind) =>
    createAccessCheck<AccountRow & SessionRow & { key: string }>(database, {
      recordUse,
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

const byRefreshToken = (kind: Kind) => `
  select ${CALLER_COLUMNS}, t.refresh_token_id,
    t.refresh_token_id = $1 as is_current,
    coalesce(t.previous_refresh_token_id = $1, false) as is_previous,
    coalesce(extract(epoch from now() - t.refreshed_at), 0)::float8 as refreshed_seconds
  from token_records t ${callerJoins(kind)}
  where t.refresh_token_id between $2 and $3 and t.user_id = $4`;

type RefreshState = RefreshTokenState & { refreshTokenId: string };

export const createTokenRecordStore = (database: Database) => ({
  /** Finds the session of a refresh token of any generation, issued since the session's last sign-in. `refreshTokenId` is the newest. */
  findByRefreshToken: async (
    kind: Kind,
    storedId: string,
    userId: string,
  ): Promise<(StoredCaller & RefreshState) | undefined> => {
    const [row] = await query<AccountRow & SessionRow & RefreshState>(database, {
      name: `signed-in-by-refresh-token-${kind}`,
      text: byRefreshToken(kind),
      values: [storedId, ...toRecordRange(storedId), userId],
    });
    if (!row) return undefined;
    const { refreshTokenId, isCurrent, isPrevious, refreshedSeconds, isUsed } = row;
    return { ...toCaller(kind, row), refreshTokenId, isCurrent, isPrevious, refreshedSeconds, isUsed };
  },

  /** Records that the session has proved a further factor; false when the session has ended. */
  addMethod: async (id: string, method: SignInMethod): Promise<boolean> => {
    const methods = database.raw('array_append(array_remove(methods, :method), :method)', { method });
    return (await database('token_records').where({ id }).update({ methods })) === 1;
  },

  exists: async (id: string): Promise<boolean> =>
    (await database('token_records').where({ id }).first('id')) !== undefined,

  /** Forgets a session's proved factors, so that later ones must be proved again. None may be left of a session without a password. */
  resetMethods: async (id: string): Promise<void> => {
    const methods = database.raw(
      "array(select method from unnest(methods) method where method not in ('totp', 'recovery-code', 'passkey'))",
    );
    await database('token_records').where({ id }).update({ methods });
  },
});
