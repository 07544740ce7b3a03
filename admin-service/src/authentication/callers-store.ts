import type { Database } from '@platform/shared/db/database';
import { createAccessCheck } from '@platform/shared/platform/access/caller';
import { PROOF_AGE_COLUMN } from '@platform/shared/platform/access/recent-proof';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import type { AdminCaller } from './callers.ts';

const COLUMNS = `u.id as user_id, t.id as token_id, s.id as session_id, u.email, u.is_blocked, u.is_email_verified, u.language, u.time_zone, u.created_at, u.updated_at,
  t.methods, ${PROOF_AGE_COLUMN}, array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles`;
const FROM = `from token_records t join users u on u.id = t.user_id
  left join sessions s on s.token_id = t.id`;

type CallerRow = AdminCaller['account'] &
  Pick<AdminCaller, 'tokenId' | 'methods' | 'proofAgeSeconds'> & { sessionId: string | null };

const toCaller = (
  { tokenId, sessionId, methods, proofAgeSeconds, ...account }: CallerRow,
  { platformRole }: TokenClaims,
): AdminCaller => ({
  account,
  session: sessionId === null ? null : { id: sessionId },
  tokenId,
  methods,
  proofAgeSeconds,
  claimedRole: platformRole,
});

export const createCallerStore = (database: Database) => {
  const check = createAccessCheck<CallerRow & { key: string }>(database, {
    name: 'callers-by-access-tokens',
    text: `select t.access_token_id as key, ${COLUMNS} ${FROM} where t.access_token_id = any($1::uuid[])`,
  });

  return {
    /** Returns the caller of an access token. @throws AppError 401 TOKEN_INVALID, USER_BLOCKED */
    checkAccess: async (claims: TokenClaims): Promise<AdminCaller> => toCaller(await check(claims), claims),
  };
};
