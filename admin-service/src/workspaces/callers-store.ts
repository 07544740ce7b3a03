import { createBatchLoader } from '@platform/shared/db/batch-loader';
import type { Database } from '@platform/shared/db/database';
import type { Caller } from './workspace.ts';

const COLUMNS = `u.id as user_id, t.id as token_id, s.id as session_id, u.email, u.is_blocked, u.is_email_verified, u.created_at, u.updated_at,
  array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles`;
const FROM = `from token_records t join users u on u.id = t.user_id
  left join sessions s on s.token_id = t.id`;

type Found = Omit<Caller, 'claimedRole'>;

/** Not for transactions: their statements would go out on one connection. */
export const createCallerStore = (database: Database) => {
  const lookUp = createBatchLoader((ids) =>
    database.query<Found & { key: string }>({
      name: 'callers-by-access-tokens',
      text: `select t.access_token_id as key, ${COLUMNS} ${FROM} where t.access_token_id = any($1::uuid[])`,
      values: [ids],
    }),
  );

  return {
    /** The access check: is the token registered, and whose is it? One statement for all requests that came in together. */
    findByAccessToken: async (jti: string, userId: string): Promise<Found | undefined> => {
      const row = await lookUp(jti);
      if (row?.userId !== userId) return undefined;
      const { key: _key, ...caller } = row;
      return caller;
    },

    /** For a page that stays open longer than an access token: is its sign-in still good, and whose is it? */
    findByTokenId: async (tokenId: string, userId: string): Promise<Found | undefined> => {
      const [caller] = await database.query<Found>({
        name: 'caller-by-token-id',
        text: `select ${COLUMNS} ${FROM} where t.id = $1 and t.user_id = $2 and t.refresh_token_expired_at > now()`,
        values: [tokenId, userId],
      });
      return caller;
    },
  };
};

export type CallerStore = ReturnType<typeof createCallerStore>;
