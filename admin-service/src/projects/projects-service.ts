import { requireMatch } from '@platform/shared/http/entity-tag';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditAction, AuditLog, Author } from '@platform/shared/platform/audit/audit-log';
import type { InTransaction } from '../infrastructure.ts';
import { type Creation, toCreationDigest } from './creation.ts';
import {
  diffProject,
  type NewProject,
  ownerNotFound,
  type Project,
  type ProjectChange,
  projectExists,
  projectNotFound,
  toNextState,
  type VersionedProject,
} from './project.ts';
import type { ProjectStore } from './projects-store.ts';

export type ProjectStores = { projects: ProjectStore; audit: AuditLog };

/** The one who makes a change, and the request. */
type By = Author & RequestContext;

type Dependencies = { stores: Pick<ProjectStores, 'projects'>; inTransaction: InTransaction<ProjectStores> };

const toAuditRecord = (action: AuditAction, id: string, by: By, details: Record<string, unknown> = {}) => ({
  ...by,
  action,
  targetType: 'PROJECT' as const,
  targetId: id,
  details,
});

const requireProject = (project: VersionedProject | undefined): VersionedProject => {
  if (!project) throw projectNotFound();
  return project;
};

export const createProjectService = ({ stores: { projects }, inTransaction }: Dependencies) => ({
  /** @throws AppError 404, also for a deleted project */
  getProject: async (id: string): Promise<VersionedProject> => requireProject(await projects.find(id)),

  /** Also returns a deleted project. @throws AppError 404 */
  getAnyProject: async (id: string): Promise<VersionedProject> => requireProject(await projects.findAny(id)),

  listByIds: (ids: readonly string[]): Promise<Project[]> => projects.listByIds(ids),

  /**
   * Creates a project, or returns the one that the same request has created before, as it is now.
   * @throws AppError 400 contracting-stage, 404 USER_NOT_FOUND, 409 PROJECT_EXISTS
   */
  putProject: (id: string, project: NewProject, by: By): Promise<Creation<VersionedProject>> =>
    inTransaction(async (stores) => {
      await stores.projects.lockId(id);
      const digest = toCreationDigest(project);
      const creation = await stores.projects.findCreation(id);
      if (creation && !creation.creationDigest?.equals(digest)) throw projectExists();
      if (!creation) {
        const { ownerId, status, contractingStage } = project;
        if (!(await stores.projects.lockOwner(ownerId))) throw ownerNotFound();
        await stores.projects.insert(id, project, digest);
        const details = { ownerId, status, contractingStage };
        await stores.audit.add(toAuditRecord('PROJECT_CREATED', id, by, details));
      }
      return { created: requireProject(await stores.projects.findAny(id)), isNew: !creation };
    }),

  /**
   * Changes a project for an ADMIN or another service. Unchanged values are neither stored nor audited.
   * @param ifMatch the header If-Match
   * @throws AppError 400 contracting-stage, 404 also for a deleted project, 412 CHANGED_MEANWHILE
   */
  changeProject: (
    id: string,
    change: ProjectChange,
    ifMatch: string | undefined,
    by: By,
  ): Promise<VersionedProject> =>
    inTransaction(async (stores) => {
      const stored = await stores.projects.lock(id);
      if (!stored) throw projectNotFound();
      requireMatch(ifMatch, stored.version);
      const { status, contractingStage } = stored;
      const next = toNextState(stored, change);
      const changes = diffProject(stored, change);
      const fields = Object.keys(changes);
      const records = [];
      if (fields.length > 0) records.push(toAuditRecord('PROJECT_EDITED', id, by, { fields, changes }));
      if (next.status !== status || next.contractingStage !== contractingStage) {
        const details = { ...next, from: { status, contractingStage } };
        records.push(toAuditRecord('PROJECT_STATUS_CHANGED', id, by, details));
      }
      if (records.length > 0) {
        await stores.projects.update(id, { ...change, ...next });
        await stores.audit.addAll(records);
      }
      return requireProject(await stores.projects.find(id));
    }),

  /** @throws AppError 404, also for a deleted project */
  deleteProject: (id: string, by: By & { actorId: string }): Promise<void> =>
    inTransaction(async (stores) => {
      if (!(await stores.projects.softDelete(id, by.actorId))) throw projectNotFound();
      await stores.audit.add(toAuditRecord('PROJECT_DELETED', id, by));
    }),

  /** Does nothing if the project is not deleted. @throws AppError 404 */
  restoreProject: (id: string, by: By): Promise<VersionedProject> =>
    inTransaction(async (stores) => {
      if (await stores.projects.restore(id))
        await stores.audit.add(toAuditRecord('PROJECT_RESTORED', id, by));
      return requireProject(await stores.projects.find(id));
    }),
});

export type ProjectService = ReturnType<typeof createProjectService>;
