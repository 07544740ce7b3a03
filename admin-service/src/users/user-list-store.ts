import { isPlatformRole } from '@platform/shared/platform/access/platform-role';
import { type FetchPage, type List, type Page, toPattern } from '../lists/lists.ts';
import { toProfileName } from '../lists/user-name-scripts.ts';
import type { ListedUser, UserQuery, UserSort } from './user.ts';
import { PROFILES, USER_COLUMNS } from './user-column-scripts.ts';

const USERS: List = {
  name: 'users',
  from: 'users u',
  id: 'u.id',
  createdAt: 'u.created_at',
  filters: {
    isBlocked: 'u.is_blocked = ?',
    isEmailVerified: 'u.is_email_verified = ?',
    createdFrom: 'u.created_at >= ?',
    createdUntil: 'u.created_at < ?',
    emailPattern: 'u.email like lower(?)',
  },
  searched: ['u.email'],
  textIndexedBy: 'u.created_at',
  isLowerCase: true,
  columns: USER_COLUMNS,
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
  searchedAs: {
    from: 'user_roles r join users u on u.id = r.user_id',
    id: 'u.id',
    createdAt: 'u.created_at',
  },
  leadingFilter: 'role',
  id: 'r.user_id',
  createdAt: 'r.user_created_at',
  filters: { ...USERS.filters, role: 'r.role = ?' },
};

/** For a frequent role, Postgres takes the first of the list that have it; for a rare one it sorts its holders. */
const USERS_IN_ANY_ORDER: List = {
  ...USERS,
  name: 'users-in-any-order',
  filters: {
    ...USERS.filters,
    role: 'exists (select from user_roles r where r.user_id = u.id and r.role = ?)',
  },
  isPlannedForValues: true,
};

/**
 * For a platform role, which few have, their rows are read by id and sorted. Postgres would look for them in the
 * order of the list, where they can come last: it does not know that they sign in at other times than the rest.
 */
const COLLEAGUES_IN_ANY_ORDER: List = {
  ...USERS_IN_ANY_ORDER,
  name: 'colleagues-in-any-order',
  filters: {
    ...USERS.filters,
    role: 'u.id = any (array(select r.user_id from user_roles r where r.role = ?))',
  },
};

const SORTS: Readonly<Record<UserSort, Partial<List>>> = {
  '-createdAt': {},
  createdAt: { direction: 'asc' },
  '-lastSignInAt': { createdAt: 'u.last_sign_in_at', direction: 'desc nulls last' },
  lastSignInAt: { createdAt: 'u.last_sign_in_at', direction: 'asc nulls last' },
};

const COLLEAGUES = `select p.user_id from user_roles p where p.role in ('ADMIN', 'OPERATOR', 'ARBITER')`;
/** A filter by value would not find the few colleagues by their index. */
const withPlatformRole = (list: List, hasPlatformRole: boolean): List => ({
  ...list,
  name: `${list.name}-${hasPlatformRole ? 'colleagues' : 'others'}`,
  condition: hasPlatformRole
    ? `${list.id} in (${COLLEAGUES})`
    : `not exists (${COLLEAGUES} and p.user_id = ${list.id})`,
});

/** The texts of names, with their tables; each has an index. */
const NAMES = [
  { alias: 'c', table: 'customer_profiles', text: toProfileName('c'), condition: 'true' },
  { alias: 'e', table: 'employee_profiles', text: toProfileName('e'), condition: 'true' },
  { alias: 'named', table: 'user_roles', text: 'named.name', condition: 'named.name is not null' },
];

/** Also searches the names, and ignores accents. */
const withNames = (list: List): List => {
  const joins = list.id === 'r.user_id' ? 'join user_roles r on r.user_id = u.id' : '';
  return {
    ...list,
    ignoresAccents: true,
    searchedElsewhere: NAMES.map(({ alias, table, text, condition }) => ({
      column: `search_key(${text})`,
      from: `${table} ${alias} join users u on u.id = ${alias}.user_id and ${condition} ${joins}`,
      ofRow: `${table} ${alias} where ${alias}.user_id = u.id and ${condition}`,
    })),
  };
};

/** The lists that release 1.0.0 had are prepared. */
const toList = ({ sort = '-createdAt', hasPlatformRole, role, q, search, ...filters }: UserQuery): List => {
  const { isEmailVerified, createdFrom, createdUntil } = filters;
  const isPrepared =
    sort === '-createdAt' &&
    [hasPlatformRole, isEmailVerified, createdFrom, createdUntil].every((value) => value === undefined);
  if (isPrepared) return role === undefined ? USERS : USERS_WITH_ROLE;
  const isOfColleagues = isPlatformRole(role) && !q && !search;
  const list = { ...(isOfColleagues ? COLLEAGUES_IN_ANY_ORDER : USERS_IN_ANY_ORDER), ...SORTS[sort] };
  return hasPlatformRole === undefined ? list : withPlatformRole(list, hasPlatformRole);
};

export const createUserList = (fetchPage: FetchPage) => ({
  /** A search by name finds addresses, too. If both are given, the address is another condition. */
  list: (query: UserQuery): Promise<Page<ListedUser>> => {
    const { q, search, sort: _sort, hasPlatformRole: _hasPlatformRole, ...filters } = query;
    const list = toList(query);
    const name = q?.trim();
    if (!name) return fetchPage(list, { ...filters, search });
    const email = search?.trim();
    const emailPattern = email ? toPattern(email) : undefined;
    return fetchPage(withNames(list), { ...filters, search: name, emailPattern });
  },
});

export type UserList = ReturnType<typeof createUserList>;
