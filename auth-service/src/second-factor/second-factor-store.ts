import type { Database } from '@platform/shared/db/database';
import { type SealedSecret, TOTP_SET_UP_SECONDS, type TotpSecret } from './second-factor.ts';

export type EnabledFactors = { totpEnabledAt: Date | null; recoveryCodesLeft: number };
type TotpFactor = TotpSecret & { isEnabled: boolean };

export const createSecondFactorStore = (database: Database) => {
  const totp = (userId: string) => database('totp_factors').where({ userId });
  const recoveryCodes = (userId: string) => database('recovery_codes').where({ userId });
  const passkeys = (userId: string) => database('passkeys').where({ userId });

  /** True if it was enabled. A pending secret is deleted, too. */
  const removeTotp = async (userId: string): Promise<boolean> =>
    (await totp(userId).delete(['enabledAt'])).some(({ enabledAt }) => enabledAt !== null);

  return {
    removeTotp,

    findState: async (userId: string): Promise<EnabledFactors> => {
      const factor = await totp(userId).first('enabledAt');
      const codes = await recoveryCodes(userId).select('codeHash');
      return { totpEnabledAt: factor?.enabledAt ?? null, recoveryCodesLeft: codes.length };
    },

    findTotp: async (userId: string): Promise<TotpFactor | undefined> =>
      await totp(userId).first(
        'sealedSecret',
        database.raw('last_used_step::int'),
        database.raw('enabled_at is not null as is_enabled'),
      ),

    /** The secret that this owner has set up less than TOTP_SET_UP_SECONDS ago. */
    findPendingTotp: async (userId: string, preparedBy: string): Promise<TotpSecret | undefined> =>
      await totp(userId)
        .where({ preparedBy, enabledAt: null })
        .whereRaw('created_at > now() - make_interval(secs => ?)', [TOTP_SET_UP_SECONDS])
        .first('sealedSecret', database.raw('last_used_step::int')),

    /** Replaces another pending secret; false if TOTP is enabled. */
    setPendingTotp: async (userId: string, sealedSecret: string, preparedBy: string): Promise<boolean> => {
      const set = await database('totp_factors')
        .insert({ userId, sealedSecret, preparedBy }, ['userId'])
        .onConflict('userId')
        .merge({ sealedSecret, preparedBy, createdAt: database.fn.now() })
        .whereNull('totp_factors.enabledAt');
      return set.length === 1;
    },

    /** Records the use of a code, which enables a pending factor. */
    useTotp: async (userId: string, sealedSecret: string, lastUsedStep: number): Promise<void> => {
      const enabledAt = database.raw('coalesce(enabled_at, now())');
      await totp(userId).update({ sealedSecret, lastUsedStep, enabledAt, preparedBy: null });
    },

    listRecoveryCodes: async (userId: string): Promise<string[]> =>
      (await recoveryCodes(userId).select('codeHash')).map(({ codeHash }) => codeHash),

    /** Replaces the codes of the user; without hashes, it deletes them. */
    replaceRecoveryCodes: async (userId: string, hashes: readonly string[]): Promise<void> => {
      await recoveryCodes(userId).delete();
      const rows = hashes.map((codeHash) => ({ userId, codeHash }));
      if (rows.length > 0) await database('recovery_codes').insert(rows);
    },

    /** True for one of concurrent calls. */
    useRecoveryCode: async (userId: string, codeHash: string): Promise<boolean> =>
      (await recoveryCodes(userId).where({ codeHash }).delete()) === 1,

    /** Whether the owner wants a second step. */
    setSecondStep: async (userId: string, isSecondStepOn: boolean): Promise<void> => {
      await database('users').where({ id: userId }).update({ isSecondStepOn, updatedAt: database.fn.now() });
    },

    /** Also deletes an unconfirmed set-up. True if there was a factor or a recovery code. */
    removeAll: async (userId: string): Promise<boolean> => {
      const hadTotp = await removeTotp(userId);
      const others = (await passkeys(userId).delete()) + (await recoveryCodes(userId).delete());
      await database('users').where({ id: userId, isSecondStepOn: true }).update({ isSecondStepOn: false });
      return hadTotp || others > 0;
    },

    /** Ends everything that was prepared before, such as waiting sign-ins and pending changes. */
    raiseVersion: async (userId: string): Promise<void> => {
      await database('users')
        .where({ id: userId })
        .increment('factorVersion')
        .update({ updatedAt: database.fn.now() });
    },

    /** Ordered by user id, after the given one. */
    listSealedSecrets: async (afterUserId: string, limit: number): Promise<SealedSecret[]> =>
      await database('totp_factors')
        .where('userId', '>', afterUserId)
        .orderBy('userId')
        .limit(limit)
        .select('userId', 'sealedSecret'),

    /** All codes of some users, ordered by user id, after the given one. */
    listSealedCodes: async (afterUserId: string, users: number): Promise<SealedSecret[]> =>
      await database('recovery_codes')
        .whereIn(
          'userId',
          database('recovery_codes')
            .distinct('userId')
            .where('userId', '>', afterUserId)
            .orderBy('userId')
            .limit(users),
        )
        .orderBy('userId')
        .select('userId', 'codeHash as sealedSecret'),

    /** Does nothing if the user has used or replaced the secret in the meantime. */
    replaceSealedSecret: async (
      { userId, sealedSecret }: SealedSecret,
      replacement: string,
    ): Promise<void> => {
      await totp(userId).where({ sealedSecret }).update({ sealedSecret: replacement });
    },

    /** Does nothing if the user has used or replaced the code in the meantime. */
    replaceSealedCode: async ({ userId, sealedSecret }: SealedSecret, replacement: string): Promise<void> => {
      await recoveryCodes(userId).where({ codeHash: sealedSecret }).update({ codeHash: replacement });
    },
  };
};

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;
