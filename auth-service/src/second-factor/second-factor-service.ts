import { secondFactorInvalid, tokenInvalid } from '@platform/shared/errors/app-error';
import { requireVerifiedEmail } from '@platform/shared/platform/accounts/account';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toPreparationOwner } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { AttemptResult } from '../guess-limits/guess-limits.ts';
import { toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { TokenRecordStore } from '../sessions/token-records-store.ts';
import type { Passkey } from '../webauthn/passkey.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { Confirmation } from './confirmation.ts';
import type { ConfirmationService } from './confirmation-service.ts';
import type { FactorChangeService } from './factor-changes-service.ts';
import { generateRecoveryCodes, secondFactorEnabled } from './second-factor.ts';
import type { SecondFactorState, SecondFactorStore } from './second-factor-store.ts';
import type { NewTotpSecret, TotpCodes } from './totp-adapter.ts';

export type SecondFactorStores = {
  accounts: AccountStore;
  sessions: SessionStore;
  tokenRecords: TokenRecordStore;
  secondFactor: SecondFactorStore;
  passkeys: PasskeyStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

type Dependencies = {
  stores: Pick<SecondFactorStores, 'secondFactor' | 'passkeys'>;
  inTransaction: InTransaction<SecondFactorStores>;
  guessLimits: GuessLimitService;
  factorChanges: FactorChangeService;
  confirmations: ConfirmationService;
  totp: TotpCodes;
};

export const createSecondFactorService = (dependencies: Dependencies) => {
  const { stores, inTransaction, guessLimits, factorChanges, confirmations, totp } = dependencies;

  /** Returns the codes, which are shown only once. */
  const replaceRecoveryCodes = async (
    stores: Pick<SecondFactorStores, 'secondFactor'>,
    userId: string,
  ): Promise<string[]> => {
    const codes = generateRecoveryCodes();
    await stores.secondFactor.replaceRecoveryCodes(userId, codes);
    return codes;
  };

  /** Only one of concurrent calls enables the pending secret. */
  const enableTotp = async (stores: SecondFactorStores, caller: ConfirmingCaller, code: string) => {
    const { userId } = caller.account;
    const user = await stores.accounts.lock(userId);
    requireVerifiedEmail(user);
    if ((await stores.secondFactor.findTotp(userId))?.isEnabled) throw secondFactorEnabled();
    const owner = toPreparationOwner(caller.tokenId, user);
    const pending = await stores.secondFactor.findPendingTotp(userId, owner);
    const verified = pending && totp.verify(pending, code);
    if (!verified) return undefined;
    await stores.secondFactor.useTotp(userId, verified.sealedSecret, verified.step);
    const codes = await replaceRecoveryCodes(stores, userId);
    await factorChanges.recordFactorChange(stores, caller, 'TOTP_ENABLED');
    // Otherwise a request that was waiting while the owner ended this session would still change the account.
    if (!(await stores.tokenRecords.addMethod(caller.tokenId, 'totp'))) throw tokenInvalid();
    return codes;
  };

  return {
    getState: async (userId: string): Promise<SecondFactorState & { passkeys: Passkey[] }> => ({
      ...(await stores.secondFactor.findState(userId)),
      passkeys: await stores.passkeys.listByUser(userId),
    }),

    /**
     * The secret is pending until a code confirms it in this session, for TOTP_SET_UP_SECONDS.
     * @throws AppError 403 EMAIL_NOT_VERIFIED, 409 SECOND_FACTOR_ENABLED, and the errors of confirmCaller
     */
    setUpTotp: async (caller: ConfirmingCaller, confirmation: Confirmation): Promise<NewTotpSecret> => {
      requireVerifiedEmail(caller.account);
      const inConfirmedTransaction = await confirmations.confirmCaller(
        inTransaction,
        caller,
        confirmation,
        'never',
      );
      return await inConfirmedTransaction(async ({ accounts, secondFactor }) => {
        const { userId, email } = caller.account;
        const created = totp.createSecret(email);
        const owner = toPreparationOwner(caller.tokenId, await accounts.lock(userId));
        if (!(await secondFactor.setPendingTotp(userId, created.sealedSecret, owner)))
          throw secondFactorEnabled();
        return created;
      });
    },

    /**
     * Returns the recovery codes. A correct code proves only a secret that the caller has just received, so
     * it clears no failures.
     * @throws AppError 401 SECOND_FACTOR_INVALID, also without a pending secret; 403 EMAIL_NOT_VERIFIED; 409
     * SECOND_FACTOR_ENABLED; 429
     */
    confirmTotp: (caller: ConfirmingCaller, code: string): Promise<string[]> => {
      const guess = toOwnGuess('second-factor', caller);
      return guessLimits.limitGuesses(guess, async (): Promise<AttemptResult<string[]>> => {
        const codes = await inTransaction((stores) => enableTotp(stores, caller, code));
        return codes
          ? { kind: 'incomplete', result: codes }
          : { kind: 'wrong', error: secondFactorInvalid() };
      });
    },

    /** @throws the errors of confirmCaller */
    removeTotp: async (caller: ConfirmingCaller, confirmation: Confirmation): Promise<void> => {
      const inConfirmedTransaction = await confirmations.confirmCaller(
        inTransaction,
        caller,
        confirmation,
        'always',
      );
      await inConfirmedTransaction(async (stores) => {
        const { userId } = caller.account;
        if (!(await stores.secondFactor.removeTotp(userId))) return;
        await stores.secondFactor.removeUnneededRecoveryCodes(userId);
        await factorChanges.recordFactorChange(stores, caller, 'TOTP_DISABLED');
      });
    },

    /** @throws the errors of confirmCaller */
    replaceRecoveryCodes: async (caller: ConfirmingCaller, confirmation: Confirmation): Promise<string[]> => {
      const inConfirmedTransaction = await confirmations.confirmCaller(
        inTransaction,
        caller,
        confirmation,
        'always',
      );
      return await inConfirmedTransaction(async (stores) => {
        const codes = await replaceRecoveryCodes(stores, caller.account.userId);
        await factorChanges.recordFactorChange(stores, caller, 'RECOVERY_CODES_REPLACED');
        return codes;
      });
    },
  };
};

export type SecondFactorService = ReturnType<typeof createSecondFactorService>;
