import { removeTokensOfUser } from '@platform/shared/access/user-tokens';
import type { Database } from '@platform/shared/db/database';

export const createSecondFactorStore = (database: Database) => ({
  /** A set-up that has not been confirmed is no factor, and neither are recovery codes alone. */
  isEnabled: async (userId: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'has-second-factor',
      text: `select 1 from totp_factors where user_id = $1 and enabled_at is not null
        union all select 1 from passkeys where user_id = $1 limit 1`,
      values: [userId],
    });
    return rows.length > 0;
  },

  /**
   * Removes all factors and all tokens of the user, who is locked. The new version invalidates the sign-ins that wait for
   * their second step.
   */
  remove: async (userId: string): Promise<void> => {
    await database.query({
      name: 'remove-second-factor',
      text: `with t as (delete from totp_factors where user_id = $1), p as (delete from passkeys where user_id = $1),
          c as (delete from recovery_codes where user_id = $1)
        update users set factor_version = factor_version + 1, updated_at = now() where id = $1`,
      values: [userId],
    });
    await removeTokensOfUser(database, userId);
  },
});
