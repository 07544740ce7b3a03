import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole, type PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AuditAction, AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AdminCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import {
  type LockedUser,
  lastAdministrator,
  otherRoles,
  platformRoleNotFound,
  requireBlockable,
  requireOtherUser,
  requireUnblockable,
  type UserDetail,
  userNotFound,
} from './user.ts';
import type { UserStore } from './users-store.ts';

/** `erase`: also delete the account. */
type RoleRemoval = { actorId?: string; erase: boolean; context: RequestContext };

export type UserStores = {
  users: UserStore;
  secondFactors: SecondFactorStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

type Dependencies = { stores: Pick<UserStores, 'users'>; inTransaction: InTransaction<UserStores> };

/** A change of a user. On the command line there is no actor. */
const toAuditRecord = (
  action: AuditAction,
  targetId: string,
  actorId: string | undefined,
  context: RequestContext,
) => ({
  ...context,
  action,
  actorId,
  targetType: 'USER' as const,
  targetId,
});

const deleteAccount = async (
  { users, audit, outbox }: UserStores,
  { id, email: to, isEmailVerified, language }: LockedUser,
  { actorId, context }: RoleRemoval,
): Promise<void> => {
  await users.deleteAccount(id);
  await audit.add(toAuditRecord('ACCOUNT_DELETED', id, actorId, context));
  const deletedAt = new Date().toISOString();
  const mail = { template: 'account-deleted', to, language, isEmailVerified, deletedAt } as const;
  await outbox.add(mail, context.requestId, id);
};

const removePlatformRole = async (stores: UserStores, id: string, removal: RoleRemoval) => {
  const { actorId, erase, context } = removal;
  const user = await stores.users.lock(id);
  if (!user) throw userNotFound();
  const { email: to, isEmailVerified, language } = user;
  const role = findPlatformRole(user.roles);
  if (!role) throw platformRoleNotFound();
  if (role === 'ADMIN' && !user.isBlocked) {
    // Otherwise two ADMINs could remove each other's role at the same time.
    await stores.users.lockAdministrators();
    if ((await stores.users.countUsableAdministrators()) === 1) throw lastAdministrator();
  }
  if (erase && user.roles.length > 1) throw otherRoles();
  await stores.users.removeRole(id, role);
  await stores.audit.add({ ...toAuditRecord('ROLE_REMOVED', id, actorId, context), details: { role } });
  await (erase ? deleteAccount(stores, user, removal) : stores.users.removeTokens(id));
  const changedAt = new Date().toISOString();
  const mail = { template: 'platform-role-removed', to, language, isEmailVerified, role, changedAt } as const;
  await stores.outbox.add(mail, context.requestId, id);
  return role;
};

export const createUserService = ({ stores: { users }, inTransaction }: Dependencies) => ({
  /** @throws AppError 404 */
  getDetail: async (id: string): Promise<UserDetail> => {
    const user = await users.findDetail(id);
    if (!user) throw userNotFound();
    return user;
  },

  /** @throws AppError 404, 403 USER_IS_ADMIN, 400 USER_ALREADY_BLOCKED */
  blockUser: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      requireBlockable(await stores.users.lock(id));
      await stores.users.setBlocked(id, true);
      await stores.audit.add(toAuditRecord('USER_BLOCKED', id, account.userId, context));
    }),

  /** @throws AppError 404, 400 USER_NOT_BLOCKED */
  unblockUser: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      requireUnblockable(await stores.users.lock(id));
      await stores.users.setBlocked(id, false);
      await stores.audit.add(toAuditRecord('USER_UNBLOCKED', id, account.userId, context));
    }),

  /** Also ends the caller's own session if the user is the caller. @throws AppError 404 */
  endSessions: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      if (!(await stores.users.lock(id))) throw userNotFound();
      await stores.users.removeTokens(id);
      await stores.audit.add(toAuditRecord('SESSIONS_ENDED', id, account.userId, context));
    }),

  /**
   * For a user who has lost every factor. Does nothing for a user without a factor.
   * @throws AppError 404, 403 OWN_SECOND_FACTOR
   */
  removeSecondFactor: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      const user = await stores.users.lock(id);
      requireOtherUser(user, account.userId);
      if (!(await stores.secondFactors.isEnabled(id))) return;
      await stores.secondFactors.remove(id);
      await stores.audit.add(toAuditRecord('SECOND_FACTOR_RESET', id, account.userId, context));
      const { email: to, isEmailVerified, language } = user;
      const changedAt = new Date().toISOString();
      const mail = {
        template: 'second-factor-changed',
        to,
        language,
        isEmailVerified,
        changedAt,
        change: 'reset-by-administrator',
      } as const;
      await stores.outbox.add(mail, context.requestId, id);
    }),

  /**
   * Ends all sessions of the user.
   * @throws AppError 404 USER_NOT_FOUND, PLATFORM_ROLE_NOT_FOUND; 409 LAST_ADMINISTRATOR, then OTHER_ROLES
   */
  removePlatformRole: (id: string, removal: RoleRemoval): Promise<PlatformRole> =>
    inTransaction((stores) => removePlatformRole(stores, id, removal)),
});

export type UserService = ReturnType<typeof createUserService>;
