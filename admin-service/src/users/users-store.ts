import { type Database, query } from '@platform/shared/db/database';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import { PROFILE_COLUMNS, type Profile } from '@platform/shared/platform/profile';
import { type FetchPage, type List, type Page, toPattern } from '../lists/lists.ts';
import { toNameOf, toProfileName, toUserName } from '../lists/user-name-scripts.ts';
import type { StoredUserDetail, User, UserDetail, UserProject, UserQuery, UserWithProfiles } from './user.ts';

const ROLES = 'array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles';
/** Requires the aliases of PROFILES. */
const NAME = `${toUserName('c', 'e', 'u.id')} as name`;
const COLUMNS = `u.id, u.email, ${NAME}, u.is_blocked, u.is_email_verified, ${ROLES}, u.last_sign_in_at, u.created_at, u.updated_at`;
const PROFILES = `left join customer_profiles c on c.user_id = u.id left join employee_profiles e on e.user_id = u.id`;

const USERS: List = {
  name: 'users',
  from: 'users u',
  id: 'u.id',
  createdAt: 'u.created_at',
  filters: { isBlocked: 'u.is_blocked = ?', emailPattern: 'u.email ilike ?' },
  searched: ['u.email'],
  columns: COLUMNS,
  joins: `join users u on u.id = page.id ${PROFILES}`,
};

/**
 * Postgres omits the left join if neither the filter nor the search needs it; otherwise it merges the two
 * indexes in list order.
 */
const USERS_WITH_ROLE: List = {
  ...USERS,
  name: 'users-with-role',
  from: 'user_roles r left join users u on u.id = r.user_id and u.created_at = r.user_created_at',
  id: 'r.user_id',
  createdAt: 'r.user_created_at',
  filters: { ...USERS.filters, role: 'r.role = ?' },
};

/** The texts of names, with their tables; each has an index. */
const NAMES = [
  { alias: 'c', table: 'customer_profiles', text: toProfileName('c'), condition: 'true' },
  { alias: 'e', table: 'employee_profiles', text: toProfileName('e'), condition: 'true' },
  { alias: 'named', table: 'user_roles', text: 'named.name', condition: 'named.name is not null' },
];

/** Also searches the names, and ignores accents. `joins` leads from the users to the other tables of the list. */
const withNames = (list: List, joins = ''): List => ({
  ...list,
  ignoresAccents: true,
  searchedElsewhere: NAMES.map(({ alias, table, text, condition }) => ({
    column: `search_key(${text})`,
    from: `${table} ${alias} join users u on u.id = ${alias}.user_id and ${condition} ${joins}`,
    ofRow: `${table} ${alias} where ${alias}.user_id = u.id and ${condition}`,
  })),
});

const USERS_BY_NAME = withNames(USERS);
const USERS_WITH_ROLE_BY_NAME = withNames(USERS_WITH_ROLE, 'join user_roles r on r.user_id = u.id');

export const createUserList = (fetchPage: FetchPage) => ({
  /** A search by name finds addresses, too. If both are given, the address is another condition. */
  list: ({ q, search, ...filters }: UserQuery): Promise<Page<User>> => {
    const hasRole = filters.role !== undefined;
    const name = q?.trim();
    if (!name) return fetchPage(hasRole ? USERS_WITH_ROLE : USERS, { ...filters, search });
    const email = search?.trim();
    const emailPattern = email ? toPattern(email) : undefined;
    const list = hasRole ? USERS_WITH_ROLE_BY_NAME : USERS_BY_NAME;
    return fetchPage(list, { ...filters, search: name, emailPattern });
  },
});

export type UserList = ReturnType<typeof createUserList>;

/** Part of a left join, so that one statement returns users and profiles. */
const profileColumn = (kind: 'customer' | 'employee', profile: 'c' | 'e'): string => `
  case when ${profile}.id is not null then json_build_object('id', ${profile}.id, 'userId', u.id,
    ${Object.entries(PROFILE_COLUMNS)
      .map(([field, column]) => `'${field}', ${profile}.${column}`)
      .join(', ')},
    'createdAt', ${profile}.created_at, 'updatedAt', ${profile}.updated_at)
  end as ${kind}`;
const PROFILE_BODIES = `${profileColumn('customer', 'c')}, ${profileColumn('employee', 'e')}`;

const FOUND_COLUMNS = `u.id, u.email, u.is_email_verified, u.is_blocked, u.language, u.created_at, u.deleted_at, ${ROLES},
  ${PROFILE_BODIES}`;
const BY_IDS = `
  select ${FOUND_COLUMNS} from unnest($1::uuid[]) with ordinality as asked (id, position)
  join users u on u.id = asked.id ${PROFILES}
  order by asked.position`;
const BY_EMAIL = `select ${FOUND_COLUMNS} from users u ${PROFILES} where u.email = lower($1)`;

const DETAIL = `
  select ${COLUMNS}, u.language, ${PROFILE_BODIES},
    user_has_password(u.id) as has_password,
    exists (select from totp_factors f where f.user_id = u.id and f.enabled_at is not null) as totp,
    (select count(*) from passkeys k where k.user_id = u.id)::int as passkeys,
    (select count(*) from recovery_codes k where k.user_id = u.id)::int as recovery_codes_left, u.is_second_step_on
  from users u ${PROFILES} where u.id = $1`;

const PAUSES = `
  select case secret when 'code' then 'email-code' else secret end as secret, waits_until as until
  from failed_guesses where subject = $1::text and scope = 'account' and waits_until > now() order by secret`;

type ProfileJson = Omit<Profile, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string>;
type UserRow = Omit<UserWithProfiles, 'profile'> & {
  customer: ProfileJson | null;
  employee: ProfileJson | null;
};

type DetailRow = User &
  Pick<UserDetail, 'language' | 'hasPassword'> &
  StoredUserDetail['secondFactors'] & { customer: ProfileJson | null; employee: ProfileJson | null };

const toProfile = (profile: ProfileJson | null): Profile | null =>
  profile && {
    ...profile,
    createdAt: new Date(profile.createdAt),
    updatedAt: new Date(profile.updatedAt),
  };

const toFound = ({ customer, employee, ...user }: UserRow): UserWithProfiles => ({
  ...user,
  profile: { customer: toProfile(customer), employee: toProfile(employee) },
});

export const createUserStore = (database: Database) => {
  const listProjects = async (ownerId: string): Promise<UserProject[]> =>
    await database('projects')
      .where({ ownerId })
      .whereNull('deletedAt')
      .select('id', 'title', 'status', 'category', 'createdAt')
      .orderBy([
        { column: 'createdAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
  const listTeams = async (userId: string): Promise<UserDetail['teams']> =>
    await database('team_members as m')
      .join('employee_profiles as e', 'e.id', 'm.employeeId')
      .join('teams as t', 't.id', 'm.teamId')
      .where('e.userId', userId)
      .select('t.id', 't.name', 'm.role', 'm.status')
      .orderBy(['t.name', 't.id']);
  const listIdentities = async (userId: string): Promise<UserDetail['identities']> =>
    await database('identities')
      .where({ userId })
      .select('provider', 'email', 'linkedAt', 'lastUsedAt')
      .orderBy(['linkedAt', 'provider']);
  const listPauses = (userId: string): Promise<UserDetail['pauses']> =>
    query(database, { name: 'pauses-of-user', text: PAUSES, values: [userId] });

  return {
    findDetail: async (id: string): Promise<StoredUserDetail | undefined> => {
      const [[user], projects, teams, identities, pauses] = await Promise.all([
        query<DetailRow>(database, { name: 'user-detail', text: DETAIL, values: [id] }),
        listProjects(id),
        listTeams(id),
        listIdentities(id),
        listPauses(id),
      ]);
      if (!user) return undefined;
      const { customer, employee, totp, passkeys, recoveryCodesLeft, isSecondStepOn, ...fields } = user;
      return {
        ...fields,
        profile: { customer: toProfile(customer), employee: toProfile(employee) },
        secondFactors: { totp, passkeys, recoveryCodesLeft, isSecondStepOn },
        projects,
        teams,
        identities,
        pauses,
      };
    },

    findName: async (id: string): Promise<string | null> =>
      (
        await database('users as u')
          .where({ id })
          .first(database.raw(`${toNameOf('u.id')} as name`))
      )?.name ?? null,

    /** @throws AppError 404 for an unknown or deleted user */
    requireKept: async (id: string): Promise<void> => {
      if (!(await database('users').where({ id, deletedAt: null }).first('id'))) throw userNotFound();
    },

    /** Returns the users in the order of the ids, without unknown ones. */
    listByIds: async (ids: readonly string[]): Promise<UserWithProfiles[]> =>
      (await query<UserRow>(database, { name: 'users-by-ids', text: BY_IDS, values: [ids] })).map(toFound),

    /** The address in any letter case, verified or not. */
    listByEmail: async (email: string): Promise<UserWithProfiles[]> =>
      (await query<UserRow>(database, { name: 'users-by-email', text: BY_EMAIL, values: [email] })).map(
        toFound,
      ),

    setBlocked: async (id: string, isBlocked: boolean): Promise<void> => {
      await database('users').where({ id }).update({ isBlocked, updatedAt: database.fn.now() });
    },
  };
};

export type UserStore = ReturnType<typeof createUserStore>;
