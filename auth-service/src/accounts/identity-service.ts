import type { RequestContext } from '@platform/shared/audit/audit-log';
import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { ConfirmIdentity, ConfirmingCaller, ConsumeProof } from '../feature-types.ts';
import type { Guess, GuessedSecret, LimitGuesses } from '../guess-limits/guess-limits.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { currentPasswordWrong } from './account.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  limitGuesses: LimitGuesses;
  consumeProof: ConsumeProof;
};

/** The attempt of a signed-in user at a secret of the own account. */
export const toOwnGuess = (
  secret: GuessedSecret,
  { account, session }: ConfirmingCaller,
  { address }: RequestContext,
): Guess => ({
  secret,
  account,
  email: account.email,
  device: { fingerprint: session.fingerprint, address },
});

/** When no factor is required. */
const withoutLimit: LimitGuesses = async (_guess, verify) => {
  const verdict = await verify();
  if (verdict.kind === 'wrong') throw verdict.error;
  return verdict.result;
};

export const createIdentityService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, limitGuesses, consumeProof } = dependencies;

  /**
   * Returns the stored hash of the password. Alone it clears no failures of an account that has a second factor.
   * @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED, 503
   */
  const verifyCurrentPassword = (
    caller: ConfirmingCaller,
    password: string,
    context: RequestContext,
  ): Promise<string> => {
    const { userId } = caller.account;
    return limitGuesses(toOwnGuess('password', caller, context), async () => {
      const hash = await stores.accounts.findPasswordHash(userId);
      // One account must not keep the hashing queue busy.
      const isCorrect = await hasher.compare(password, hash, { onBehalfOf: userId });
      if (hash === undefined || !isCorrect) return { kind: 'wrong', error: currentPasswordWrong() };
      return { kind: (await stores.secondFactor.isEnabled(userId)) ? 'incomplete' : 'correct', result: hash };
    });
  };

  const confirmIdentity: ConfirmIdentity = async (
    caller,
    { currentPassword, proof },
    { requiresFactor },
    context,
    change,
  ) => {
    const { account, tokenId } = caller;
    const hash = await verifyCurrentPassword(caller, currentPassword, context);
    const attempt = requiresFactor === 'never' ? withoutLimit : limitGuesses;
    return await attempt(toOwnGuess('second-factor', caller, context), () =>
      inTransaction(async (stores) => {
        const user = await stores.accounts.lock(account.userId);
        // A concurrent request has changed the password since it was compared.
        if (user?.passwordHash !== hash) throw currentPasswordWrong();
        const isRequired =
          requiresFactor === 'always' ||
          (requiresFactor === 'if-enabled' && (await stores.secondFactor.isEnabled(account.userId)));
        const ceremony = { purpose: 'confirmation', owner: tokenId } as const;
        if (isRequired && !(await consumeProof(stores, caller, proof, ceremony, context)))
          return { kind: 'wrong', error: secondFactorInvalid() };
        return { kind: isRequired ? 'correct' : 'incomplete', result: await change(stores) };
      }),
    );
  };

  return { confirmIdentity, verifyCurrentPassword };
};
