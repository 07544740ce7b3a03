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
import type { Project, ProjectChange, ProjectFilter } from './project.ts';

type ProjectRow = Omit<Project, 'owner'> & {
  ownerId: string;
  ownerEmail: string;
  ownerFirstName: string | null;
  ownerLastName: string | null;
};

const COLUMNS = `p.id, p.title, p.description, p.category, p.status, p.contracting_stage, p.created_at, p.updated_at,
  p.deleted_at, u.id as owner_id, u.email as owner_email, c.first_name as owner_first_name,
  c.last_name as owner_last_name`;
const OWNER = 'join users u on u.id = p.owner_id left join customer_profiles c on c.user_id = u.id';
const WITH_OWNER = `select ${COLUMNS} from projects p ${OWNER}`;

const COUNTED: CountedList = {
  table: 'projects',
  as: 'p',
  totals: 'project_totals',
  always: 'deleted_at is null',
  columns: COLUMNS,
  joins: OWNER,
};

const toProject = ({ ownerId, ownerEmail, ownerFirstName, ownerLastName, ...row }: ProjectRow): Project => ({
  ...row,
  owner: { id: ownerId, email: ownerEmail, firstName: ownerFirstName, lastName: ownerLastName },
});

const selectWithOwner = (projects: Knex.QueryBuilder): Knex.QueryBuilder =>
  projects
    .join('users as u', 'u.id', 'p.owner_id')
    .leftJoin('customer_profiles as c', 'c.user_id', 'u.id')
    .select(queryBuilder.raw(COLUMNS));

/** What parts title and description in the index of grams is in no term that a person types. */
const TEXT = { columns: ['p.title', 'p.description'], whole: 'p.title || chr(31) || p.description' };

const filterProjects =
  ({ status, category, search }: ProjectFilter) =>
  (projects: Knex.QueryBuilder, way: SearchWay): Knex.QueryBuilder => {
    projects.whereNull('p.deleted_at');
    if (status) projects.where('p.status', status);
    if (category) projects.where('p.category', category);
    return search ? whereContains(projects, TEXT, search, way) : projects;
  };

const totalOf = ({ status, category, search }: ProjectFilter): Knex.QueryBuilder | undefined =>
  search ? undefined : selectTotal('project_totals', { status, category });

export const createProjectStore = (database: Database) => ({
  list: async (filter: ProjectFilter, page: Page): Promise<Paged<Project>> => {
    const { status, category, search } = filter;
    const isSorted = !search;
    const list = {
      table: 'projects',
      as: 'p',
      filter: filterProjects(filter),
      total: totalOf(filter),
      isSorted,
      select: selectWithOwner,
    };
    const { rows, total } = await (isSorted && isNear(page)
      ? fetchNearPage<ProjectRow>(database, COUNTED, { status, category }, page)
      : fetchPage<ProjectRow>(database, list, page));
    return { rows: rows.map(toProject), total };
  },

  /** Undefined for a deleted project. */
  find: async (id: string): Promise<Project | undefined> => {
    const [row] = await database.query<ProjectRow>({
      name: 'project-by-id',
      text: `${WITH_OWNER} where p.id = $1 and p.deleted_at is null`,
      values: [id],
    });
    return row && toProject(row);
  },

  /** Locks the project until the transaction ends, so that what an edit replaces is known; undefined for a deleted one. */
  lock: async (id: string): Promise<Required<ProjectChange> | undefined> => {
    const [row] = await database.query<Required<ProjectChange>>({
      name: 'lock-project',
      text: `select title, description, category from projects where id = $1 and deleted_at is null
        for no key update`,
      values: [id],
    });
    return row;
  },

  change: async (id: string, { title, description, category }: ProjectChange): Promise<void> => {
    await database.query({
      name: 'change-project',
      text: `update projects set title = coalesce($2, title), description = coalesce($3, description),
          category = coalesce($4, category), updated_at = now()
        where id = $1`,
      values: [id, title, description, category],
    });
  },

  /** False when there is no such project, or it is deleted already. */
  remove: async (id: string, administratorId: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'delete-project',
      text: `update projects set deleted_at = now(), deleted_by = $2
        where id = $1 and deleted_at is null returning 1`,
      values: [id, administratorId],
    });
    return rows.length === 1;
  },

  /** False when there is no deleted project of that id. */
  restore: async (id: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'restore-project',
      text: `update projects set deleted_at = null, deleted_by = null, updated_at = now()
        where id = $1 and deleted_at is not null returning 1`,
      values: [id],
    });
    return rows.length === 1;
  },
});

export type ProjectStore = ReturnType<typeof createProjectStore>;
