import type { RequestContext } from '../../http/request-context.ts';
import { findPlatformRole, isPlatformRole, type PlatformRole } from '../access/platform-role.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { MailOutbox } from '../mail/mail-outbox.ts';
import {
  type LockedAccount,
  lastAdministrator,
  otherRoles,
  platformRoleNotFound,
  platformRoleTaken,
  requireAllowedDomain,
  requireVerifiedEmail,
  userIsBlocked,
} from './account.ts';
import type { AccountChangeStore } from './account-changes-store.ts';
import { deleteAccount } from './account-deletion.ts';
import { withdrawInvitationsOf } from './invitations-of-inviter.ts';
import { toRoleGivenMail } from './role-grants.ts';

// How an account gets and loses a platform role: behind `npm run role:assign` and `role:remove`, the
// operations of the back office, and invitations. The caller has locked the account.

type Stores = { accountChanges: AccountChangeStore; audit: AuditLog; outbox: MailOutbox };

type RoleChange = {
  /** The user who acts; absent on the command line. */
  actorId?: string | undefined;
  context: RequestContext;
};

type Assignment = RoleChange & {
  role: PlatformRole;
  allowedDomains: readonly string[];
  /** The ADMIN who gives the role, and gets a mail; nobody on the command line. */
  giver?: LockedAccount;
  /**
   * The accepted invitation: it counted towards the limit of its inviter when it was sent, and its acceptance
   * mails the inviter.
   */
  invitationId?: string;
};

/** `erase`: also delete the account. */
type Removal = RoleChange & { erase: boolean };

const toAudit = (
  action: 'ROLE_ASSIGNED' | 'ROLE_REMOVED',
  targetId: string,
  { actorId, context }: RoleChange,
  details: { role: PlatformRole; invitationId?: string },
) => ({ ...context, action, actorId, targetType: 'USER', targetId, details }) as const;

const toNotice = ({ email: to, language, isEmailVerified }: LockedAccount, role: PlatformRole) => ({
  to,
  language,
  isEmailVerified,
  role,
  changedAt: new Date().toISOString(),
});

/**
 * Ends the sessions of the account. Its e-mail must be verified, because a sign-up does not prove that the
 * user owns the mailbox.
 * @throws AppError in this order: 409 PLATFORM_ROLE_TAKEN, USER_IS_BLOCKED, 403 EMAIL_NOT_VERIFIED,
 * DOMAIN_NOT_ALLOWED
 */
export const assignPlatformRole = async (
  { accountChanges, audit, outbox }: Stores,
  account: LockedAccount,
  { role, allowedDomains, giver, invitationId, ...by }: Assignment,
): Promise<void> => {
  if (account.roles.some(isPlatformRole)) throw platformRoleTaken();
  if (account.isBlocked) throw userIsBlocked();
  requireVerifiedEmail(account);
  requireAllowedDomain(account.email, allowedDomains);
  await accountChanges.addRole(account.id, role);
  await accountChanges.removeTokens(account.id);
  const details = { role, ...(invitationId !== undefined && { invitationId }) };
  await audit.add(toAudit('ROLE_ASSIGNED', account.id, by, details));
  if (invitationId !== undefined) return;
  const notice = toNotice(account, role);
  await outbox.add({ template: 'platform-role-assigned', ...notice }, by.context.requestId, account.id);
  if (!giver) return;
  const mail = toRoleGivenMail(giver, { ...notice, email: account.email });
  await outbox.add(mail, by.context.requestId, giver.id);
};

/**
 * Ends the sessions of the account, and returns the role.
 * @throws AppError in this order: 404 PLATFORM_ROLE_NOT_FOUND, 409 LAST_ADMINISTRATOR, OTHER_ROLES
 */
export const removePlatformRole = async (
  stores: Stores,
  account: LockedAccount,
  { erase, ...by }: Removal,
): Promise<PlatformRole> => {
  const { accountChanges, audit, outbox } = stores;
  const role = findPlatformRole(account.roles);
  if (!role) throw platformRoleNotFound();
  if (role === 'ADMIN' && !account.isBlocked) {
    // Otherwise two ADMINs could remove each other's role at the same time.
    await accountChanges.lockAdministrators();
    if ((await accountChanges.countUsableAdministrators()) === 1) throw lastAdministrator();
  }
  if (erase && account.roles.length > 1) throw otherRoles();
  await accountChanges.removeRole(account.id, role);
  await audit.add(toAudit('ROLE_REMOVED', account.id, by, { role }));
  await withdrawInvitationsOf(stores, account.id, { reason: 'inviter-role-removed', ...by });
  await (erase ? deleteAccount(stores, account.id, by) : accountChanges.removeTokens(account.id));
  const mail = { template: 'platform-role-removed', ...toNotice(account, role) } as const;
  await outbox.add(mail, by.context.requestId, account.id);
  return role;
};
