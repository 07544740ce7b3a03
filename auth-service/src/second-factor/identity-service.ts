import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { type ConfirmingCaller, type FactorMethod, toOwnAudit, toOwnGuess } from '../accounts/account.ts';
import type { PasswordService } from '../accounts/passwords-service.ts';
import type { Verdict } from '../guess-limits/guess-limits.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { AssertionService } from '../passkeys/assertions-service.ts';
import type { FactorCeremony } from '../passkeys/passkeys.ts';
import type { Stores } from '../stores.ts';
import { type FactorProof, proofExpected } from './second-factor.ts';
import type { TotpCodes } from './totp-adapter.ts';

type Dependencies = Pick<Infrastructure, 'guessLimits'> & {
  passwords: PasswordService;
  assertions: AssertionService;
  totp: TotpCodes;
};

type Owner = Pick<ConfirmingCaller, 'kind' | 'account' | 'context'>;
type Confirmation = { currentPassword: string; proof: FactorProof | undefined };

const consumeRecoveryCode = async (stores: Stores, owner: Owner, code: string): Promise<boolean> => {
  const { userId, email: to, language } = owner.account;
  if (!(await stores.secondFactor.useRecoveryCode(userId, code))) return false;
  const changedAt = new Date().toISOString();
  const change = 'recovery-code-used';
  await stores.outbox.add(
    { template: 'second-factor-changed', to, language, changedAt, change },
    owner.context.requestId,
  );
  await stores.audit.add(toOwnAudit('RECOVERY_CODE_USED', owner));
  return true;
};

/** Proofs of second factors. */
export const createIdentityService = ({ guessLimits, passwords, assertions, totp }: Dependencies) => {
  const consumeTotpCode = async ({ secondFactor }: Stores, userId: string, code: string) => {
    const factor = await secondFactor.findTotp(userId);
    const used = factor?.isEnabled && totp.verify(factor, code);
    if (!used) return false;
    await secondFactor.useTotp(userId, used.sealedSecret, used.step);
    return true;
  };

  /**
   * Verifies the proof and makes it unusable, within the transaction of `stores`, in which the user is locked. Undefined when
   * it is wrong, replayed or expired. The use of a recovery code is audited and mailed.
   * @throws AppError 400 VALIDATION_FAILED without a proof
   */
  const consumeProof = async (
    stores: Stores,
    owner: Owner,
    proof: FactorProof | undefined,
    ceremony: FactorCeremony,
  ): Promise<FactorMethod | undefined> => {
    if (!proof) throw proofExpected();
    const { userId } = owner.account;
    if ('totpCode' in proof)
      return (await consumeTotpCode(stores, userId, proof.totpCode)) ? 'totp' : undefined;
    if ('recoveryCode' in proof)
      return (await consumeRecoveryCode(stores, owner, proof.recoveryCode)) ? 'recovery-code' : undefined;
    const isValid = await assertions.consumePasskey(stores, owner, proof.passkey, ceremony);
    return isValid ? 'passkey' : undefined;
  };

  return {
    consumeProof,

    /**
     * Verifies the password and then the second factor, each as one limited attempt, then runs `change` in the transaction that
     * consumed the proof and has locked the user. An error of `change` rolls back the proof too, and counts as no attempt. A
     * proof that is not required is ignored.
     * @param requirement `if-enabled`: of an account that has a second factor
     * @throws AppError 400: CURRENT_PASSWORD_WRONG, VALIDATION_FAILED without a required proof; 401 SECOND_FACTOR_INVALID; 429
     */
    confirmIdentity: async <Result>(
      caller: ConfirmingCaller,
      { currentPassword, proof }: Confirmation,
      requirement: 'always' | 'if-enabled',
      change: (stores: Stores) => Promise<Result>,
    ): Promise<Result> => {
      const { account, tokenId } = caller;
      const inConfirmedTransaction = await passwords.confirmPassword(caller, currentPassword);
      const attempt = async (stores: Stores): Promise<Verdict<Result>> => {
        const isRequired = requirement === 'always' || (await stores.secondFactor.isEnabled(account.userId));
        const ceremony = { purpose: 'confirmation', owner: tokenId } as const;
        if (isRequired && !(await consumeProof(stores, caller, proof, ceremony)))
          return { kind: 'wrong', error: secondFactorInvalid() };
        return { kind: isRequired ? 'correct' : 'incomplete', result: await change(stores) };
      };
      return await guessLimits.limitGuesses(toOwnGuess('second-factor', caller), () =>
        inConfirmedTransaction(attempt),
      );
    },
  };
};

export type IdentityService = ReturnType<typeof createIdentityService>;
