import type { RequestContext } from '@platform/shared/http/request-context';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { deleteAccount } from '@platform/shared/platform/accounts/account-deletion';
import { withdrawInvitationsOf } from '@platform/shared/platform/accounts/invitations-of-inviter';
import { assignPlatformRole, removePlatformRole } from '@platform/shared/platform/accounts/platform-roles';
import type { AuditAction, AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AdminCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import {
  requireBlockable,
  requireOtherUser,
  requireUnblockable,
  sessionNotFound,
  type UserDetail,
  type UserSession,
} from './user.ts';
import type { UserSessionStore } from './user-sessions-store.ts';
import type { UserStore } from './users-store.ts';

/** `erase`: also delete the account. */
type RoleRemoval = { actorId?: string; erase: boolean; context: RequestContext };

export type UserStores = {
  accountChanges: AccountChangeStore;
  users: UserStore;
  userSessions: UserSessionStore;
  secondFactors: SecondFactorStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

type Dependencies = {
  stores: Pick<UserStores, 'users' | 'userSessions'>;
  inTransaction: InTransaction<UserStores>;
  /** The new address of a requested change must not outlive the account. */
  removePendingChange: (userId: string) => Promise<void>;
  config: { adminAllowedDomains: readonly string[] };
};

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

/** @throws AppError 404 */
const getDetail = async ({ users }: Pick<UserStores, 'users'>, id: string): Promise<UserDetail> => {
  const user = await users.findDetail(id);
  if (!user) throw userNotFound();
  return user;
};

export const createUserService = ({
  stores,
  inTransaction,
  removePendingChange,
  config: { adminAllowedDomains: allowedDomains },
}: Dependencies) => ({
  /** @throws AppError 404 */
  getDetail: (id: string): Promise<UserDetail> => getDetail(stores, id),

  /** @throws AppError 404, 403 USER_IS_ADMIN, 400 USER_ALREADY_BLOCKED */
  blockUser: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      requireBlockable(await stores.accountChanges.lock(id));
      await stores.users.setBlocked(id, true);
      await stores.audit.add(toAuditRecord('USER_BLOCKED', id, account.userId, context));
      const withdrawal = { reason: 'inviter-blocked', actorId: account.userId, context } as const;
      await withdrawInvitationsOf(stores, id, withdrawal);
    }),

  /** @throws AppError 404, 400 USER_NOT_BLOCKED */
  unblockUser: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      requireUnblockable(await stores.accountChanges.lock(id));
      await stores.users.setBlocked(id, false);
      await stores.audit.add(toAuditRecord('USER_UNBLOCKED', id, account.userId, context));
    }),

  /** The sessions that are signed in, the latest sign-in first. @throws AppError 404 */
  listSessions: async (id: string): Promise<UserSession[]> => {
    await stores.users.requireKept(id);
    return await stores.userSessions.listByUser(id);
  },

  /** @throws AppError 404 USER_NOT_FOUND, SESSION_NOT_FOUND */
  endSession: (
    id: string,
    sessionId: string,
    { account }: AdminCaller,
    context: RequestContext,
  ): Promise<void> =>
    inTransaction(async ({ accountChanges, userSessions, audit }) => {
      if (!(await accountChanges.lock(id))) throw userNotFound();
      if (!(await userSessions.removeTokens(id, sessionId))) throw sessionNotFound();
      const record = toAuditRecord('SESSION_ENDED', id, account.userId, context);
      await audit.add({ ...record, details: { sessionId: sessionId.toLowerCase() } });
    }),

  /** Also ends the caller's own session if the user is the caller. @throws AppError 404 */
  endSessions: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      if (!(await stores.accountChanges.lock(id))) throw userNotFound();
      await stores.accountChanges.removeTokens(id);
      await stores.audit.add(toAuditRecord('SESSIONS_ENDED', id, account.userId, context));
    }),

  /** @throws AppError 404, 409 PLATFORM_ROLE_TAKEN, LAST_TEAM_ADMINISTRATOR */
  deleteUser: async (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> => {
    await inTransaction(async (stores) => {
      const user = await stores.accountChanges.lock(id);
      if (!user || !(await deleteAccount(stores, id, { actorId: account.userId, context })))
        throw userNotFound();
    });
    await removePendingChange(id);
  },

  /**
   * For a user who has lost every factor. Does nothing for a user without a factor.
   * @throws AppError 404, 403 OWN_SECOND_FACTOR
   */
  removeSecondFactor: (id: string, { account }: AdminCaller, context: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      const user = await stores.accountChanges.lock(id);
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
   * Ends all sessions of the user. @throws AppError 404 USER_NOT_FOUND, then the errors of assignPlatformRole
   */
  assignPlatformRole: (
    id: string,
    role: PlatformRole,
    { account: { userId: actorId } }: AdminCaller,
    context: RequestContext,
  ): Promise<UserDetail> =>
    inTransaction(async (stores) => {
      const user = await stores.accountChanges.lock(id);
      if (!user) throw userNotFound();
      await assignPlatformRole(stores, user, { role, allowedDomains, actorId, context });
      return await getDetail(stores, id);
    }),

  /** Ends all sessions of the user. @throws AppError 404 USER_NOT_FOUND, then the errors of removePlatformRole */
  removePlatformRole: async (id: string, removal: RoleRemoval): Promise<PlatformRole> => {
    const role = await inTransaction(async (stores) => {
      const user = await stores.accountChanges.lock(id);
      if (!user) throw userNotFound();
      return await removePlatformRole(stores, user, removal);
    });
    if (removal.erase) await removePendingChange(id);
    return role;
  },
});

export type UserService = ReturnType<typeof createUserService>;
