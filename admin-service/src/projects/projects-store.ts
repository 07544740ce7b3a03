import type { Database } from '@platform/shared/db/database';
import type { List } from '../lists/lists.ts';
import { toUserReference } from '../lists/user-reference.ts';
import type { DeletedProject, Project, ProjectChange } from './project.ts';

type OwnerRow = {
  ownerId: string;
  ownerEmail: string | null;
  ownerFirstName: string | null;
  ownerLastName: string | null;
};
export type ProjectRow = Omit<Project, 'owner'> & OwnerRow;
export type DeletedProjectRow = Omit<DeletedProject, 'owner' | 'deletedBy'> &
  OwnerRow & { deletedById: string | null; deletedByEmail: string | null };

const OWNER_COLUMNS = `u.id as owner_id, u.email as owner_email, c.first_name as owner_first_name,
  c.last_name as owner_last_name`;
const COLUMNS = `p.id, p.title, p.description, p.category, p.status, p.contracting_stage, p.created_at, p.updated_at,
  p.deleted_at, ${OWNER_COLUMNS}`;
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

const withOwner = <Row extends OwnerRow>({
  ownerId,
  ownerEmail,
  ownerFirstName,
  ownerLastName,
  ...row
}: Row) => ({
  ...row,
  owner: { id: ownerId, email: ownerEmail, firstName: ownerFirstName, lastName: ownerLastName },
});

export const toProject = (row: ProjectRow): Project => withOwner(row);

/** The latest deletion first. */
export const DELETED_PROJECTS: List = {
  name: 'deleted-projects',
  from: 'projects p',
  id: 'p.id',
  createdAt: 'p.deleted_at',
  condition: 'p.deleted_at is not null',
  filters: {},
  searched: ['p.title'],
  columns: `p.id, p.title, p.deleted_at, p.deleted_by as deleted_by_id, d.email as deleted_by_email, ${OWNER_COLUMNS}`,
  joins: `join projects p on p.id = page.id ${OWNER} left join users d on d.id = p.deleted_by`,
};

export const toDeletedProject = ({
  deletedById,
  deletedByEmail,
  ...row
}: DeletedProjectRow): DeletedProject => ({
  ...withOwner(row),
  deletedBy: toUserReference(deletedById, deletedByEmail),
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
