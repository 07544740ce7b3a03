import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { type ConfirmingCaller, toOwnAudit, toOwnGuess } from '../accounts/account.ts';
import {
  type FactorProof,
  isSignInRecent,
  proofExpected,
  reauthenticationRequired,
} from '../accounts/confirmation.ts';
import type { PasswordService } from '../accounts/passwords-service.ts';
import type { ConfirmCaller, RunConfirmed } from '../confirm-caller.ts';
import type { AttemptResult } from '../guess-limits/guess-limits.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { AssertionService } from '../passkeys/assertions-service.ts';
import type { FactorCeremony } from '../passkeys/passkeys.ts';
import type { Stores } from '../stores.ts';
import type { TotpCodes } from './totp-adapter.ts';

type Dependencies = Pick<Infrastructure, 'guessLimits'> & {
  passwords: PasswordService;
  assertions: AssertionService;
  totp: TotpCodes;
};

type Owner = Pick<ConfirmingCaller, 'kind' | 'account' | 'context'>;

const consumeRecoveryCode = async (stores: Stores, owner: Owner, code: string): Promise<boolean> => {
  const { userId, email: to, language, isEmailVerified } = owner.account;
  if (!(await stores.secondFactor.useRecoveryCode(userId, code))) return false;
  const changedAt = new Date().toISOString();
  const change = 'recovery-code-used';
  const notice = { to, language, isEmailVerified, changedAt };
  const mail = { template: 'second-factor-changed', ...notice, change } as const;
  await stores.outbox.add(mail, owner.context.requestId, userId);
  await stores.audit.add(toOwnAudit('RECOVERY_CODE_USED', owner));
  return true;
};

/** Verifies proofs of second factors. */
export const createConfirmationService = ({ guessLimits, passwords, assertions, totp }: Dependencies) => {
  const consumeTotpCode = async ({ secondFactor }: Stores, userId: string, code: string) => {
    const factor = await secondFactor.findTotp(userId);
    const used = factor?.isEnabled && totp.verify(factor, code);
    if (!used) return false;
    await secondFactor.useTotp(userId, used.sealedSecret, used.step);
    return true;
  };

  /**
   * Verifies the proof and makes it unusable, within the transaction of `stores`, in which the user is
   * locked. False if it is wrong, replayed or expired. The use of a recovery code is audited and mailed.
   * @throws AppError 400 VALIDATION_FAILED if there is no proof
   */
  const consumeProof = async (
    stores: Stores,
    owner: Owner,
    proof: FactorProof | undefined,
    ceremony: FactorCeremony,
  ): Promise<boolean> => {
    if (!proof) throw proofExpected();
    const { userId } = owner.account;
    if ('totpCode' in proof) return await consumeTotpCode(stores, userId, proof.totpCode);
    if ('recoveryCode' in proof) return await consumeRecoveryCode(stores, owner, proof.recoveryCode);
    return await assertions.consumePasskey(stores, owner, proof.passkey, ceremony);
  };

  /** The proof is one limited attempt, in the transaction of the change. */
  const withFactor =
    (
      caller: ConfirmingCaller,
      proof: FactorProof | undefined,
      requirement: 'if-enabled' | 'always',
      inConfirmedTransaction: RunConfirmed,
    ): RunConfirmed =>
    <Result>(change: (stores: Stores) => Promise<Result>) => {
      const { account, tokenId } = caller;
      const attempt = async (stores: Stores): Promise<AttemptResult<Result>> => {
        const isRequired = requirement === 'always' || (await stores.secondFactor.isEnabled(account.userId));
        const ceremony = { purpose: 'confirmation', owner: tokenId } as const;
        if (isRequired && !(await consumeProof(stores, caller, proof, ceremony)))
          return { kind: 'wrong', error: secondFactorInvalid() };
        return { kind: isRequired ? 'correct' : 'incomplete', result: await change(stores) };
      };
      return guessLimits.limitGuesses(toOwnGuess('second-factor', caller), () =>
        inConfirmedTransaction(attempt),
      );
    };

  /**
   * Verifies the password, and the second factor if it is required, each as one limited attempt. For an
   * account without a password, any second factor or a recent sign-in replaces it. Returns a function that
   * runs the change. Its error also rolls back the use of the proof, and then the attempt does not count. A
   * proof that is sent is verified even if none is required.
   * @throws AppError 400 CURRENT_PASSWORD_WRONG, VALIDATION_FAILED without a required proof; 401
   * SECOND_FACTOR_INVALID; 403 REAUTHENTICATION_REQUIRED; 429
   */
  const confirmCaller: ConfirmCaller = async (caller, { currentPassword, proof }, factor) => {
    const { hasPassword, inConfirmedTransaction } = await passwords.confirmPassword(caller, currentPassword);
    const replacesPassword = !hasPassword && !isSignInRecent(caller);
    if (replacesPassword && !proof) throw reauthenticationRequired();
    const requirement = replacesPassword || proof ? 'always' : factor;
    return requirement === 'never'
      ? inConfirmedTransaction
      : withFactor(caller, proof, requirement, inConfirmedTransaction);
  };

  return { consumeProof, confirmCaller };
};

export type ConfirmationService = ReturnType<typeof createConfirmationService>;
