import type { Database } from '@platform/shared/db/database';
import type { List } from '../lists/lists.ts';
import type { Project, ProjectChange } from './project.ts';

export type ProjectRow = Omit<Project, 'owner'> & {
  ownerId: string;
  ownerEmail: string | null;
  ownerFirstName: string | null;
  ownerLastName: string | null;
};

const COLUMNS = `p.id, p.title, p.description, p.category, p.status, p.contracting_stage, p.created_at, p.updated_at,
  p.deleted_at, u.id as owner_id, u.email as owner_email, c.first_name as owner_first_name,
  c.last_name as owner_last_name`;
const OWNER = 'join users u on u.id = p.owner_id left join customer_profiles c on c.user_id = u.id';

export const PROJECTS: List = {
  name: 'projects',
  from: 'projects p',
  id: 'p.id',
  createdAt: 'p.created_at',
  condition: 'p.deleted_at is null',
  filters: { status: 'p.status = ?', category: 'p.category = ?' },
  searched: ['p.title', 'p.description'],
  columns: COLUMNS,
  joins: `join projects p on p.id = page.id ${OWNER}`,
};

export const toProject = ({
  ownerId,
  ownerEmail,
  ownerFirstName,
  ownerLastName,
  ...row
}: ProjectRow): Project => ({
  ...row,
  owner: { id: ownerId, email: ownerEmail, firstName: ownerFirstName, lastName: ownerLastName },
});

export const createProjectStore = (database: Database) => {
  const existing = (id: string) => database('projects').where({ id }).whereNull('deletedAt');

  return {
    /** Undefined for a deleted project. */
    find: async (id: string): Promise<Project | undefined> => {
      const [row] = await database('projects as p')
        .joinRaw(OWNER)
        .where('p.id', id)
        .whereNull('p.deletedAt')
        .select<ProjectRow[]>(database.raw(COLUMNS));
      return row && toProject(row);
    },

    /** Locks the project and returns its values before an edit; undefined for a deleted project. */
    lock: async (id: string): Promise<Required<ProjectChange> | undefined> =>
      await existing(id).forNoKeyUpdate().first('title', 'description', 'category'),

    update: async (id: string, change: ProjectChange): Promise<void> => {
      await existing(id).update({ ...change, updatedAt: database.fn.now() });
    },

    /** False if the project does not exist or is already deleted. */
    softDelete: async (id: string, administratorId: string): Promise<boolean> =>
      (await existing(id).update({ deletedAt: database.fn.now(), deletedBy: administratorId })) === 1,

    /** False if there is no deleted project with this id. */
    restore: async (id: string): Promise<boolean> =>
      (await database('projects')
        .where({ id })
        .whereNotNull('deletedAt')
        .update({ deletedAt: null, deletedBy: null, updatedAt: database.fn.now() })) === 1,
  };
};

export type ProjectStore = ReturnType<typeof createProjectStore>;
