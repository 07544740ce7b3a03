import type { RequestContext } from '@platform/shared/http/request-context';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { assignPlatformRole } from '@platform/shared/platform/accounts/platform-roles';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { maskAddress } from '@platform/shared/platform/mail/mail';
import type { MailPreferences } from '../accounts/account.ts';
import { toAccountAudit } from '../accounts/account-audit.ts';
import type { Account } from '../authentication/callers.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { ProfileKind } from '../kinds.ts';
import { findObstacle, type Invitation, invitationInvalid } from './invitation.ts';
import type { InvitationStore } from './invitations-store.ts';

export type AcceptanceStores = EndingStores & {
  accountChanges: AccountChangeStore;
  invitations: InvitationStore;
  audit: AuditLog;
};

type Dependencies = {
  config: { adminAllowedDomains: readonly string[] };
  inTransaction: InTransaction<AcceptanceStores>;
  endings: EndingService;
  guessLimits: GuessLimitService;
};

/** `name`: how colleagues see the administrator. */
type NewUser = MailPreferences & { passwordHash: string; name?: string | null | undefined };
type Administrator = { id: string; email: string; platformRole: PlatformRole; createdAt: Date };

const KIND = 'administrator';

export const createAcceptanceService = (dependencies: Dependencies) => {
  const { config, inTransaction, endings, guessLimits } = dependencies;

  /** Undefined if there is an account with the address. */
  const createAccount = async (
    { accounts, audit }: AcceptanceStores,
    { email }: Invitation,
    { passwordHash, language, timeZone }: NewUser,
    context: RequestContext,
  ): Promise<string | undefined> => {
    const created = await accounts.createUnlessTaken({ email, passwordHash, language, timeZone });
    if (!created) return undefined;
    const { id: userId } = created;
    await accounts.markEmailVerified(userId);
    const record = toAccountAudit('ACCOUNT_REGISTERED', { kind: KIND, userId }, context, {
      isEmailVerified: true,
    });
    await audit.add({ ...record, actorId: userId });
    return userId;
  };

  /**
   * The code proves the mailbox, as a reset by code does, so all that others have set up ends. The account is
   * locked, and not verified. Returns the kinds that it has lost.
   */
  const takeOver = async (
    stores: AcceptanceStores,
    userId: string,
    { passwordHash }: NewUser,
    context: RequestContext,
  ): Promise<ProfileKind[]> => {
    const account = await stores.accounts.findById(KIND, userId);
    if (!account) throw userNotFound();
    await stores.accounts.setPassword(userId, passwordHash);
    await stores.audit.add(toAccountAudit('PASSWORD_RESET', { kind: KIND, userId }, context));
    return (await endings.proveEmail(stores, { kind: KIND, account, context }, 'invitation')).removedKinds;
  };

  /** Locks the existing account. @throws AppError 400 CODE_INVALID for one that must not be taken over */
  const lockAccount = async ({ accountChanges }: AcceptanceStores, { email }: Invitation) => {
    const account = await accountChanges.lockByEmail(email);
    const obstacle = findObstacle(account);
    if (obstacle) throw invitationInvalid(obstacle);
    return account;
  };

  const obtainAccount = async (
    stores: AcceptanceStores,
    invitation: Invitation,
    user: NewUser,
    context: RequestContext,
  ): Promise<{ userId: string; removedKinds: ProfileKind[] }> => {
    // The account is locked before the invitation, as by a deletion of the account.
    const existing = await lockAccount(stores, invitation);
    if (!(await stores.invitations.consume(invitation))) throw invitationInvalid('used');
    const createdId = existing ? undefined : await createAccount(stores, invitation, user, context);
    if (createdId !== undefined) return { userId: createdId, removedKinds: [] };
    // If there was no account at first, somebody has signed up meanwhile.
    const account = existing ?? (await lockAccount(stores, invitation));
    if (!account) throw invitationInvalid('used');
    const removedKinds = await takeOver(stores, account.id, user, context);
    return { userId: account.id, removedKinds };
  };

  const notifyInviter = async (
    { invitations, outbox }: AcceptanceStores,
    invitation: Invitation,
    { requestId }: RequestContext,
  ): Promise<void> => {
    const inviter = await invitations.findInviter(invitation);
    if (!inviter) return;
    const { email: to, isEmailVerified, language } = inviter;
    const { email, role } = invitation;
    const acceptedAt = new Date().toISOString();
    const notice = { to, language, isEmailVerified, email, role, acceptedAt };
    await outbox.add({ template: 'invitation-accepted', ...notice }, requestId, inviter.id);
  };

  const createAdministrator = (
    invitation: Invitation,
    user: NewUser,
    context: RequestContext,
  ): Promise<Account> =>
    inTransaction(async (stores) => {
      const { role, invitedBy } = invitation;
      const { userId, removedKinds } = await obtainAccount(stores, invitation, user, context);
      const account = await stores.accountChanges.lock(userId);
      const stored = await stores.accounts.findById(KIND, userId);
      if (!account || !stored) throw userNotFound();
      await assignPlatformRole(stores, account, {
        role,
        allowedDomains: config.adminAllowedDomains,
        // The invited person must not look like somebody who gave the role to themselves.
        actorId: invitedBy,
        context,
        invitationId: invitation.id,
      });
      if (user.name) await stores.accounts.setAdministratorName(userId, user.name);
      await stores.audit.add({
        ...context,
        action: 'INVITATION_ACCEPTED',
        actorId: userId,
        targetType: 'INVITATION',
        targetId: invitation.id,
        details: {
          role,
          invitedBy,
          recipient: maskAddress(invitation.email),
          ...(removedKinds.length > 0 && { removedKinds }),
        },
      });
      await notifyInviter(stores, invitation, context);
      return stored;
    });

  return {
    /**
     * Creates the account with the role and a verified address, or takes over an unverified one, in one
     * transaction. @throws AppError 400 CODE_INVALID
     */
    accept: async (
      invitation: Invitation,
      user: NewUser,
      context: RequestContext,
    ): Promise<Administrator> => {
      const account = await createAdministrator(invitation, user, context);
      const { email, role } = invitation;
      // A stranger may have paused the account that was taken over.
      await guessLimits.clearFailures({ secret: 'password', account, email, device: { context } });
      return { id: account.userId, email, platformRole: role, createdAt: account.createdAt };
    },
  };
};

export type AcceptanceService = ReturnType<typeof createAcceptanceService>;
export type InvitedAdministrator = Administrator;
