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
type ListFilter = { [List in keyof Filters]: { list: List; filter: Filters[List] } }[keyof Filters];

/** One list or search request of an administrator. */
export type ListCase = ListFilter & {
  name: string;
  /** The position of the page in the list: 0 for the first, 1 for the last. */
  depth: number;
};

const PER_PAGE = 10;

export const pageAt = (total: number, depth: number): number =>
  Math.max(1, Math.ceil((total / PER_PAGE) * depth));

export const createListStores = (database: Database): Stores => ({
  users: createUserStore(database, database),
  projects: createProjectStore(database, database),
  teams: createTeamStore(database, database),
});

/** Reads a page from the stores, without HTTP. */
export const readFromStore = (
  stores: Stores,
  listCase: ListCase,
  page: number,
): Promise<{ total: number }> => {
  const pagination = { page, perPage: PER_PAGE };
  switch (listCase.list) {
    case 'users':
      return stores.users.list(listCase.filter, pagination);
    case 'projects':
      return stores.projects.list(listCase.filter, pagination);
    case 'teams':
      return stores.teams.list(listCase.filter.status, pagination);
  }
};

const PATHS = { users: '/users', projects: '/projects', teams: '/administrator/teams' };

/** The same page over HTTP. */
export const toPath = ({ list, filter }: ListCase, page: number): string => {
  const query = new URLSearchParams({ page: String(page), perPage: String(PER_PAGE) });
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
  return `/api/v1${PATHS[list]}?${query}`;
};

const user = (name: string, filter: Filters['users']): ListCase => ({
  name: `users ${name}`,
  list: 'users',
  filter,
  depth: 0,
});

const project = (name: string, filter: Filters['projects']): ListCase => ({
  name: `projects ${name}`,
  list: 'projects',
  filter,
  depth: 0,
});

const team = (name: string, filter: Filters['teams'] = {}): ListCase => ({
  name: `teams ${name}`,
  list: 'teams',
  filter,
  depth: 0,
});

const middlePage = (listCase: ListCase): ListCase => ({
  ...listCase,
  name: `${listCase.name}, middle page`,
  depth: 0.5,
});
const lastPage = (listCase: ListCase): ListCase => ({
  ...listCase,
  name: `${listCase.name}, last page`,
  depth: 1,
});

/** With common and rare terms, which have different query plans. */
export const LIST_CASES: readonly ListCase[] = [
  user('all', {}),
  middlePage(user('all', {})),
  lastPage(user('all', {})),
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
  middlePage(project('all', {})),
  lastPage(project('all', {})),
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
  middlePage(team('all')),
  lastPage(team('all')),
  team('ONBOARDING', { status: 'ONBOARDING' }),
];
