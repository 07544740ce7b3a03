import type { Database } from '@platform/shared/db/database';
import type { FactorState } from './user-access.ts';

/** Changes of factors require that the caller has locked the user. */
export const createSecondFactorStore = (database: Database) => {
  const users = (id: string) => database('users').where({ id });

  return {
    /** An unconfirmed set-up is not a factor, and neither are recovery codes alone. */
    findState: async (userId: string): Promise<FactorState> => {
      const { isSecondStepOn } = await users(userId).first('isSecondStepOn');
      const totp = await database('totp_factors').where({ userId }).whereNotNull('enabledAt').first('userId');
      const passkey = await database('passkeys').where({ userId }).first('userId');
      const hasTotp = totp !== undefined;
      return { hasTotp, hasFactor: hasTotp || passkey !== undefined, isSecondStepOn };
    },

    /** False if no app is enabled. A pending set-up is deleted, too. */
    removeTotp: async (userId: string): Promise<boolean> =>
      (await database('totp_factors').where({ userId }).delete(['enabledAt'])).some(
        ({ enabledAt }) => enabledAt !== null,
      ),

    /** False if the user has no such passkey. */
    removePasskey: async (userId: string, id: string): Promise<boolean> =>
      (await database('passkeys').where({ userId, id }).delete()) === 1,

    removePasskeys: async (userId: string): Promise<void> => {
      await database('passkeys').where({ userId }).delete();
    },

    removeRecoveryCodes: async (userId: string): Promise<void> => {
      await database('recovery_codes').where({ userId }).delete();
    },

    switchSecondStepOff: async (userId: string): Promise<void> => {
      await users(userId).update({ isSecondStepOn: false });
    },

    /** Invalidates everything that was prepared before, such as sign-ins that wait for a factor. */
    raiseVersion: async (userId: string): Promise<void> => {
      await users(userId).increment('factorVersion').update({ updatedAt: database.fn.now() });
    },
  };
};

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
