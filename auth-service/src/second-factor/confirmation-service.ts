import { secondFactorInvalid, tokenInvalid } from '@platform/shared/errors/app-error';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toOwnAudit } from '../accounts/account-audit.ts';
import { toPreparationOwner } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { PasswordHasher } from '../accounts/password-hasher-adapter.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import { type AttemptResult, toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { TokenRecordStore } from '../sessions/token-records-store.ts';
import type { AssertionService } from '../webauthn/assertions-service.ts';
import type { FactorCeremony } from '../webauthn/passkey.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import {
  type Confirmation,
  currentPasswordRequired,
  currentPasswordWrong,
  type FactorProof,
  type FactorRequirement,
  factorRequired,
  isPasskeyAlone,
  isSignInRecent,
  reauthenticationRequired,
} from './confirmation.ts';
import type { RecoveryCodes } from './recovery-codes-adapter.ts';
import type { ToSecondStep } from './second-factor.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import type { TotpCodes } from './totp-adapter.ts';

type ProofStores = {
  secondFactor: SecondFactorStore;
  passkeys: PasskeyStore;
  outbox: MailOutbox;
  audit: AuditLog;
};
/** The stores of the transaction of a change; the change may use others, too. */
export type ConfirmationStores = ProofStores & { accounts: AccountStore; tokenRecords: TokenRecordStore };

type Dependencies = {
  stores: Pick<ConfirmationStores, 'accounts'>;
  hasher: PasswordHasher;
  guessLimits: GuessLimitService;
  assertions: AssertionService;
  offersPasskeys: boolean;
  totp: TotpCodes;
  recoveryCodes: RecoveryCodes;
  toSecondStep: ToSecondStep;
};

type Owner = Pick<ConfirmingCaller, 'kind' | 'account' | 'context'>;

/** Verifies the password and the second factor of a signed-in user before a change. */
export const createConfirmationService = (dependencies: Dependencies) => {
  const { stores, hasher, guessLimits, assertions, offersPasskeys } = dependencies;
  const { totp, recoveryCodes, toSecondStep } = dependencies;

  /** Returns the stored hash. While a second step is due, the password alone clears no failures. */
  const verifyCurrentPassword = (caller: ConfirmingCaller, password: string): Promise<string> => {
    const { userId } = caller.account;
    const guess = toOwnGuess('password', caller);
    return guessLimits.limitGuesses(guess, async () => {
      const hash = await stores.accounts.findPasswordHash(userId);
      // The account was deleted after the request was authenticated, so this is no wrong password.
      if (hash === undefined) throw tokenInvalid();
      const isCorrect = await hasher.compare(password, hash, await guessLimits.toRequester(guess));
      if (!(hash && isCorrect)) return { kind: 'wrong', error: currentPasswordWrong() };
      const { dueFactors } = toSecondStep(await stores.accounts.getFactors(userId));
      return { kind: dueFactors.length > 0 ? 'incomplete' : 'correct', result: hash };
    });
  };

  /** Runs a change in a transaction that has locked the user, whose session is still open. */
  const inOpenSession =
    <Stores extends ConfirmationStores>(
      inTransaction: InTransaction<Stores>,
      { account: { userId }, tokenId }: ConfirmingCaller,
      requireUnchanged: (passwordHash: string | null) => void = () => undefined,
    ): InTransaction<Stores> =>
    (change) =>
      inTransaction(async (stores) => {
        const user = await stores.accounts.lock(userId);
        if (!user) throw tokenInvalid();
        requireUnchanged(user.passwordHash);
        // Otherwise a request that was waiting while the owner ended its session would still change the account.
        if (!(await stores.tokenRecords.exists(tokenId))) throw tokenInvalid();
        return await change(stores);
      });

  /** Throws unless the account has no password, so that the field is left out. */
  const requireNoPassword = async (userId: string, password: string | undefined): Promise<void> => {
    const hash = await stores.accounts.findPasswordHash(userId);
    if (hash === undefined) throw tokenInvalid();
    if (hash !== null || password !== undefined) throw currentPasswordRequired();
  };

  /**
   * Verifies the password as one limited attempt. A password is wrong if the account has none. Returns a
   * function that runs a change like inOpenSession, unless the password has changed since.
   */
  const confirmPassword = async <Stores extends ConfirmationStores>(
    inTransaction: InTransaction<Stores>,
    caller: ConfirmingCaller,
    password: string | undefined,
  ): Promise<{ hasPassword: boolean; inConfirmedTransaction: InTransaction<Stores> }> => {
    const { userId } = caller.account;
    if (!password) await requireNoPassword(userId, password);
    const hash = password
      ? await hasher.limitChecks(userId, () => verifyCurrentPassword(caller, password))
      : null;
    const inConfirmedTransaction = inOpenSession(inTransaction, caller, (passwordHash) => {
      // A concurrent request has changed the password since it was compared.
      if (passwordHash !== hash) throw currentPasswordWrong();
    });
    return { hasPassword: hash !== null, inConfirmedTransaction };
  };

  const consumeTotpCode = async ({ secondFactor }: ProofStores, userId: string, code: string) => {
    const factor = await secondFactor.findTotp(userId);
    const used = factor?.isEnabled && totp.verify(factor, code);
    if (!used) return false;
    await secondFactor.useTotp(userId, used.sealedSecret, used.step);
    return true;
  };

  const consumeRecoveryCode = async (stores: ProofStores, owner: Owner, code: string): Promise<boolean> => {
    const { userId, email: to, language, isEmailVerified } = owner.account;
    const found = recoveryCodes.find(userId, code, await stores.secondFactor.listRecoveryCodes(userId));
    if (!(found && (await stores.secondFactor.useRecoveryCode(userId, found)))) return false;
    const changedAt = new Date().toISOString();
    const change = 'recovery-code-used';
    const notice = { to, language, isEmailVerified, changedAt };
    const mail = { template: 'second-factor-changed', ...notice, change } as const;
    await stores.outbox.add(mail, owner.context.requestId, userId);
    await stores.audit.add(toOwnAudit('RECOVERY_CODE_USED', owner));
    return true;
  };

  /**
   * Verifies the proof and makes it unusable, within the transaction of `stores`, in which the user is
   * locked. False if it is wrong, replayed or expired. The use of a recovery code is audited and mailed.
   */
  const consumeProof = async (
    stores: ProofStores,
    owner: Owner,
    proof: FactorProof,
    ceremony: FactorCeremony,
  ): Promise<boolean> => {
    const { userId } = owner.account;
    if ('totpCode' in proof) return await consumeTotpCode(stores, userId, proof.totpCode);
    if ('recoveryCode' in proof) return await consumeRecoveryCode(stores, owner, proof.recoveryCode);
    return await assertions.consumePasskey(stores, owner, proof.passkey, ceremony);
  };

  /** The proof is one limited attempt, in the transaction of the change. */
  const withFactor =
    <Stores extends ConfirmationStores>(
      inConfirmedTransaction: InTransaction<Stores>,
      caller: ConfirmingCaller,
      proof: FactorProof | undefined,
      requirement: 'if-due' | 'always',
      verification: Pick<FactorCeremony, 'userVerification'> = {},
    ): InTransaction<Stores> =>
    <Result>(change: (stores: Stores) => Promise<Result>) => {
      const { account, tokenId } = caller;
      const attempt = async (stores: Stores): Promise<AttemptResult<Result>> => {
        const { dueFactors } = toSecondStep(await stores.accounts.getFactors(account.userId));
        const isRequired = requirement === 'always' || dueFactors.length > 0;
        const owner = toPreparationOwner(tokenId, await stores.accounts.lock(account.userId));
        const ceremony = { purpose: 'confirmation', owner, ...verification } as const;
        if (isRequired && !proof)
          throw factorRequired(dueFactors.filter((factor) => offersPasskeys || factor !== 'passkey'));
        if (isRequired && proof && !(await consumeProof(stores, caller, proof, ceremony)))
          return { kind: 'wrong', error: secondFactorInvalid() };
        return { kind: isRequired ? 'correct' : 'incomplete', result: await change(stores) };
      };
      return guessLimits.limitGuesses(toOwnGuess('second-factor', caller), () =>
        inConfirmedTransaction(attempt),
      );
    };

  /**
   * As `inConfirmedTransaction` below, for a change that takes time between the proofs and its transaction:
   * returns a function that runs it.
   */
  const confirmCaller = async <Stores extends ConfirmationStores>(
    inTransaction: InTransaction<Stores>,
    caller: ConfirmingCaller,
    { currentPassword, proof }: Confirmation,
    factor: FactorRequirement,
  ): Promise<InTransaction<Stores>> => {
    if (factor === 'or-passkey' && isPasskeyAlone({ currentPassword, proof }))
      return withFactor(inOpenSession(inTransaction, caller), caller, proof, 'always', {
        userVerification: 'required',
      });
    const confirmed = await confirmPassword(inTransaction, caller, currentPassword);
    const { hasPassword, inConfirmedTransaction } = confirmed;
    const replacesPassword = !hasPassword && !isSignInRecent(caller);
    if (replacesPassword && !proof) throw reauthenticationRequired();
    if (factor === 'never' && !(replacesPassword || proof)) return inConfirmedTransaction;
    const requirement = replacesPassword || proof ? 'always' : 'if-due';
    return withFactor(inConfirmedTransaction, caller, proof, requirement);
  };

  return {
    consumeProof,
    confirmCaller,

    /**
     * Verifies the password, and the second factor if it is required, each as one limited attempt; then runs
     * the change in a transaction that has locked the user. For an account without a password, any second
     * factor or a recent sign-in replaces it. The error of a change also rolls back the use of the proof, and
     * then the attempt does not count. A proof that is sent is verified even if none is required.
     * @throws AppError 400 CURRENT_PASSWORD_WRONG, VALIDATION_FAILED without the password; 401
     * SECOND_FACTOR_INVALID, TOKEN_INVALID; 403 FACTOR_REQUIRED, REAUTHENTICATION_REQUIRED; 429; 503
     */
    inConfirmedTransaction: async <Stores extends ConfirmationStores, Result>(
      inTransaction: InTransaction<Stores>,
      caller: ConfirmingCaller,
      confirmation: Confirmation,
      factor: FactorRequirement,
      change: (stores: Stores) => Promise<Result>,
    ): Promise<Result> => {
      const inConfirmedTransaction = await confirmCaller(inTransaction, caller, confirmation, factor);
      return await inConfirmedTransaction(change);
    },
  };
};

export type ConfirmationService = ReturnType<typeof createConfirmationService>;
