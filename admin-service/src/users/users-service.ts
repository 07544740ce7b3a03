import { findPlatformRole, type PlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
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

export const createUserService = ({ stores: { users }, inTransaction }: Dependencies) => {
  const setBlocked = (
    id: string,
    isBlocked: boolean,
    { account }: AdminCaller,
    context: RequestContext,
  ): Promise<void> =>
    inTransaction(async (stores) => {
      const user = await stores.users.lock(id);
      if (isBlocked) requireBlockable(user);
      else requireUnblockable(user);
      await stores.users.setBlocked(id, isBlocked);
      await stores.audit.add({
        ...context,
        action: isBlocked ? 'USER_BLOCKED' : 'USER_UNBLOCKED',
        actorId: account.userId,
        targetType: 'USER',
        targetId: id,
      });
    });

  /**
   * For a user who has lost every factor. Nothing happens to a user without one.
   * @throws AppError 404, 403 OWN_SECOND_FACTOR
   */
  const removeSecondFactor = (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      const user = await stores.users.lock(id);
      requireOtherUser(user, account.userId);
      if (!(await stores.secondFactors.isEnabled(user.id))) return;
      await stores.secondFactors.remove(user.id);
      await stores.audit.add({
        ...context,
        action: 'SECOND_FACTOR_RESET',
        actorId: account.userId,
        targetType: 'USER',
        targetId: user.id,
      });
      await stores.outbox.add(
        {
          template: 'second-factor-changed',
          to: user.email,
          language: user.language,
          changedAt: new Date().toISOString(),
          change: 'reset-by-administrator',
        },
        context.requestId,
      );
    });

  const removePlatformRole = async (
    stores: Stores,
    user: LockedUser | undefined,
    actorId: string | undefined,
    context: RequestContext,
  ): Promise<PlatformRole> => {
    if (!user) throw userNotFound();
    const role = findPlatformRole(user.roles);
    if (!role) throw platformRoleNotFound();
    if (role === 'ADMIN') {
      // Otherwise two ADMINs could remove each other's role at once.
      await stores.users.lockAdministrators();
      if ((await stores.users.countAdministrators()) === 1) throw lastAdministrator();
    }
    await stores.users.removeRole(user.id, role);
    await stores.users.removeTokens(user.id);
    await stores.audit.add({
      ...context,
      action: 'ROLE_REMOVED',
      ...(actorId !== undefined && { actorId }),
      targetType: 'USER',
      targetId: user.id,
      details: { role },
    });
    const { email: to, language } = user;
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
    blockUser: (id: string, caller: AdminCaller, context: RequestContext): Promise<void> =>
      setBlocked(id, true, caller, context),

    /** @throws AppError 404, 400 USER_NOT_BLOCKED */
    unblockUser: (id: string, caller: AdminCaller, context: RequestContext): Promise<void> =>
      setBlocked(id, false, caller, context),

    removeSecondFactor,

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
