import { requireMatch } from '@platform/shared/http/entity-tag';
import {
  type By,
  type ByAdministrator,
  type ByService,
  toAuditRecord,
} from '@platform/shared/platform/access/by';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { Creation } from '../creations/creation.ts';
import type { CreationStore } from '../creations/creations-store.ts';
import type { InTransactionBy } from '../infrastructure.ts';
import type { IdPage } from '../lists/id-pages.ts';
import type { Page } from '../lists/lists.ts';
import {
  type DeletedProject,
  type DeletedProjectQuery,
  diffProject,
  ownerNotFound,
  type Project,
  type ProjectChange,
  type ProjectQuery,
  type ProjectRequest,
  projectNotFound,
  requirePossible,
  type ServiceProject,
  toNewProject,
  toNextState,
  type VersionedProject,
} from './project.ts';
import type { ProjectList, ProjectPageQuery, ProjectStore } from './projects-store.ts';

type ProjectStores = { projects: ProjectStore; creations: CreationStore; audit: AuditLog };

type Dependencies = {
  stores: Pick<ProjectStores, 'projects'>;
  lists: { projects: ProjectList };
  inTransaction: InTransactionBy<ProjectStores>;
};

const toTarget = (id: string) => ({ targetType: 'PROJECT', targetId: id }) as const;

const requireProject = (project: VersionedProject | undefined): VersionedProject => {
  if (!project) throw projectNotFound();
  return project;
};

export const createProjectService = ({ stores: { projects }, lists, inTransaction }: Dependencies) => ({
  /** Newest first, without deleted projects. */
  list: (query: ProjectQuery): Promise<Page<Project>> => lists.projects.list(query),

  /** The latest deletion first. */
  listDeleted: (query: DeletedProjectQuery): Promise<Page<DeletedProject>> =>
    lists.projects.listDeleted(query),

  /** @throws AppError 404, also for a deleted project */
  getProject: async (id: string): Promise<VersionedProject> => requireProject(await projects.find(id)),

  /** Also returns a deleted project. @throws AppError 404 */
  getAnyProject: async (id: string): Promise<VersionedProject> => requireProject(await projects.findAny(id)),

  listByIds: (ids: readonly string[]): Promise<ServiceProject[]> => projects.listByIds(ids),
  listPage: (page: ProjectPageQuery): Promise<IdPage<ServiceProject>> => projects.listPage(page),

  /**
   * Creates a project, or returns the one that the same request has created before, as it is now.
   * @throws AppError 400 contracting-stage, 404 USER_NOT_FOUND, 409 PROJECT_EXISTS, ID_TAKEN
   */
  putProject: async (
    id: string,
    request: ProjectRequest,
    by: ByService,
  ): Promise<Creation<VersionedProject>> => {
    const project = toNewProject(request);
    return await inTransaction(by, async (stores) => {
      const isNew = await stores.creations.once('project', { id }, project, async (digest) => {
        const { ownerId, status, contractingStage } = project;
        if (!(await stores.projects.lockOwner(ownerId))) throw ownerNotFound();
        await stores.projects.insert(id, project, digest);
        const details = { ownerId, status, contractingStage };
        await stores.audit.add(toAuditRecord(by, 'PROJECT_CREATED', toTarget(id), details));
      });
      return { created: requireProject(await stores.projects.findAny(id)), isNew };
    });
  },

  /**
   * Changes a project for an ADMIN or another service. Unchanged values are neither stored nor audited.
   * @param ifMatch the header If-Match
   * @throws AppError 400 contracting-stage, 404 also for a deleted project, 412 CHANGED_MEANWHILE
   */
  changeProject: async (
    id: string,
    change: ProjectChange,
    ifMatch: string | undefined,
    by: By,
  ): Promise<VersionedProject> => {
    requirePossible(change);
    return await inTransaction(by, async (stores) => {
      const stored = await stores.projects.lock(id);
      if (!stored) throw projectNotFound();
      requireMatch(ifMatch, stored.version);
      const { status, contractingStage } = stored;
      const next = toNextState(stored, change);
      const changes = diffProject(stored, change);
      const fields = Object.keys(changes);
      const records = [];
      if (fields.length > 0)
        records.push(toAuditRecord(by, 'PROJECT_EDITED', toTarget(id), { fields, changes }));
      if (next.status !== status || next.contractingStage !== contractingStage) {
        const details = { ...next, from: { status, contractingStage } };
        records.push(toAuditRecord(by, 'PROJECT_STATUS_CHANGED', toTarget(id), details));
      }
      if (records.length > 0) {
        await stores.projects.update(id, { ...change, ...next });
        await stores.audit.addAll(records);
      }
      return requireProject(await stores.projects.find(id));
    });
  },

  /** @throws AppError 404, also for a deleted project */
  deleteProject: (id: string, by: ByAdministrator): Promise<void> =>
    inTransaction(by, async (stores) => {
      if (!(await stores.projects.softDelete(id, by.administrator.userId))) throw projectNotFound();
      await stores.audit.add(toAuditRecord(by, 'PROJECT_DELETED', toTarget(id)));
    }),

  /** Does nothing if the project is not deleted. @throws AppError 404 */
  restoreProject: (id: string, by: ByAdministrator): Promise<VersionedProject> =>
    inTransaction(by, async (stores) => {
      if (await stores.projects.restore(id))
        await stores.audit.add(toAuditRecord(by, 'PROJECT_RESTORED', toTarget(id)));
      return requireProject(await stores.projects.find(id));
    }),
});

export type ProjectService = ReturnType<typeof createProjectService>;
