import { createAccessCheck } from '@platform/shared/access/caller';
import type { Database } from '@platform/shared/db/database';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import { ACCOUNT_COLUMNS, type AccountRow } from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import { type AuthCaller, isOverAge } from './session.ts';
import { CALLER_JOINS, SESSION_COLUMNS, type SessionRow, toCaller } from './session-mapper.ts';

const byAccessTokens = (kind: Kind) => `
  select t.access_token_id as key, ${ACCOUNT_COLUMNS}, ${SESSION_COLUMNS}
  from token_records t ${CALLER_JOINS(kind)}
  where t.access_token_id = any($1::uuid[])`;

type CallerRow = AccountRow & SessionRow & { key: string };

/**
 * Finds the caller of an access token, by the unique index of access_token_id.
 * @param maxAgeSeconds undefined sets no limit
 */
export const createAccessCheckStore = (database: Database, maxAgeSeconds: number | undefined) => {
  const createForKind = (kind: Kind) =>
    createAccessCheck<CallerRow>(database, {
      name: `signed-in-by-access-tokens-${kind}`,
      text: byAccessTokens(kind),
      isExpired: ({ signedInAt }) => isOverAge(signedInAt, maxAgeSeconds),
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
