import { createProjectStore } from '@platform/admin-service/projects/projects-store';
import { createTeamStore } from '@platform/admin-service/teams/teams-store';
import { createUserStore } from '@platform/admin-service/users/users-store';
import type { Database } from '@platform/shared/db/database';

type Stores = {
  users: ReturnType<typeof createUserStore>;
  projects: ReturnType<typeof createProjectStore>;
  teams: ReturnType<typeof createTeamStore>;
};

/** One list or search as an administrator asks for it; `lastPage` asks for the page that the total makes the last. */
export type ListQuery = {
  name: string;
  run: (stores: Stores, page: { page: number; perPage: number }) => Promise<{ total: number }>;
  deep?: true;
};

export const createListStores = (database: Database): Stores => ({
  users: createUserStore(database),
  projects: createProjectStore(database),
  teams: createTeamStore(database),
});

const user = (name: string, filter: Parameters<Stores['users']['list']>[0]): ListQuery => ({
  name: `users ${name}`,
  run: ({ users }, page) => users.list(filter, page),
});

const project = (name: string, filter: Parameters<Stores['projects']['list']>[0]): ListQuery => ({
  name: `projects ${name}`,
  run: ({ projects }, page) => projects.list(filter, page),
});

const team = (name: string, status?: Parameters<Stores['teams']['list']>[0]): ListQuery => ({
  name: `teams ${name}`,
  run: ({ teams }, page) => teams.list(status, page),
});

const deep = (query: ListQuery): ListQuery => ({ ...query, name: `${query.name}, last page`, deep: true });

/** Common and rare are meant: a term in most rows costs another plan than one in none. */
export const LIST_QUERIES: readonly ListQuery[] = [
  user('all', {}),
  deep(user('all', {})),
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
  deep(project('all', {})),
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
  deep(team('all')),
  team('ONBOARDING', 'ONBOARDING'),
];
