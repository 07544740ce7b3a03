import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { requireVerifiedEmail } from '@platform/shared/platform/accounts/account';
import { toPreparationOwner } from '../accounts/account-state.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { AttemptResult } from '../guess-limits/guess-limits.ts';
import { toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Passkey } from '../webauthn/passkey.ts';
import type { Confirmation } from './confirmation.ts';
import type { ConfirmationService } from './confirmation-service.ts';
import type { FactorChangeService, FactorChangeStores } from './factor-changes-service.ts';
import {
  type NewRecoveryCodes,
  secondFactorEnabled,
  secondFactorMissing,
  secondFactorNeeded,
} from './second-factor.ts';
import type { EnabledFactors } from './second-factor-store.ts';
import type { NewTotpSecret, TotpCodes } from './totp-adapter.ts';

type Dependencies = {
  stores: Pick<FactorChangeStores, 'accounts' | 'secondFactor' | 'passkeys'>;
  inTransaction: InTransaction<FactorChangeStores>;
  guessLimits: GuessLimitService;
  factorChanges: FactorChangeService;
  confirmations: ConfirmationService;
  totp: TotpCodes;
};

type SecondFactorState = EnabledFactors & { passkeys: Passkey[]; isRequired: boolean };

export const createSecondFactorService = (dependencies: Dependencies) => {
  const { stores, inTransaction, guessLimits, factorChanges, confirmations, totp } = dependencies;

  const getState = async (
    { accounts, secondFactor, passkeys }: Dependencies['stores'],
    userId: string,
  ): Promise<SecondFactorState> => ({
    ...(await secondFactor.findState(userId)),
    passkeys: await passkeys.listByUser(userId),
    isRequired: (await factorChanges.readSecondStep({ accounts }, userId)).isDue,
  });

  /** Only one of concurrent calls enables the pending secret. */
  const enableTotp = async (
    stores: FactorChangeStores,
    caller: ConfirmingCaller,
    code: string,
  ): Promise<NewRecoveryCodes | undefined> => {
    const { userId } = caller.account;
    const user = await stores.accounts.lock(userId);
    requireVerifiedEmail(user);
    if ((await stores.secondFactor.findTotp(userId))?.isEnabled) throw secondFactorEnabled();
    const owner = toPreparationOwner(caller.tokenId, user);
    const pending = await stores.secondFactor.findPendingTotp(userId, owner);
    const verified = pending && totp.verify(pending, code);
    if (!verified) return undefined;
    const enable = () => stores.secondFactor.useTotp(userId, verified.sealedSecret, verified.step);
    return (await factorChanges.changeFactors(stores, caller, 'TOTP_ENABLED', enable)).given;
  };

  /** Does nothing if the second step is already as wanted. */
  const switchSecondStep = async (
    stores: FactorChangeStores,
    caller: ConfirmingCaller,
    isRequired: boolean,
  ): Promise<NewRecoveryCodes> => {
    const { userId } = caller.account;
    const { hasFactor, isNeeded, isDue } = await factorChanges.readSecondStep(stores, userId);
    if (isRequired && !hasFactor) throw secondFactorMissing();
    if (!isRequired && isNeeded) throw secondFactorNeeded();
    if (isRequired === isDue) return {};
    const action = isRequired ? 'SECOND_STEP_ENABLED' : 'SECOND_STEP_DISABLED';
    const change = () => stores.secondFactor.setSecondStep(userId, isRequired);
    return (await factorChanges.changeFactors(stores, caller, action, change)).given;
  };

  return {
    getState: (userId: string): Promise<SecondFactorState> => getState(stores, userId),

    /**
     * Switches the second step on or off for an account whose authenticator app or role does not need it.
     * @throws AppError 409 SECOND_FACTOR_MISSING, SECOND_FACTOR_NEEDED; and the errors of
     * inConfirmedTransaction and changeFactors
     */
    changeSecondStep: (
      caller: ConfirmingCaller,
      isRequired: boolean,
      confirmation: Confirmation,
    ): Promise<SecondFactorState & NewRecoveryCodes> => {
      const factor = isRequired ? 'never' : 'if-due';
      const change = async (stores: FactorChangeStores) => {
        const given = await switchSecondStep(stores, caller, isRequired);
        return { ...(await getState(stores, caller.account.userId)), ...given };
      };
      return confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, factor, change);
    },

    /**
     * The secret is pending until a code confirms it in this session, for TOTP_SET_UP_SECONDS.
     * @throws AppError 403 EMAIL_NOT_VERIFIED, 409 SECOND_FACTOR_ENABLED, and the errors of
     * inConfirmedTransaction
     */
    setUpTotp: async (caller: ConfirmingCaller, confirmation: Confirmation): Promise<NewTotpSecret> => {
      requireVerifiedEmail(caller.account);
      const change = async ({ accounts, secondFactor }: FactorChangeStores) => {
        const { userId, email } = caller.account;
        const created = totp.createSecret(email);
        const owner = toPreparationOwner(caller.tokenId, await accounts.lock(userId));
        if (!(await secondFactor.setPendingTotp(userId, created.sealedSecret, owner)))
          throw secondFactorEnabled();
        return created;
      };
      return await confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'never', change);
    },

    /**
     * A correct code proves only a secret that the caller has just received, so it clears no failures.
     * @throws AppError 401 SECOND_FACTOR_INVALID, also without a pending secret; 403 EMAIL_NOT_VERIFIED; 409
     * SECOND_FACTOR_ENABLED; 429
     */
    confirmTotp: (caller: ConfirmingCaller, code: string): Promise<NewRecoveryCodes> => {
      const guess = toOwnGuess('second-factor', caller);
      return guessLimits.limitGuesses(guess, async (): Promise<AttemptResult<NewRecoveryCodes>> => {
        const enabled = await inTransaction((stores) => enableTotp(stores, caller, code));
        return enabled
          ? { kind: 'incomplete', result: enabled }
          : { kind: 'wrong', error: secondFactorInvalid() };
      });
    },

    /** @throws the errors of inConfirmedTransaction and changeFactors */
    removeTotp: (caller: ConfirmingCaller, confirmation: Confirmation): Promise<void> => {
      const change = async (stores: FactorChangeStores) => {
        const { userId } = caller.account;
        const { totpEnabledAt } = await stores.secondFactor.findState(userId);
        if (totpEnabledAt === null) return;
        await factorChanges.changeFactors(stores, caller, 'TOTP_DISABLED', () =>
          stores.secondFactor.removeTotp(userId),
        );
      };
      return confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'if-due', change);
    },

    /** @throws AppError 409 SECOND_FACTOR_MISSING, and the errors of inConfirmedTransaction and changeFactors */
    replaceRecoveryCodes: (caller: ConfirmingCaller, confirmation: Confirmation): Promise<string[]> => {
      const change = async (stores: FactorChangeStores) => {
        const { dueFactors } = await factorChanges.readSecondStep(stores, caller.account.userId);
        if (dueFactors.length === 0) throw secondFactorMissing();
        return await factorChanges.replaceRecoveryCodes(stores, caller);
      };
      return confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'if-due', change);
    },
  };
};

export type SecondFactorService = ReturnType<typeof createSecondFactorService>;
