import type { Secret } from '@platform/shared/config/secrets';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { deleteAccount } from '@platform/shared/platform/accounts/account-deletion';
import { createChangeUser } from '@platform/shared/platform/accounts/administrator-transaction';
import { withdrawInvitationsOf } from '@platform/shared/platform/accounts/invitations-of-inviter';
import { assignPlatformRole, removePlatformRole } from '@platform/shared/platform/accounts/platform-roles';
import { requireRoleGrantAllowed } from '@platform/shared/platform/accounts/role-grants';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AsAdministrator } from '../infrastructure.ts';
import { mapPage } from '../lists/lists.ts';
import {
  requireBlockable,
  requireUnblockable,
  sessionNotFound,
  toListedUser,
  toPausedAddress,
  toUserDetail,
  type UserDetail,
  type UserQuery,
  type UserSession,
  type UserWithProfiles,
} from './user.ts';
import type { UserList } from './user-list-store.ts';
import type { UserSessionStore } from './user-sessions-store.ts';
import type { UserStore } from './users-store.ts';

export type UserStores = {
  accountChanges: AccountChangeStore;
  users: UserStore;
  userSessions: UserSessionStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

export type UserLists = { users: UserList };

export type UserConfig = {
  adminAllowedDomains: readonly string[];
  secondFactorRequiredFor: readonly PlatformRole[];
  codeSecret: Secret;
};

type Dependencies = {
  stores: Pick<UserStores, 'users' | 'userSessions'>;
  lists: UserLists;
  asAdministrator: AsAdministrator<UserStores>;
  /** The new address of a requested change must not outlive the account. */
  removePendingChange: (userId: string) => Promise<void>;
  config: UserConfig;
};

const toTarget = (id: string) => ({ targetType: 'USER', targetId: id }) as const;

/** For the functions that the commands on the server share, which have no actor. */
const toChange = ({ administrator: { userId: actorId }, context }: ByAdministrator) => ({ actorId, context });

export const createUserService = (dependencies: Dependencies) => {
  const { stores, lists, asAdministrator, removePendingChange, config } = dependencies;
  const [hash] = createKeyedHashes(config.codeSecret);
  const changeUser = createChangeUser(asAdministrator);

  /** @throws AppError 404 */
  const getDetail = async ({ users }: Pick<UserStores, 'users'>, id: string): Promise<UserDetail> => {
    const user = await users.findDetail(id);
    if (!user) throw userNotFound();
    const pauses = await users.listPauses(id, toPausedAddress(user, hash));
    return toUserDetail(user, pauses, config.secondFactorRequiredFor);
  };

  return {
    list: async (query: UserQuery) =>
      mapPage(await lists.users.list(query), (user) => toListedUser(user, config.secondFactorRequiredFor)),

    /** Returns the users in the order of the ids, deleted ones included, without unknown ones. */
    listByIds: (ids: readonly string[]): Promise<UserWithProfiles[]> => stores.users.listByIds(ids),

    listByEmail: (email: string): Promise<UserWithProfiles[]> => stores.users.listByEmail(email),

    /** Null without a name. */
    findName: (id: string): Promise<string | null> => stores.users.findName(id),

    /** @throws AppError 404 */
    getDetail: (id: string): Promise<UserDetail> => getDetail(stores, id),

    /** @throws AppError 404, 403 USER_IS_ADMIN, 400 USER_ALREADY_BLOCKED */
    blockUser: (id: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async (stores, user) => {
        requireBlockable(user);
        await stores.users.setBlocked(id, true);
        await stores.audit.add(toAuditRecord(by, 'USER_BLOCKED', toTarget(id)));
        await withdrawInvitationsOf(stores, id, { reason: 'inviter-blocked', ...toChange(by) });
      }),

    /** @throws AppError 404, 400 USER_NOT_BLOCKED */
    unblockUser: (id: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async (stores, user) => {
        requireUnblockable(user);
        await stores.users.setBlocked(id, false);
        await stores.audit.add(toAuditRecord(by, 'USER_UNBLOCKED', toTarget(id)));
      }),

    /** The sessions that are signed in, the latest sign-in first. @throws AppError 404 */
    listSessions: async (id: string): Promise<UserSession[]> => {
      await stores.users.requireKept(id);
      return await stores.userSessions.listByUser(id);
    },

    /** @throws AppError 404 USER_NOT_FOUND, SESSION_NOT_FOUND */
    endSession: (id: string, sessionId: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async ({ userSessions, audit }) => {
        if (!(await userSessions.removeTokens(id, sessionId))) throw sessionNotFound();
        const details = { sessionId: sessionId.toLowerCase() };
        await audit.add(toAuditRecord(by, 'SESSION_ENDED', toTarget(id), details));
      }),

    /** Also ends the caller's own session if the user is the caller. @throws AppError 404 */
    endSessions: (id: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async ({ accountChanges, audit }) => {
        const count = await accountChanges.removeTokens(id);
        await audit.add(toAuditRecord(by, 'SESSIONS_ENDED', toTarget(id), { count }));
      }),

    /** @throws AppError 404, 409 PLATFORM_ROLE_TAKEN, LAST_TEAM_ADMINISTRATOR */
    deleteUser: async (id: string, by: ByAdministrator): Promise<void> => {
      await changeUser(id, by, async (stores) => {
        if (!(await deleteAccount(stores, id, toChange(by)))) throw userNotFound();
      });
      await removePendingChange(id);
    },

    /**
     * Ends all sessions of the user.
     * @throws AppError 429 RATE_LIMITED, 404 USER_NOT_FOUND, then the errors of assignPlatformRole
     */
    assignPlatformRole: (id: string, role: PlatformRole, by: ByAdministrator): Promise<UserDetail> =>
      asAdministrator(
        by,
        async (stores, { administrator: giver, user }) => {
          await requireRoleGrantAllowed(stores, giver.id);
          if (!user) throw userNotFound();
          const assignment = { role, allowedDomains: config.adminAllowedDomains, giver, ...toChange(by) };
          await assignPlatformRole(stores, user, assignment);
          return await getDetail(stores, id);
        },
        id,
      ),

    /**
     * Ends all sessions of the user. `erase`: also delete the account.
     * @throws AppError 404 USER_NOT_FOUND, then the errors of removePlatformRole
     */
    removePlatformRole: async (id: string, erase: boolean, by: ByAdministrator): Promise<void> => {
      await changeUser(id, by, (stores, user) =>
        removePlatformRole(stores, user, { erase, ...toChange(by) }),
      );
      if (erase) await removePendingChange(id);
    },
  };
};

export type UserService = ReturnType<typeof createUserService>;
