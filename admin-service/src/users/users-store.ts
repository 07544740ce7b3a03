import { type SearchWay, whereContains } from '@platform/admin-service/lists/substring-search';
import type { Database } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import type { Knex } from 'knex';
import {
  type CountedList,
  fetchNearPage,
  fetchPage,
  isNear,
  type Page,
  type Paged,
  selectTotal,
} from '../lists/pagination.ts';
import type { Profile, User, UserDetail, UserFilter, UserProject } from './user.ts';

const ROLES = 'array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles';
const COLUMNS = `u.id, u.email, u.is_blocked, u.is_email_verified, u.created_at, u.updated_at, ${ROLES}`;
const PROFILE_COLUMNS = 'id, user_id, first_name, last_name, phone, created_at, updated_at';

const COUNTED: CountedList = {
  table: 'users',
  as: 'u',
  totals: 'user_totals',
  alwaysOfTotals: "role = ''",
  columns: COLUMNS,
};

const filterUsers =
  ({ role, isBlocked, search }: UserFilter) =>
  (users: Knex.QueryBuilder, way: SearchWay): Knex.QueryBuilder => {
    if (isBlocked !== undefined) users.where('u.is_blocked', isBlocked);
    if (role !== undefined)
      users.whereExists((roles) =>
        roles.from('user_roles as f').whereRaw('f.user_id = u.id').where('f.role', role),
      );
    return search ? whereContains(users, { columns: ['u.email'], whole: 'u.email' }, search, way) : users;
  };

const totalOf = ({ role, isBlocked, search }: UserFilter): Knex.QueryBuilder | undefined =>
  search ? undefined : selectTotal('user_totals', { role: role ?? '', is_blocked: isBlocked });

export const createUserStore = (database: Database) => {
  const findProfile = async (table: 'customer_profiles' | 'employee_profiles', userId: string) => {
    const [profile] = await database.query<Profile>({
      name: `profile-of-user-${table}`,
      text: `select ${PROFILE_COLUMNS} from ${table} where user_id = $1`,
      values: [userId],
    });
    return profile ?? null;
  };

  return {
    list: (filter: UserFilter, page: Page): Promise<Paged<User>> => {
      const isSorted = filter.role === undefined && !filter.search;
      if (isSorted && isNear(page))
        return fetchNearPage(database, COUNTED, { is_blocked: filter.isBlocked }, page);
      const select = (users: Knex.QueryBuilder) => users.select(queryBuilder.raw(COLUMNS));
      const list = {
        table: 'users',
        as: 'u',
        filter: filterUsers(filter),
        total: totalOf(filter),
        isSorted,
        select,
      };
      return fetchPage(database, list, page);
    },

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

    /** Locks the user until the transaction ends: a block, a sign-in and a new role come one after another. */
    lock: async (id: string): Promise<{ isBlocked: boolean; roles: string[] } | undefined> => {
      await database.query({
        name: 'lock-user',
        text: 'select 1 from users where id = $1 for no key update',
        values: [id],
      });
      // A statement sees what was stored when it began, so the roles are read by one that begins after the wait.
      const [user] = await database.query<{ isBlocked: boolean; roles: string[] }>({
        name: 'locked-user',
        text: `select u.is_blocked, ${ROLES} from users u where u.id = $1`,
        values: [id],
      });
      return user;
    },

    setBlocked: async (id: string, isBlocked: boolean): Promise<void> => {
      await database.query({
        name: 'set-blocked',
        text: 'update users set is_blocked = $2, updated_at = now() where id = $1',
        values: [id, isBlocked],
      });
    },
  };
};

export type UserStore = ReturnType<typeof createUserStore>;
