import type { Database } from '@platform/shared/db/database';
import { removeTokensOfUser } from '@platform/shared/platform/access/user-tokens';

export const createSecondFactorStore = (database: Database) => ({
  /** An unconfirmed set-up is not a factor, and neither are recovery codes alone. */
  isEnabled: async (userId: string): Promise<boolean> => {
    const totp = await database('totp_factors').where({ userId }).whereNotNull('enabledAt').first('userId');
    return (totp ?? (await database('passkeys').where({ userId }).first('userId'))) !== undefined;
  },

  /**
   * Deletes all factors and all tokens of the user, whom the caller has locked, and switches the second step
   * off. The new version invalidates sign-ins that wait for it.
   */
  remove: async (userId: string): Promise<void> => {
    for (const table of ['totp_factors', 'passkeys', 'recovery_codes'])
      await database(table).where({ userId }).delete();
    await database('users')
      .where({ id: userId })
      .increment('factorVersion')
      .update({ isSecondStepOn: false, updatedAt: database.fn.now() });
    await removeTokensOfUser(database, userId);
  },
});

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
