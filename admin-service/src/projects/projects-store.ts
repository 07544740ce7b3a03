import { type Database, query } from '@platform/shared/db/database';
import {
  type IdList,
  type IdPage,
  type IdPageQuery,
  toIdPage,
  toIdPageStatement,
} from '../lists/id-pages.ts';
import { type FetchPage, type List, mapPage, type Page } from '../lists/lists.ts';
import { inAnyCase } from '../lists/search-scripts.ts';
import { toTerm } from '../lists/searches.ts';
import { toNameOf } from '../lists/user-name-scripts.ts';
import { toUserReference } from '../lists/user-reference.ts';
import type {
  DeletedProject,
  DeletedProjectQuery,
  NewProject,
  Project,
  ProjectQuery,
  ProjectState,
  ProjectTexts,
  ServiceProject,
  VersionedProject,
} from './project.ts';

type OwnerRow = {
  ownerId: string;
  ownerEmail: string | null;
  ownerFirstName: string | null;
  ownerLastName: string | null;
};
type ProjectRow = Omit<Project, 'owner'> & OwnerRow;
type DeletedProjectRow = Omit<DeletedProject, 'owner' | 'deletedBy'> &
  OwnerRow & { deletedById: string | null; deletedByEmail: string | null; deletedByName: string | null };

const OWNER_COLUMNS = `u.id as owner_id, u.email as owner_email, c.first_name as owner_first_name,
  c.last_name as owner_last_name`;
const OWN_COLUMNS = `p.id, p.title, p.description, p.category, p.status, p.contracting_stage, p.created_at, p.updated_at,
  p.deleted_at`;
const COLUMNS = `${OWN_COLUMNS}, ${OWNER_COLUMNS}`;
const OWNER = 'join users u on u.id = p.owner_id left join customer_profiles c on c.user_id = u.id';

const PROJECTS: List = {
  name: 'projects',
  from: 'projects p',
  id: 'p.id',
  order: 'p.created_at',
  condition: 'p.deleted_at is null',
  filters: { status: 'p.status = ?', category: 'p.category = ?' },
  searched: [inAnyCase('p.title'), inAnyCase('p.description')],
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

/** The latest deletion first. */
const DELETED_PROJECTS: List = {
  name: 'deleted-projects',
  from: 'projects p',
  id: 'p.id',
  order: 'p.deleted_at',
  condition: 'p.deleted_at is not null',
  filters: {},
  searched: [inAnyCase('p.title')],
  columns: `p.id, p.title, p.deleted_at, p.deleted_by as deleted_by_id, d.email as deleted_by_email,
    ${toNameOf('p.deleted_by')} as deleted_by_name, ${OWNER_COLUMNS}`,
  joins: `join projects p on p.id = page.id ${OWNER} left join users d on d.id = p.deleted_by`,
};

const toDeletedProject = ({
  deletedById,
  deletedByEmail,
  deletedByName,
  ...row
}: DeletedProjectRow): DeletedProject => ({
  ...withOwner(row),
  deletedBy: toUserReference(deletedById, deletedByEmail, deletedByName),
});

export const createProjectList = (fetchPage: FetchPage) => ({
  /** The list has no deleted projects. */
  list: async ({ search, ...query }: ProjectQuery): Promise<Page<Project>> =>
    mapPage(await fetchPage<ProjectRow>(PROJECTS, { ...query, terms: toTerm(search) }), withOwner),

  listDeleted: async ({ search, ...query }: DeletedProjectQuery): Promise<Page<DeletedProject>> =>
    mapPage(
      await fetchPage<DeletedProjectRow>(DELETED_PROJECTS, { ...query, terms: toTerm(search) }),
      toDeletedProject,
    ),
});

export type ProjectList = ReturnType<typeof createProjectList>;

/** Every change of a row gives it another xmin, so that no column has to count its versions (decision 32). */
const VERSIONED_COLUMNS = `${COLUMNS}, p.xmin::text as version`;

const BY_IDS = `
  select ${OWN_COLUMNS}, p.owner_id from unnest($1::uuid[]) with ordinality as asked (id, position)
  join projects p on p.id = asked.id order by asked.position`;

export type ProjectPageQuery = IdPageQuery & Partial<Pick<ServiceProject, 'ownerId' | 'status'>>;

const BY_ID: IdList = {
  name: 'projects',
  from: 'projects p',
  id: 'p.id',
  bytes: 'octet_length(p.description) + 500',
  filters: { ownerId: 'p.owner_id = ?::uuid', status: 'p.status = ?' },
  toRows: (keys) => `select p.*, page.found from (${keys}) page cross join lateral (
      select ${OWN_COLUMNS}, p.owner_id from projects p where p.id = page.id limit 1
    ) p order by page.id`,
};

export const createProjectStore = (database: Database) => {
  const existing = (id: string) => database('projects').where({ id }).whereNull('deletedAt');

  /** Includes deleted projects. */
  const findAny = async (id: string): Promise<VersionedProject | undefined> => {
    const [row] = await database('projects as p')
      .joinRaw(OWNER)
      .where('p.id', id)
      .select<(ProjectRow & { version: string })[]>(database.raw(VERSIONED_COLUMNS));
    return row && withOwner(row);
  };

  return {
    findAny,

    /** Undefined for a deleted project. */
    find: async (id: string): Promise<VersionedProject | undefined> => {
      const project = await findAny(id);
      return project?.deletedAt === null ? project : undefined;
    },

    /** Returns the projects in the order of the ids, deleted ones included, without unknown ones. */
    listByIds: (ids: readonly string[]): Promise<ServiceProject[]> =>
      query(database, { name: 'projects-by-ids', text: BY_IDS, values: [ids] }),

    /** Returns a page in the order of the ids, deleted projects included. @throws AppError 400 */
    listPage: async (page: ProjectPageQuery): Promise<IdPage<ServiceProject>> =>
      toIdPage(BY_ID, page, await query(database, toIdPageStatement(BY_ID, page))),

    /** Locks the project and returns its values before an edit; undefined for a deleted project. */
    lock: async (id: string): Promise<(ProjectTexts & ProjectState & { version: string }) | undefined> =>
      await existing(id)
        .forNoKeyUpdate()
        .first(
          ...['title', 'description', 'category', 'status', 'contractingStage'],
          database.raw('xmin::text as version'),
        ),

    update: async (id: string, change: Partial<ProjectTexts & ProjectState>): Promise<void> => {
      await existing(id).update({ ...change, updatedAt: database.fn.now() });
    },

    /** Until the transaction ends, the account cannot be deleted. False if the user is no customer. */
    lockOwner: async (userId: string): Promise<boolean> =>
      (await database('users').where({ id: userId, deletedAt: null }).forShare().first('id')) !== undefined &&
      // A second statement sees the roles after the wait for the lock.
      (await database('user_roles').where({ userId, role: 'CUSTOMER' }).first('userId')) !== undefined,

    insert: async (id: string, project: NewProject, creationDigest: Buffer): Promise<void> => {
      await database('projects').insert({ id, ...project, creationDigest });
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
