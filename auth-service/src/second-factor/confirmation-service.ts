import { secondFactorInvalid, tokenInvalid } from '@platform/shared/errors/app-error';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toOwnAudit } from '../accounts/account-audit.ts';
import { toPreparationOwner } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import { type AttemptResult, toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
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

/** A caller whose password is verified. The transaction of the change verifies the rest. */
type ConfirmedCaller = {
  caller: ConfirmingCaller;
  /** The stored hash, or null for an account without a password. Undefined if a passkey alone confirms. */
  passwordHash?: string | null;
  /** Verified whenever it is there. */
  proof: FactorProof | undefined;
  /** Whether a factor is wanted while one is due. */
  wantsFactor: boolean;
  verification?: Pick<FactorCeremony, 'userVerification'>;
};

/** Verifies the password and the second factor of a signed-in user before a change. */
export const createConfirmationService = (dependencies: Dependencies) => {
  const { stores, hasher, guessLimits, assertions, offersPasskeys } = dependencies;
  const { totp, recoveryCodes, toSecondStep } = dependencies;

  /** Returns the stored hash. While a second step is due, the password alone clears no failures. */
  const verifyCurrentPassword = (caller: ConfirmingCaller, password: string): Promise<string> => {
    const { userId } = caller.account;
    const guess = toOwnGuess('password', caller);
    return guessLimits.limitGuesses(guess, async (toRequester) => {
      const hash = await stores.accounts.findPasswordHash(userId);
      // The account was deleted after the request was authenticated, so this is no wrong password.
      if (hash === undefined) throw tokenInvalid();
      const isCorrect = await hasher.compare(password, hash, await toRequester());
      if (!(hash && isCorrect)) return { kind: 'wrong', error: currentPasswordWrong() };
      const { dueFactors } = toSecondStep(await stores.accounts.getFactors(userId));
      return { kind: dueFactors.length > 0 ? 'incomplete' : 'correct', result: hash };
    });
  };

  /**
   * Verifies the password as one limited attempt, or without one that the account has none. A password is
   * wrong if the account has none. Returns the stored hash.
   */
  const verifyPassword = async (
    caller: ConfirmingCaller,
    password: string | undefined,
  ): Promise<string | null> => {
    const { userId } = caller.account;
    if (password) return await hasher.limitChecks(userId, () => verifyCurrentPassword(caller, password));
    const hash = await stores.accounts.findPasswordHash(userId);
    if (hash === undefined) throw tokenInvalid();
    if (hash !== null || password !== undefined) throw currentPasswordRequired();
    return hash;
  };

  /** Verifies the password, and decides about the factor. */
  const confirmPassword = async (
    caller: ConfirmingCaller,
    { currentPassword, proof }: Confirmation,
    factor: FactorRequirement,
  ): Promise<ConfirmedCaller> => {
    if (factor === 'or-passkey' && isPasskeyAlone({ currentPassword, proof }))
      return { caller, proof, wantsFactor: true, verification: { userVerification: 'required' } };
    const passwordHash = await verifyPassword(caller, currentPassword);
    const replacesPassword = passwordHash === null && !isSignInRecent(caller);
    if (replacesPassword && !proof) throw reauthenticationRequired();
    return { caller, passwordHash, proof, wantsFactor: factor !== 'never' };
  };

  /** Locks the user. @throws AppError unless the session is still open, with the confirmed password */
  const requireUnchanged = async (
    { accounts, tokenRecords }: ConfirmationStores,
    { caller: { account, tokenId }, passwordHash }: ConfirmedCaller,
  ): Promise<void> => {
    const user = await accounts.lock(account.userId);
    if (!user) throw tokenInvalid();
    // A concurrent request has changed the password since it was compared.
    if (passwordHash !== undefined && user.passwordHash !== passwordHash) throw currentPasswordWrong();
    // Otherwise a request that was waiting while the owner ended its session would still change the account.
    if (!(await tokenRecords.exists(tokenId))) throw tokenInvalid();
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

  /** @throws AppError 403 FACTOR_REQUIRED */
  const requireNoneDue = async ({ accounts }: ConfirmationStores, userId: string): Promise<void> => {
    const { dueFactors } = toSecondStep(await accounts.getFactors(userId));
    if (dueFactors.length > 0)
      throw factorRequired(dueFactors.filter((method) => offersPasskeys || method !== 'passkey'));
  };

  /** Verifies the factor, then runs the change. */
  const proveFactor = async <Stores extends ConfirmationStores, Result>(
    stores: Stores,
    { caller, verification }: ConfirmedCaller,
    proof: FactorProof,
    change: (stores: Stores) => Promise<Result>,
  ): Promise<AttemptResult<Result>> => {
    const { account, tokenId } = caller;
    const owner = toPreparationOwner(tokenId, await stores.accounts.lock(account.userId));
    const ceremony = { purpose: 'confirmation', owner, ...verification } as const;
    if (!(await consumeProof(stores, caller, proof, ceremony)))
      return { kind: 'wrong', error: secondFactorInvalid() };
    return { kind: 'correct', result: await change(stores) };
  };

  /**
   * Runs a change in a transaction that has locked the user. A factor that is sent is one limited attempt in this
   * transaction. Without one, nothing is guessed, so no pause of factors is in the way.
   */
  const changeConfirmed = <Stores extends ConfirmationStores, Result>(
    inTransaction: InTransaction<Stores>,
    confirmed: ConfirmedCaller,
    change: (stores: Stores) => Promise<Result>,
  ): Promise<Result> => {
    const inOpenSession = <Changed>(work: (stores: Stores) => Promise<Changed>): Promise<Changed> =>
      inTransaction(async (stores) => {
        await requireUnchanged(stores, confirmed);
        return await work(stores);
      });
    const { caller, proof, wantsFactor } = confirmed;
    if (proof)
      return guessLimits.limitGuesses(toOwnGuess('second-factor', caller), () =>
        inOpenSession((stores) => proveFactor(stores, confirmed, proof, change)),
      );
    return inOpenSession(async (stores) => {
      if (wantsFactor) await requireNoneDue(stores, caller.account.userId);
      return await change(stores);
    });
  };

  return {
    consumeProof,

    /**
     * The two halves of `inConfirmedTransaction`, for a change that takes time between the password and its
     * transaction.
     */
    confirmPassword,
    changeConfirmed,

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
      const confirmed = await confirmPassword(caller, confirmation, factor);
      return await changeConfirmed(inTransaction, confirmed, change);
    },
  };
};

export type ConfirmationService = ReturnType<typeof createConfirmationService>;
