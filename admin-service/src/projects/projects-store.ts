import type { Database } from '@platform/shared/db/database';
import { fetchPage, type List, type ListFilter, type Page, type Paged } from '../lists/pagination.ts';
import type { Project, ProjectChange, ProjectFilter } from './project.ts';

type ProjectRow = Omit<Project, 'owner'> & {
  ownerId: string;
  ownerEmail: string | null;
  ownerFirstName: string | null;
  ownerLastName: string | null;
};

const COLUMNS = `p.id, p.title, p.description, p.category, p.status, p.contracting_stage, p.created_at, p.updated_at,
  p.deleted_at, u.id as owner_id, u.email as owner_email, c.first_name as owner_first_name,
  c.last_name as owner_last_name`;
const OWNER = 'join users u on u.id = p.owner_id left join customer_profiles c on c.user_id = u.id';
const WITH_OWNER = `select ${COLUMNS} from projects p ${OWNER}`;

const PROJECTS: List = {
  table: 'projects',
  alias: 'p',
  totals: 'project_totals',
  condition: 'deleted_at is null',
  columns: COLUMNS,
  joins: OWNER,
};

/** chr(31) separates title and description in the index of short grams: nobody types it in a search. */
const TEXT = { columns: ['p.title', 'p.description'], combined: 'p.title || chr(31) || p.description' };

const toProject = ({ ownerId, ownerEmail, ownerFirstName, ownerLastName, ...row }: ProjectRow): Project => ({
  ...row,
  owner: { id: ownerId, email: ownerEmail, firstName: ownerFirstName, lastName: ownerLastName },
});

const toListFilter = ({ status, category, search }: ProjectFilter): ListFilter => ({
  equals: { status, category },
  search: search ? { text: TEXT, term: search } : undefined,
});

export const createProjectStore = (database: Database, lists: Database) => ({
  list: async (filter: ProjectFilter, page: Page): Promise<Paged<Project>> => {
    const { rows, total } = await fetchPage<ProjectRow>(lists, PROJECTS, toListFilter(filter), page);
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

  /** Locks the project and returns its values before an edit; undefined for a deleted project. */
  lock: async (id: string): Promise<Required<ProjectChange> | undefined> => {
    const [row] = await database.query<Required<ProjectChange>>({
      name: 'lock-project',
      text: `select title, description, category from projects where id = $1 and deleted_at is null
        for no key update`,
      values: [id],
    });
    return row;
  },

  update: async (id: string, { title, description, category }: ProjectChange): Promise<void> => {
    await database.query({
      name: 'change-project',
      text: `update projects set title = coalesce($2, title), description = coalesce($3, description),
          category = coalesce($4, category), updated_at = now()
        where id = $1`,
      values: [id, title, description, category],
    });
  },

  /** False when the project does not exist or is already deleted. */
  softDelete: async (id: string, administratorId: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'delete-project',
      text: `update projects set deleted_at = now(), deleted_by = $2
        where id = $1 and deleted_at is null returning 1`,
      values: [id, administratorId],
    });
    return rows.length === 1;
  },

  /** False when no deleted project has this id. */
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
