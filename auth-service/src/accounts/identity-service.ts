import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { ConfirmIdentity, ConfirmingCaller, ConsumeProof, ThrottleCaller } from '../feature-types.ts';
import type { WithPasswordThrottle } from '../password-throttle/password-throttle.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { currentPasswordWrong } from './account.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  /** Counts by user id. */
  withThrottle: WithPasswordThrottle;
  consumeProof: ConsumeProof;
};

export const createIdentityService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, withThrottle, consumeProof } = dependencies;

  const throttle: ThrottleCaller = ({ account, session: { fingerprint } }, network, verify) => {
    const { userId, email } = account;
    const isKnownDevice = () => stores.sessions.hasSignedInFrom(email, { fingerprint, network });
    return withThrottle({ subject: userId, network }, isKnownDevice, verify);
  };

  /** The stored hash; undefined when the password is wrong. */
  const comparePassword = async (userId: string, password: string): Promise<string | undefined> => {
    const hash = await stores.accounts.findPasswordHash(userId);
    return (await hasher.compare(password, hash)) ? hash : undefined;
  };

  const confirmIdentity: ConfirmIdentity = (caller, confirmation, { requiresFactor }, client, change) => {
    const { userId } = caller.account;
    return throttle(caller, client.network, async () => {
      const hash = await comparePassword(userId, confirmation.currentPassword);
      if (hash === undefined) return { kind: 'wrong', error: currentPasswordWrong() };
      return await inTransaction(async (stores) => {
        const user = await stores.accounts.lock(userId);
        // A concurrent request has changed the password since it was compared.
        if (user?.passwordHash !== hash) throw currentPasswordWrong();
        const isEnabled = await stores.secondFactor.isEnabled(userId);
        const isRequired = { never: false, 'if-enabled': isEnabled, always: true }[requiresFactor];
        const ceremony = { purpose: 'confirmation', owner: caller.tokenId } as const;
        if (isRequired && !(await consumeProof(stores, caller, confirmation.proof, ceremony, client)))
          return { kind: 'wrong', error: secondFactorInvalid() };
        const result = await change(stores);
        return { kind: isEnabled && !isRequired ? 'incomplete' : 'correct', result };
      });
    });
  };

  /** The hash of the password. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED */
  const verifyCurrentPassword = (
    caller: ConfirmingCaller,
    password: string,
    network: string,
  ): Promise<string> => {
    const { userId } = caller.account;
    return throttle(caller, network, async () => {
      const hash = await comparePassword(userId, password);
      if (hash === undefined) return { kind: 'wrong', error: currentPasswordWrong() };
      return { kind: (await stores.secondFactor.isEnabled(userId)) ? 'incomplete' : 'correct', result: hash };
    });
  };

  return { confirmIdentity, verifyCurrentPassword, throttle };
};
