import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Kind } from '../kinds.ts';
import type { WithPasswordThrottle } from '../password-throttle/password-throttle.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { type Account, type AccountWithPassword, accountChange, currentPasswordWrong } from './account.ts';
import type { PasswordPolicy } from './password-policy.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hashPassword: (password: string) => Promise<string>;
  comparePassword: (password: string, hash: string | undefined) => Promise<boolean>;
  requireGoodPassword: PasswordPolicy;
  /** The hash was made at another cost than new ones are. */
  isOutdated: (hash: string) => boolean;
  withThrottle: WithPasswordThrottle;
  /** Lets everybody try again who was refused because of others' wrong passwords at the account. */
  liftAccountLimits: (account: Account) => Promise<void>;
};

type Change = { currentPassword: string; newPassword: string };
/** The session that changes the password keeps its tokens, which this names. */
type Changer = { kind: Kind; account: Account; session: { fingerprint: string }; tokenId: string };
type ClientOrigin = RequestContext & { network: string };

export const createPasswordService = ({
  stores: { accounts, sessions },
  inTransaction,
  hashPassword,
  comparePassword,
  requireGoodPassword,
  isOutdated,
  withThrottle,
  liftAccountLimits,
}: Dependencies) => {
  const notice = ({ email }: Account) =>
    ({ template: 'password-changed', to: email, changedAt: new Date().toISOString() }) as const;

  /** Throttled as a sign-in is. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED */
  const verifyCurrentPassword = async (
    { account: { userId, email }, session: { fingerprint } }: Changer,
    password: string,
    network: string,
  ): Promise<string> => {
    const isKnownDevice = () => sessions.hasSignedInFrom(email, { fingerprint, network });
    const verify = async () => {
      const hash = await accounts.findPasswordHash(userId);
      return (await comparePassword(password, hash)) ? hash : undefined;
    };
    const hash = await withThrottle({ subject: userId, network }, isKnownDevice, verify);
    if (hash === undefined) throw currentPasswordWrong();
    return hash;
  };

  return {
    /** Ends the user's other sessions. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED */
    changePassword: async (
      changer: Changer,
      { currentPassword, newPassword }: Change,
      { network, ...origin }: ClientOrigin,
    ): Promise<void> => {
      const { kind, account, tokenId } = changer;
      const { userId } = account;
      requireGoodPassword(newPassword, account.email, 'newPassword');
      const currentHash = await verifyCurrentPassword(changer, currentPassword, network);
      const passwordHash = await hashPassword(newPassword);
      await inTransaction(async (stores) => {
        const user = await stores.accounts.lock(userId);
        // Changed or reset by another request meanwhile: what was checked is no longer the password.
        if (user?.passwordHash !== currentHash) throw currentPasswordWrong();
        await stores.accounts.setPassword(userId, passwordHash);
        await stores.sessions.removeTokensOfUser(userId, tokenId);
        await stores.outbox.add(notice(account), origin.requestId);
        await stores.audit.add({
          ...origin,
          ...accountChange('PASSWORD_CHANGED', kind, userId),
          actorId: userId,
        });
      });
    },

    /** After a code proved the address: ends every session of the user and marks the e-mail verified. */
    resetPassword: async (
      kind: Kind,
      account: Account,
      passwordHash: string,
      origin: RequestContext,
    ): Promise<void> => {
      const { userId } = account;
      await inTransaction(async (stores) => {
        await stores.accounts.lock(userId);
        await stores.accounts.setPassword(userId, passwordHash);
        const isNewlyVerified = await stores.accounts.markEmailVerified(userId);
        await stores.sessions.removeTokensOfUser(userId);
        await stores.outbox.add(notice(account), origin.requestId);
        if (isNewlyVerified)
          await stores.audit.add({ ...origin, ...accountChange('EMAIL_VERIFIED', kind, userId) });
        await stores.audit.add({ ...origin, ...accountChange('PASSWORD_RESET', kind, userId) });
      });
      await liftAccountLimits(account);
    },

    /** At a sign-in: the one moment when the password is at hand to be hashed at today's cost. */
    renewHash: async (account: AccountWithPassword, password: string): Promise<AccountWithPassword> => {
      if (!isOutdated(account.passwordHash)) return account;
      const passwordHash = await hashPassword(password);
      if (await accounts.replaceHash(account.userId, account.passwordHash, passwordHash))
        return { ...account, passwordHash };
      // Another sign-in has just renewed it, or the password was changed: what is stored now decides.
      const storedHash = await accounts.findPasswordHash(account.userId);
      const matches = await comparePassword(password, storedHash);
      return matches && storedHash !== undefined ? { ...account, passwordHash: storedHash } : account;
    },
  };
};

export type PasswordService = ReturnType<typeof createPasswordService>;
