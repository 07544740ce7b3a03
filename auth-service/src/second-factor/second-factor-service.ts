import { randomBytes } from 'node:crypto';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import { secondFactorInvalid, tokenInvalid } from '@platform/shared/errors/app-error';
import { requireVerifiedEmail } from '../accounts/account.ts';
import type { ConfirmIdentity, ConfirmingCaller } from '../feature-types.ts';
import type { Guess, GuessedSecret, LimitGuesses, Verdict } from '../guess-limits/guess-limits.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { type FactorProof, secondFactorEnabled } from './second-factor.ts';
import type { ListedPasskey, SecondFactorState } from './second-factor-store.ts';
import type { TotpCodes } from './totp-codes.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  confirmIdentity: ConfirmIdentity;
  limitGuesses: LimitGuesses;
  toOwnGuess: (secret: GuessedSecret, caller: ConfirmingCaller, context: RequestContext) => Guess;
  totp: TotpCodes;
  recordFactorChange: (
    stores: Stores,
    caller: ConfirmingCaller,
    action: 'TOTP_ENABLED' | 'TOTP_DISABLED' | 'RECOVERY_CODES_REPLACED',
    context: RequestContext,
  ) => Promise<void>;
};

const RECOVERY_CODES = 10;
/** Of base32: 120 bits. */
const RECOVERY_CODE_LENGTH = 24;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

const generateRecoveryCode = (): string => {
  const characters = [...randomBytes(RECOVERY_CODE_LENGTH)].map((byte) => BASE32[byte % BASE32.length]);
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
};

/** The current password and a second factor. */
type Confirmation = { currentPassword: string; proof: FactorProof };

export const createSecondFactorService = (dependencies: Dependencies) => {
  const { stores, inTransaction, totp, confirmIdentity, limitGuesses, toOwnGuess, recordFactorChange } =
    dependencies;

  /** The codes are shown this once. */
  const replaceRecoveryCodes = async (stores: Stores, userId: string): Promise<string[]> => {
    const codes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode);
    await stores.secondFactor.replaceRecoveryCodes(userId, codes);
    return codes;
  };

  /** Of concurrent calls, one enables the pending secret. */
  const enableTotp = async (
    stores: Stores,
    caller: ConfirmingCaller,
    code: string,
    context: RequestContext,
  ): Promise<string[] | undefined> => {
    const { userId } = caller.account;
    requireVerifiedEmail(await stores.accounts.lock(userId));
    const pending = await stores.secondFactor.findTotp(userId);
    if (pending?.isEnabled) throw secondFactorEnabled();
    const verified = pending && totp.verify(pending, code);
    if (!verified) return undefined;
    await stores.secondFactor.useTotp(userId, verified.sealedSecret, verified.step);
    const codes = await replaceRecoveryCodes(stores, userId);
    await recordFactorChange(stores, caller, 'TOTP_ENABLED', context);
    // Otherwise a request that was waiting while the owner ended this session would still change the account.
    if (!(await stores.tokenRecords.addMethod(caller.tokenId, 'totp'))) throw tokenInvalid();
    return codes;
  };

  return {
    getState: async (userId: string): Promise<SecondFactorState & { passkeys: ListedPasskey[] }> => ({
      ...(await stores.secondFactor.findState(userId)),
      passkeys: await stores.secondFactor.listPasskeys(userId),
    }),

    /**
     * The secret is pending until a code confirms it.
     * @throws AppError 403 EMAIL_NOT_VERIFIED, 409 SECOND_FACTOR_ENABLED, and of confirmIdentity
     */
    setUpTotp: async (
      caller: ConfirmingCaller,
      confirmation: { currentPassword: string },
      context: RequestContext,
    ): Promise<{ secret: string; otpauthUrl: string }> => {
      requireVerifiedEmail(caller.account);
      return await confirmIdentity(
        caller,
        confirmation,
        { requiresFactor: 'never' },
        context,
        async (stores) => {
          const { userId, email } = caller.account;
          const created = totp.createSecret(email);
          if (!(await stores.secondFactor.setPendingTotp(userId, created.sealedSecret)))
            throw secondFactorEnabled();
          return created;
        },
      );
    },

    /**
     * Returns the recovery codes. A correct code proves only a secret that the caller has just received, so it clears no
     * delay.
     * @throws AppError 401 SECOND_FACTOR_INVALID, also without a pending secret; 403 EMAIL_NOT_VERIFIED; 409 SECOND_FACTOR_ENABLED; 429
     */
    confirmTotp: (caller: ConfirmingCaller, code: string, context: RequestContext): Promise<string[]> =>
      limitGuesses(toOwnGuess('second-factor', caller, context), async (): Promise<Verdict<string[]>> => {
        const codes = await inTransaction((stores) => enableTotp(stores, caller, code, context));
        return codes
          ? { kind: 'incomplete', result: codes }
          : { kind: 'wrong', error: secondFactorInvalid() };
      }),

    /** @throws the errors of confirmIdentity */
    removeTotp: (
      caller: ConfirmingCaller,
      confirmation: Confirmation,
      context: RequestContext,
    ): Promise<void> =>
      confirmIdentity(caller, confirmation, { requiresFactor: 'always' }, context, async (stores) => {
        const { userId } = caller.account;
        if (!(await stores.secondFactor.removeTotp(userId))) return;
        await stores.secondFactor.removeUnneededRecoveryCodes(userId);
        await recordFactorChange(stores, caller, 'TOTP_DISABLED', context);
      }),

    /** @throws the errors of confirmIdentity */
    replaceRecoveryCodes: (
      caller: ConfirmingCaller,
      confirmation: Confirmation,
      context: RequestContext,
    ): Promise<string[]> =>
      confirmIdentity(caller, confirmation, { requiresFactor: 'always' }, context, async (stores) => {
        const codes = await replaceRecoveryCodes(stores, caller.account.userId);
        await recordFactorChange(stores, caller, 'RECOVERY_CODES_REPLACED', context);
        return codes;
      }),
  };
};

export type SecondFactorService = ReturnType<typeof createSecondFactorService>;
