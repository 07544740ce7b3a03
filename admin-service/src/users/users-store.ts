import { lockUntilCommit } from '@platform/shared/db/advisory-locks';
import { type Database, query } from '@platform/shared/db/database';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { removeTokensOfUser } from '@platform/shared/platform/access/user-tokens';
import { PROFILE_COLUMNS, PROFILE_FIELDS, type Profile } from '@platform/shared/platform/profile';
import type { List } from '../lists/lists.ts';
import type { LockedUser, User, UserDetail, UserProject, UserWithProfiles } from './user.ts';

const ROLES = 'array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles';
const COLUMNS = `u.id, u.email, u.is_blocked, u.is_email_verified, u.created_at, u.updated_at, ${ROLES}`;

export const USERS: List = {
  name: 'users',
  from: 'users u',
  id: 'u.id',
  createdAt: 'u.created_at',
  filters: { isBlocked: 'u.is_blocked = ?' },
  searched: ['u.email'],
  columns: COLUMNS,
  joins: 'join users u on u.id = page.id',
};

/**
 * Postgres omits the left join if neither the filter nor the search needs it; otherwise it merges the two
 * indexes in list order.
 */
export const USERS_WITH_ROLE: List = {
  ...USERS,
  name: 'users-with-role',
  from: 'user_roles r left join users u on u.id = r.user_id and u.created_at = r.user_created_at',
  id: 'r.user_id',
  createdAt: 'r.user_created_at',
  filters: { isBlocked: 'u.is_blocked = ?', role: 'r.role = ?' },
};

/** Part of a left join, so that one statement returns users and profiles. */
const profileColumn = (kind: 'customer' | 'employee'): string => `
  case when ${kind}.id is not null then json_build_object('id', ${kind}.id, 'userId', u.id,
    ${Object.entries(PROFILE_COLUMNS)
      .map(([field, column]) => `'${field}', ${kind}.${column}`)
      .join(', ')},
    'createdAt', ${kind}.created_at, 'updatedAt', ${kind}.updated_at)
  end as ${kind}`;

const BY_IDS = `
  select u.id, u.email, u.is_email_verified, u.is_blocked, u.language, u.created_at, u.deleted_at, ${ROLES},
    ${profileColumn('customer')}, ${profileColumn('employee')}
  from unnest($1::uuid[]) with ordinality as asked (id, position)
  join users u on u.id = asked.id
  left join customer_profiles customer on customer.user_id = u.id
  left join employee_profiles employee on employee.user_id = u.id
  order by asked.position`;

type ProfileJson = Omit<Profile, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string>;
type UserRow = Omit<UserWithProfiles, 'profile'> & {
  customer: ProfileJson | null;
  employee: ProfileJson | null;
};

const toProfile = (profile: ProfileJson | null): Profile | null =>
  profile && {
    ...profile,
    createdAt: new Date(profile.createdAt),
    updatedAt: new Date(profile.updatedAt),
  };

export const createUserStore = (database: Database) => {
  const findUser = async (id: string): Promise<User | undefined> =>
    await database('users as u').where('u.id', id).first(database.raw(COLUMNS));
  const findProfile = async (table: 'customer_profiles' | 'employee_profiles', userId: string) => {
    const profile: Profile | undefined = await database(table)
      .where({ userId })
      .first('id', 'userId', ...PROFILE_FIELDS, 'createdAt', 'updatedAt');
    return profile ?? null;
  };
  const findProjects = async (ownerId: string): Promise<UserProject[]> =>
    await database('projects')
      .where({ ownerId })
      .whereNull('deletedAt')
      .select('id', 'title', 'status', 'category', 'createdAt')
      .orderBy([
        { column: 'createdAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);

  return {
    findDetail: async (id: string): Promise<UserDetail | undefined> => {
      const [user, customer, employee, projects] = await Promise.all([
        findUser(id),
        findProfile('customer_profiles', id),
        findProfile('employee_profiles', id),
        findProjects(id),
      ]);
      return user && { ...user, profile: { customer, employee }, projects };
    },

    /** Returns the users in the order of the ids, without unknown ones. */
    listByIds: async (ids: readonly string[]): Promise<UserWithProfiles[]> => {
      const statement = { name: 'users-by-ids', text: BY_IDS, values: [ids] };
      const rows = await query<UserRow>(database, statement);
      return rows.map(({ customer, employee, ...user }) => ({
        ...user,
        profile: { customer: toProfile(customer), employee: toProfile(employee) },
      }));
    },

    /**
     * Locks the user until the transaction ends. This serializes blocks, sign-ins, changes of roles and
     * second factors, and deletions. Undefined for a deleted user.
     */
    lock: async (id: string): Promise<LockedUser | undefined> => {
      await database('users').where({ id }).forNoKeyUpdate().select('id');
      // A statement sees the snapshot of its start, so a second statement reads the roles after the wait for
      // the lock.
      return await database('users as u')
        .where('u.id', id)
        .whereNull('u.deletedAt')
        .first(database.raw(`u.id, u.email, u.is_email_verified, u.is_blocked, u.language, ${ROLES}`));
    },

    findId: async (email: string): Promise<string | undefined> =>
      (await database('users').where({ email }).first('id'))?.id,

    /** Held until the transaction ends. The registration of the first ADMIN takes it, too. */
    lockAdministrators: async (): Promise<void> => {
      await lockUntilCommit(database, 'administrators');
    },

    /** Counts the administrators who are not blocked. */
    countUsableAdministrators: async (): Promise<number> =>
      (
        await database('user_roles as r')
          .join('users as u', 'u.id', 'r.userId')
          .where({ 'r.role': 'ADMIN', 'u.isBlocked': false })
          .select('r.userId')
      ).length,

    removeRole: async (userId: string, role: PlatformRole): Promise<void> => {
      await database('user_roles').where({ userId, role }).delete();
    },

    /**
     * Requires a transaction that has locked the user, who has no platform role. The e-mail can be used again
     * afterwards.
     */
    deleteAccount: async (id: string): Promise<void> => {
      const { rows } = await database.raw('select delete_account(?) as refusal', [id]);
      if (rows[0].refusal !== null) throw new Error(`The account cannot be deleted: ${rows[0].refusal}`);
    },

    removeTokens: (id: string): Promise<void> => removeTokensOfUser(database, id),

    setBlocked: async (id: string, isBlocked: boolean): Promise<void> => {
      await database('users').where({ id }).update({ isBlocked, updatedAt: database.fn.now() });
    },
  };
};

export type UserStore = ReturnType<typeof createUserStore>;
