import { isPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { FetchPage, List, Page, Searched } from '../lists/lists.ts';
import { inAnyForm, inLowerCase } from '../lists/search-scripts.ts';
import { toPattern, toPhoneDigits, toTerm, toWords } from '../lists/searches.ts';
import { toProfileName } from '../lists/user-name-scripts.ts';
import type { ListedRow, UserQuery, UserSort } from './user.ts';
import { PROFILES, USER_COLUMNS } from './user-column-scripts.ts';

const USERS: List = {
  name: 'users',
  from: 'users u',
  id: 'u.id',
  order: 'u.created_at',
  filters: {
    isBlocked: 'u.is_blocked = ?',
    isEmailVerified: 'u.is_email_verified = ?',
    createdFrom: 'u.created_at >= ?',
    createdUntil: 'u.created_at < ?',
    emailPattern: 'u.email like lower(?)',
    role: 'exists (select from user_roles r where r.user_id = u.id and r.role = ?)',
  },
  searched: [inLowerCase('u.email')],
  columns: USER_COLUMNS,
  joins: `join users u on u.id = page.id ${PROFILES}`,
};

/**
 * Postgres reads the roles by their index, which has the order of creation, and merges it with the index of another
 * filter. Without a filter it omits the join: so it counts 600,000 users with a role in a tenth of the time.
 */
const USERS_WITH_ROLE: List = {
  ...USERS,
  name: 'users-with-role',
  from: 'user_roles r left join users u on u.id = r.user_id and u.created_at = r.user_created_at',
  searchedAs: {
    from: 'user_roles r join users u on u.id = r.user_id',
    id: 'u.id',
    order: 'u.created_at',
  },
  id: 'r.user_id',
  order: 'r.user_created_at',
  filters: { ...USERS.filters, role: 'r.role = ?' },
};

/**
 * The few with a platform role are read by id and sorted. Postgres would look for them in the order of the list, where
 * they can come last: it does not know that they sign in at other times than the rest.
 */
const USERS_WITH_PLATFORM_ROLE: List = {
  ...USERS,
  name: 'users-with-platform-role',
  filters: {
    ...USERS.filters,
    role: 'u.id = any (array(select r.user_id from user_roles r where r.role = ?))',
  },
};

const SORTS: Readonly<Record<UserSort, Partial<List>>> = {
  '-createdAt': { isSearchedInOrder: true },
  createdAt: { direction: 'asc', isSearchedInOrder: true },
  '-lastSignInAt': { order: 'u.last_sign_in_at', direction: 'desc nulls last' },
  lastSignInAt: { order: 'u.last_sign_in_at', direction: 'asc nulls last' },
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

/** The tables with the names of people, with the conditions of their indexes. */
const NAMES = [
  { alias: 'c', table: 'customer_profiles', name: toProfileName('c'), condition: 'true' },
  { alias: 'e', table: 'employee_profiles', name: toProfileName('e'), condition: 'true' },
  { alias: 'named', table: 'user_roles', name: 'named.name', condition: 'named.name is not null' },
];

/** The statement has the digits as a literal, which is safe: `toPhoneDigits` returns nothing but 0 to 9. */
const toPhone =
  (profile: string, digits: string): Searched =>
  () =>
    `${profile}.phone is not null and regexp_replace(${profile}.phone, '[^0-9]', '', 'g') like '%${digits}%'`;

/** Searches the names as well, and the phone numbers if `q` is a part of one, and ignores accents. */
const withNames = (list: List, q: string): List => {
  const joins = list.searchedAs ? 'join user_roles r on r.user_id = u.id' : '';
  const digits = toPhoneDigits(q);
  return {
    ...list,
    searched: [inAnyForm('u.email')],
    searchedElsewhere: NAMES.map(({ alias, table, name, condition }) => ({
      searched: [
        inAnyForm(`search_text(${name})`),
        ...(digits !== undefined && table !== 'user_roles' ? [toPhone(alias, digits)] : []),
      ],
      from: `${table} ${alias} join users u on u.id = ${alias}.user_id and ${condition} ${joins}`,
      ofRow: `${table} ${alias} where ${alias}.user_id = u.id and ${condition}`,
    })),
  };
};

const toTables = (role: UserQuery['role'], isInOrderOfCreation: boolean, isSearch: boolean): List => {
  if (role === undefined) return USERS;
  if (isInOrderOfCreation) return USERS_WITH_ROLE;
  return isPlatformRole(role) && !isSearch ? USERS_WITH_PLATFORM_ROLE : USERS;
};

/** Only the lists that everybody opens are prepared. */
const toList = ({ sort = '-createdAt', ...query }: UserQuery, isSearch: boolean): List => {
  const { role, hasPlatformRole, isEmailVerified, createdFrom, createdUntil } = query;
  const isPlannedForValues =
    sort !== '-createdAt' ||
    [hasPlatformRole, isEmailVerified, createdFrom, createdUntil].some((value) => value !== undefined);
  const toFiltered = (list: List): List => ({
    ...(hasPlatformRole === undefined ? list : withPlatformRole(list, hasPlatformRole)),
    isPlannedForValues,
  });
  const order = SORTS[sort];
  return {
    ...toFiltered(toTables(role, order.order === undefined, isSearch)),
    ...order,
    countedAs: role && toFiltered(USERS_WITH_ROLE),
  };
};

export const createUserList = (fetchPage: FetchPage) => ({
  /** A search by name finds addresses, too. If both are given, the address is another condition. */
  list: (query: UserQuery): Promise<Page<ListedRow>> => {
    const { q, search, sort: _sort, hasPlatformRole: _hasPlatformRole, ...filters } = query;
    const words = toWords(q);
    const email = toTerm(search);
    const list = toList(query, words.length > 0 || email.length > 0);
    if (q === undefined || words.length === 0) return fetchPage(list, { ...filters, terms: email });
    const [emailPattern] = email.map(toPattern);
    return fetchPage(withNames(list, q), { ...filters, terms: words, emailPattern });
  },
});

export type UserList = ReturnType<typeof createUserList>;
