import type { Database } from '@platform/shared/db/database';
import type { Caller } from './workspace.ts';

const CALLER = `
  select u.id as user_id, t.id as token_id, u.email, u.is_blocked, u.is_email_verified, u.created_at, u.updated_at,
    array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles
  from token_records t join users u on u.id = t.user_id`;

export const createCallerStore = (database: Database) => ({
  /** The access check: is the token registered, and whose is it? */
  findByAccessToken: async (
    jti: string,
    userId: string,
  ): Promise<Omit<Caller, 'claimedRole'> | undefined> => {
    const [caller] = await database.query<Omit<Caller, 'claimedRole'>>({
      name: 'caller-by-access-token',
      text: `${CALLER} where t.access_token_id = $1 and t.user_id = $2`,
      values: [jti, userId],
    });
    return caller;
  },

  /** For a page that stays open longer than an access token: is its sign-in still good, and whose is it? */
  findByTokenId: async (
    tokenId: string,
    userId: string,
  ): Promise<Omit<Caller, 'claimedRole'> | undefined> => {
    const [caller] = await database.query<Omit<Caller, 'claimedRole'>>({
      name: 'caller-by-token-id',
      text: `${CALLER} where t.id = $1 and t.user_id = $2 and t.refresh_token_expired_at > now()`,
      values: [tokenId, userId],
    });
    return caller;
  },
});

export type CallerStore = ReturnType<typeof createCallerStore>;
