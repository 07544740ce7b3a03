import { createProjectStore } from '@platform/admin-service/projects/projects-store';
import { createTeamStore } from '@platform/admin-service/teams/teams-store';
import { createUserStore } from '@platform/admin-service/users/users-store';
import type { Database } from '@platform/shared/db/database';

type Stores = {
  users: ReturnType<typeof createUserStore>;
  projects: ReturnType<typeof createProjectStore>;
  teams: ReturnType<typeof createTeamStore>;
};

type Filters = {
  users: Parameters<Stores['users']['list']>[0];
  projects: Parameters<Stores['projects']['list']>[0];
  teams: { status?: NonNullable<Parameters<Stores['teams']['list']>[0]> };
};
type Asked = { [List in keyof Filters]: { list: List; filter: Filters[List] } }[keyof Filters];

/** One list or search as an administrator asks for it. */
export type ListQuery = Asked & {
  name: string;
  /** How far into the list the page lies: 0 for the first, 1 for the last. */
  depth: number;
};

export const PER_PAGE = 10;

export const pageAt = (total: number, depth: number): number =>
  Math.max(1, Math.ceil((total / PER_PAGE) * depth));

export const createListStores = (database: Database): Stores => ({
  users: createUserStore(database),
  projects: createProjectStore(database),
  teams: createTeamStore(database),
});

/** Asks the stores, without HTTP. */
export const runListQuery = (stores: Stores, query: ListQuery, page: number): Promise<{ total: number }> => {
  const asked = { page, perPage: PER_PAGE };
  switch (query.list) {
    case 'users':
      return stores.users.list(query.filter, asked);
    case 'projects':
      return stores.projects.list(query.filter, asked);
    case 'teams':
      return stores.teams.list(query.filter.status, asked);
  }
};

const PATHS = { users: '/users', projects: '/projects', teams: '/administrator/teams' };

/** The same over HTTP. */
export const pathOfListQuery = ({ list, filter }: ListQuery, page: number): string => {
  const query = new URLSearchParams({ page: String(page), perPage: String(PER_PAGE) });
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return `/api/v1${PATHS[list]}?${query}`;
};

const user = (name: string, filter: Filters['users']): ListQuery => ({
  name: `users ${name}`,
  list: 'users',
  filter,
  depth: 0,
});

const project = (name: string, filter: Filters['projects']): ListQuery => ({
  name: `projects ${name}`,
  list: 'projects',
  filter,
  depth: 0,
});

const team = (name: string, filter: Filters['teams'] = {}): ListQuery => ({
  name: `teams ${name}`,
  list: 'teams',
  filter,
  depth: 0,
});

const middle = (query: ListQuery): ListQuery => ({
  ...query,
  name: `${query.name}, middle page`,
  depth: 0.5,
});
const last = (query: ListQuery): ListQuery => ({ ...query, name: `${query.name}, last page`, depth: 1 });

/** Common and rare are meant: a term in most rows costs another plan than one in none. */
export const LIST_QUERIES: readonly ListQuery[] = [
  user('all', {}),
  middle(user('all', {})),
  last(user('all', {})),
  user('role CUSTOMER', { role: 'CUSTOMER' }),
  user('role EMPLOYEE', { role: 'EMPLOYEE' }),
  user('role ADMIN', { role: 'ADMIN' }),
  user('role OPERATOR', { role: 'OPERATOR' }),
  user('role ARBITER', { role: 'ARBITER' }),
  user('not blocked', { isBlocked: false }),
  user('blocked', { isBlocked: true }),
  user('blocked CUSTOMER', { isBlocked: true, role: 'CUSTOMER' }),
  user("search '.example' (all)", { search: '.example' }),
  user("search 'anna'", { search: 'anna' }),
  user("search 'anna.smith'", { search: 'anna.smith' }),
  user("search '99999@' (rare)", { search: '99999@' }),
  user("search 'nobody-has-this'", { search: 'nobody-has-this' }),
  user("search 'a' (most)", { search: 'a' }),
  user("search '@' (all)", { search: '@' }),
  user("search 'an'", { search: 'an' }),
  user("search 'q'", { search: 'q' }),
  user("search 'zz' (none)", { search: 'zz' }),
  user("search '%' (none)", { search: '%' }),
  user("search '🚀' (none)", { search: '🚀' }),
  user("search 'иван' (none)", { search: 'иван' }),
  user("search '...' (none)", { search: '...' }),
  user("search 'a.s' (no trigram)", { search: 'a.s' }),
  user("search 'an', blocked ADMIN", { search: 'an', isBlocked: true, role: 'ADMIN' }),
  project('all', {}),
  middle(project('all', {})),
  last(project('all', {})),
  project('status DRAFT', { status: 'DRAFT' }),
  project('category WEB', { category: 'WEB' }),
  project('DRAFT and WEB', { status: 'DRAFT', category: 'WEB' }),
  project("search ' for ' (all)", { search: ' for ' }),
  project("search 'bakery'", { search: 'bakery' }),
  project("search 'spreadsheet'", { search: 'spreadsheet' }),
  project("search '#1999' (rare)", { search: '#1999' }),
  project("search 'nobody-has-this'", { search: 'nobody-has-this' }),
  project("search 'a' (all)", { search: 'a' }),
  project("search 'an' (all)", { search: 'an' }),
  project("search 'kq' (none)", { search: 'kq' }),
  project("search '%'", { search: '%' }),
  project("search '_'", { search: '_' }),
  project("search '🚀'", { search: '🚀' }),
  project("search 'русском'", { search: 'русском' }),
  project("search 'bakery', DRAFT WEB", { search: 'bakery', status: 'DRAFT', category: 'WEB' }),
  team('all'),
  middle(team('all')),
  last(team('all')),
  team('ONBOARDING', { status: 'ONBOARDING' }),
];
