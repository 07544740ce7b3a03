import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { toAccountAudit, toEndedDetails } from '../accounts/account-audit.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { Account } from '../authentication/callers.ts';
import type { Kind, ProfileKind } from '../kinds.ts';
import type { IdentityStore } from '../oidc/identities-store.ts';
import type { SecondFactorStore } from '../second-factor/second-factor-store.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { TokenRecordStore } from '../sessions/token-records-store.ts';
import { ENDINGS, type Ending, type EndingEvent, type RemovedByProof } from './endings.ts';

export type EndingStores = {
  accounts: AccountStore;
  sessions: SessionStore;
  tokenRecords: TokenRecordStore;
  secondFactor: SecondFactorStore;
  identities: IdentityStore;
  outbox: MailOutbox;
};

/** How the address of an account is proved for the first time. */
type FirstProof = 'first-proof' | 'reset-proof' | 'take-over' | 'invitation';

type Owner = {
  account: Account;
  /** The session that acts, which stays open; absent if a code or a provider acts. */
  tokenId?: string;
  /** The session that requested the code of the proof. It stays open, too, but its device is not known any more. */
  requestedBy?: string | undefined;
  context: RequestContext;
};

const toRemoved = (password: boolean, profile: boolean): RemovedByProof[] =>
  (['password', 'profile'] as const).filter((removed) => ({ password, profile })[removed]);

/** Ends what several features store about a user, in a transaction that has locked the user. */
export const createEndingService = () => {
  const removeSetUp = async (
    stores: EndingStores,
    { account: { userId, email, language }, tokenId, requestedBy, context: { requestId } }: Owner,
    { password, isMailed }: Ending,
  ): Promise<{ isPasswordRemoved: boolean }> => {
    const hadFactors = await stores.secondFactor.removeAll(userId);
    const hadIdentities = await stores.identities.removeOthers(userId, tokenId);
    const isPasswordRemoved = password === 'removed' && (await stores.accounts.removePassword(userId));
    for (const id of [tokenId, requestedBy]) if (id !== undefined) await stores.tokenRecords.resetMethods(id);
    if (!isMailed || !(hadFactors || hadIdentities || isPasswordRemoved)) return { isPasswordRemoved };
    const changedAt = new Date().toISOString();
    // The proof of the address has caused this.
    const notice = { to: email, language, isEmailVerified: true, changedAt };
    const mail = { template: 'setup-removed', ...notice } as const;
    await stores.outbox.add(mail, requestId, userId);
    return { isPasswordRemoved };
  };

  /** `endedSessions` is for the audit record of what has ended them. */
  const end = async (stores: EndingStores, event: EndingEvent, owner: Owner) => {
    const ending = ENDINGS[event];
    const { otherSessions, factors } = ending;
    const { userId } = owner.account;
    const endedSessions =
      otherSessions === 'forgotten'
        ? await stores.sessions.forgetSessionsOfUser(userId, owner.tokenId, owner.requestedBy)
        : await stores.sessions.removeTokensOfUser(userId, owner.tokenId);
    await stores.secondFactor.raiseVersion(userId);
    const setUp = factors === 'removed' ? await removeSetUp(stores, owner, ending) : undefined;
    return { endedSessions, isPasswordRemoved: setUp?.isPasswordRemoved === true };
  };

  /** Deletes what a stranger may have chosen for the owner of the address. */
  const removeChosen = async ({ accounts }: EndingStores, event: EndingEvent, userId: string) => {
    const { profiles, unusedKinds } = ENDINGS[event];
    return {
      clearedProfiles: profiles === 'cleared' ? await accounts.clearProfiles(userId) : [],
      removedKinds: unusedKinds === 'removed' ? await accounts.removeUnusedKinds(userId) : [],
    };
  };

  return {
    end,

    /**
     * Marks the e-mail as verified. In a session, nothing changes if it is already verified. Returns the kinds
     * that the user has lost, the number of sessions that have ended, and what a first proof has removed.
     */
    proveEmail: async (
      stores: EndingStores & { audit: AuditLog },
      owner: Owner & { kind: Kind },
      firstProof: FirstProof = owner.tokenId === undefined ? 'reset-proof' : 'first-proof',
    ): Promise<{ removedKinds: ProfileKind[]; endedSessions: number; removed?: RemovedByProof[] }> => {
      const { kind, account, tokenId, context } = owner;
      const { userId } = account;
      const isFirst = await stores.accounts.markEmailVerified(userId);
      if (!isFirst) {
        const ended = tokenId === undefined ? await end(stores, 'further-proof', owner) : undefined;
        return { removedKinds: [], endedSessions: ended?.endedSessions ?? 0 };
      }
      const { isPasswordRemoved, endedSessions } = await end(stores, firstProof, owner);
      const { clearedProfiles, removedKinds } = await removeChosen(stores, firstProof, userId);
      const details = {
        ...(clearedProfiles.length > 0 && { clearedProfiles }),
        ...(isPasswordRemoved && { isPasswordRemoved }),
        ...toEndedDetails(endedSessions),
      };
      const record = toAccountAudit('EMAIL_VERIFIED', { kind, userId }, context, details);
      await stores.audit.add(tokenId === undefined ? record : { ...record, actorId: userId });
      const removed = toRemoved(isPasswordRemoved, clearedProfiles.length > 0);
      return { removedKinds, endedSessions, removed };
    },
  };
};

export type EndingService = ReturnType<typeof createEndingService>;
