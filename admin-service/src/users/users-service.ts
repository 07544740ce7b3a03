import { findPlatformRole, type PlatformRole } from '@platform/shared/access/platform-role';
import type { AuditAction, RequestContext } from '@platform/shared/audit/audit-log';
import type { InTransaction, Stores } from '../stores.ts';
import type { AdminCaller } from '../workspaces/workspace.ts';
import {
  type LockedUser,
  lastAdministrator,
  platformRoleNotFound,
  requireBlockable,
  requireOtherUser,
  requireUnblockable,
  type UserDetail,
  userNotFound,
} from './user.ts';

type Dependencies = { stores: Stores; inTransaction: InTransaction };

/** A change of a user; by nobody on the command line. */
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

export const createUserService = ({ stores: { users }, inTransaction }: Dependencies) => {
  const removePlatformRole = async (
    stores: Stores,
    user: LockedUser | undefined,
    actorId: string | undefined,
    context: RequestContext,
  ): Promise<PlatformRole> => {
    if (!user) throw userNotFound();
    const { id, email: to, language } = user;
    const role = findPlatformRole(user.roles);
    if (!role) throw platformRoleNotFound();
    if (role === 'ADMIN') {
      // Otherwise two ADMINs could remove each other's role at once.
      await stores.users.lockAdministrators();
      if ((await stores.users.countAdministrators()) === 1) throw lastAdministrator();
    }
    await stores.users.removeRole(id, role);
    await stores.users.removeTokens(id);
    await stores.audit.add({ ...toAuditRecord('ROLE_REMOVED', id, actorId, context), details: { role } });
    const changedAt = new Date().toISOString();
    await stores.outbox.add(
      { template: 'platform-role-removed', to, language, role, changedAt },
      context.requestId,
    );
    return role;
  };

  return {
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

    /**
     * For a user who has lost every factor. Nothing happens to a user without one.
     * @throws AppError 404, 403 OWN_SECOND_FACTOR
     */
    removeSecondFactor: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
      inTransaction(async (stores) => {
        const user = await stores.users.lock(id);
        requireOtherUser(user, account.userId);
        if (!(await stores.secondFactors.isEnabled(id))) return;
        await stores.secondFactors.remove(id);
        await stores.audit.add(toAuditRecord('SECOND_FACTOR_RESET', id, account.userId, context));
        const { email: to, language } = user;
        const changedAt = new Date().toISOString();
        await stores.outbox.add(
          { template: 'second-factor-changed', to, language, changedAt, change: 'reset-by-administrator' },
          context.requestId,
        );
      }),

    /** Ends all sessions of the user. @throws AppError 404: USER_NOT_FOUND, PLATFORM_ROLE_NOT_FOUND; 409 LAST_ADMINISTRATOR */
    removePlatformRole: async (id: string, actorId: string, context: RequestContext): Promise<void> => {
      await inTransaction(async (stores) =>
        removePlatformRole(stores, await stores.users.lock(id), actorId, context),
      );
    },

    /** The same on the command line. */
    removePlatformRoleByEmail: (email: string, context: RequestContext): Promise<PlatformRole> =>
      inTransaction(async (stores) => {
        const id = await stores.users.findId(email.toLowerCase());
        if (id === undefined) throw userNotFound();
        return await removePlatformRole(stores, await stores.users.lock(id), undefined, context);
      }),
  };
};

export type UserService = ReturnType<typeof createUserService>;
