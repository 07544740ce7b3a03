import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Page, Paged } from '../lists/pagination.ts';
import type { InTransaction, Stores } from '../stores.ts';
import type { AdminCaller } from '../workspaces/workspace.ts';
import {
  requireBlockable,
  requireUnblockable,
  type User,
  type UserDetail,
  type UserFilter,
  userNotFound,
} from './user.ts';

type Dependencies = { stores: Stores; inTransaction: InTransaction };

export const createUserService = ({ stores: { users }, inTransaction }: Dependencies) => ({
  list: (filter: UserFilter, page: Page): Promise<Paged<User>> => users.list(filter, page),

  /** @throws AppError 404 */
  getDetail: async (id: string): Promise<UserDetail> => {
    const user = await users.findDetail(id);
    if (!user) throw userNotFound();
    return user;
  },

  /** @throws AppError 404, 403 USER_IS_ADMIN, 400 USER_ALREADY_BLOCKED */
  blockUser: (id: string, { account }: AdminCaller, origin: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      requireBlockable(await stores.users.lock(id));
      await stores.users.setBlocked(id, true);
      await stores.audit.add({
        ...origin,
        action: 'USER_BLOCKED',
        actorId: account.userId,
        targetType: 'USER',
        targetId: id,
      });
    }),

  /** @throws AppError 404, 400 USER_NOT_BLOCKED */
  unblockUser: (id: string, { account }: AdminCaller, origin: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      requireUnblockable(await stores.users.lock(id));
      await stores.users.setBlocked(id, false);
      await stores.audit.add({
        ...origin,
        action: 'USER_UNBLOCKED',
        actorId: account.userId,
        targetType: 'USER',
        targetId: id,
      });
    }),
});

export type UserService = ReturnType<typeof createUserService>;
