import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Kind } from '../kinds.ts';
import type { Stores } from '../stores.ts';
import { type Account, toAccountAudit } from './account.ts';

type Owner = {
  kind: Kind;
  /** Its e-mail is the proved one. */
  account: Account;
  /** The session that proves the address; absent when a code alone does. */
  tokenId?: string;
};

/**
 * Ends what others may have set up before an address was proved for the first time: factors and all other sessions. Waiting
 * sign-ins and pending changes end too, because they are bound to the state of the account (toStateDigest). An unverified address
 * belongs to nobody: whoever signed up with it may be a stranger. In a transaction that has locked the user.
 */
export const endEarlierSetup = async (
  stores: Stores,
  { account: { userId, email, language }, tokenId }: Owner,
  { requestId }: RequestContext,
): Promise<void> => {
  const hadFactors = await stores.secondFactor.removeAll(userId);
  await stores.sessions.removeTokensOfUser(userId, tokenId);
  if (tokenId !== undefined) await stores.tokenRecords.resetMethodsWithoutFactor(tokenId);
  if (!hadFactors) return;
  await stores.secondFactor.raiseVersion(userId);
  const changedAt = new Date().toISOString();
  await stores.outbox.add({ template: 'setup-removed', to: email, language, changedAt }, requestId);
};

/** Marks the e-mail verified. In a transaction that has locked the user. False when it was verified already. */
export const proveEmail = async (stores: Stores, owner: Owner, context: RequestContext): Promise<boolean> => {
  const { kind, account, tokenId } = owner;
  if (!(await stores.accounts.markEmailVerified(account.userId))) return false;
  await endEarlierSetup(stores, owner, context);
  await stores.audit.add({
    ...context,
    ...toAccountAudit('EMAIL_VERIFIED', kind, account.userId),
    ...(tokenId !== undefined && { actorId: account.userId }),
  });
  return true;
};
