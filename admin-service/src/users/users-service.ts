import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Language } from '@platform/shared/mail/mail';
import type { Page, Paged } from '../lists/pagination.ts';
import type { InTransaction, Stores } from '../stores.ts';
import type { AdminCaller } from '../workspaces/workspace.ts';
import {
  requireBlockable,
  requireOtherUser,
  requireUnblockable,
  type User,
  type UserDetail,
  type UserFilter,
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
  const removeSecondFactor = (
    id: string,
    { account }: AdminCaller,
    { language, ...context }: RequestContext & { language: Language },
  ): Promise<void> =>
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
          language,
          changedAt: new Date().toISOString(),
          change: 'reset-by-administrator',
        },
        context.requestId,
      );
    });

  return {
    list: (filter: UserFilter, page: Page): Promise<Paged<User>> => users.list(filter, page),

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
  };
};

export type UserService = ReturnType<typeof createUserService>;
