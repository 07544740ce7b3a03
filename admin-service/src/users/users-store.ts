import { ADMINISTRATORS_LOCK, type PlatformRole } from '@platform/shared/access/platform-role';
import { removeTokensOfUser } from '@platform/shared/access/user-tokens';
import type { Database } from '@platform/shared/db/database';
import { fetchPage, type List, type ListFilter, type Page, type Paged } from '../lists/pagination.ts';
import type { LockedUser, Profile, User, UserDetail, UserFilter, UserProject } from './user.ts';

const ROLES = 'array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles';
const COLUMNS = `u.id, u.email, u.is_blocked, u.is_email_verified, u.created_at, u.updated_at, ${ROLES}`;
const PROFILE_COLUMNS = 'id, user_id, first_name, last_name, phone, created_at, updated_at';

const USERS: List = {
  table: 'users',
  alias: 'u',
  totals: 'user_totals',
  totalsCondition: "role = ''",
  columns: COLUMNS,
};

/** Roles have copies of their user's columns, in list order (20261205-role-lists.ts). */
const USERS_WITH_ROLE: List = {
  table: 'users',
  alias: 'u',
  keys: { table: 'user_roles', id: 'user_id', createdAt: 'user_created_at', searched: ['k.user_email'] },
  totals: 'user_totals',
  columns: COLUMNS,
};

const EMAIL = { columns: ['u.email'], combined: 'u.email', isLowerCase: true };

const toListFilter = ({ role, isBlocked, search }: UserFilter): ListFilter => ({
  equals: { role, is_blocked: isBlocked },
  search: search ? { text: EMAIL, term: search } : undefined,
});

export const createUserStore = (database: Database, lists: Database) => {
  const findProfile = async (table: 'customer_profiles' | 'employee_profiles', userId: string) => {
    const [profile] = await database.query<Profile>({
      name: `profile-of-user-${table}`,
      text: `select ${PROFILE_COLUMNS} from ${table} where user_id = $1`,
      values: [userId],
    });
    return profile ?? null;
  };

  return {
    list: (filter: UserFilter, page: Page): Promise<Paged<User>> =>
      fetchPage(lists, filter.role ? USERS_WITH_ROLE : USERS, toListFilter(filter), page),

    findDetail: async (id: string): Promise<UserDetail | undefined> => {
      const [[user], customer, employee, projects] = await Promise.all([
        database.query<User>({
          name: 'user-by-id',
          text: `select ${COLUMNS} from users u where u.id = $1`,
          values: [id],
        }),
        findProfile('customer_profiles', id),
        findProfile('employee_profiles', id),
        database.query<UserProject>({
          name: 'projects-of-user',
          text: `select id, title, status, category, created_at from projects
            where owner_id = $1 and deleted_at is null order by created_at desc, id desc`,
          values: [id],
        }),
      ]);
      return user && { ...user, profile: { customer, employee }, projects };
    },

    /**
     * Locks the user until the transaction ends, which serializes blocks, sign-ins, changes of roles and second factors,
     * and deletions. Undefined for a deleted user.
     */
    lock: async (id: string): Promise<LockedUser | undefined> => {
      await database.query({
        name: 'lock-user',
        text: 'select 1 from users where id = $1 for no key update',
        values: [id],
      });
      // A statement sees the snapshot of its start, so a second one reads the roles after the wait for the lock.
      const [user] = await database.query<LockedUser>({
        name: 'locked-user',
        text: `select u.id, u.email, u.is_blocked, u.language, ${ROLES} from users u where u.id = $1 and u.deleted_at is null`,
        values: [id],
      });
      return user;
    },

    findId: async (email: string): Promise<string | undefined> => {
      const [user] = await database.query<{ id: string }>({
        name: 'user-id-by-email',
        text: 'select id from users where email = $1',
        values: [email],
      });
      return user?.id;
    },

    /** Held until the transaction ends; the registration of the first ADMIN takes it too. */
    lockAdministrators: async (): Promise<void> => {
      await database.query({
        name: 'lock-administrators',
        text: 'select pg_advisory_xact_lock($1)',
        values: [ADMINISTRATORS_LOCK],
      });
    },

    countAdministrators: async (): Promise<number> => {
      const [row] = await database.query<{ count: number }>({
        name: 'count-administrators',
        text: `select count(*)::int as count from user_roles where role = 'ADMIN'`,
        values: [],
      });
      return row?.count ?? 0;
    },

    removeRole: async (id: string, role: PlatformRole): Promise<void> => {
      await database.query({
        name: 'remove-role',
        text: 'delete from user_roles where user_id = $1 and role = $2',
        values: [id, role],
      });
    },

    removeTokens: (id: string): Promise<void> => removeTokensOfUser(database, id),

    setBlocked: async (id: string, isBlocked: boolean): Promise<void> => {
      await database.query({
        name: 'set-blocked',
        text: 'update users set is_blocked = $2, updated_at = now() where id = $1',
        values: [id, isBlocked],
      });
    },
  };
};
