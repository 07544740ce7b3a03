import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditAction, AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AdminCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import { diffProject, type Project, type ProjectChange, projectNotFound } from './project.ts';
import type { ProjectStore } from './projects-store.ts';

export type ProjectStores = { projects: ProjectStore; audit: AuditLog };

type Dependencies = { stores: Pick<ProjectStores, 'projects'>; inTransaction: InTransaction<ProjectStores> };

export const createProjectService = ({ stores: { projects }, inTransaction }: Dependencies) => {
  const get = async (store: ProjectStore, id: string): Promise<Project> => {
    const project = await store.find(id);
    if (!project) throw projectNotFound();
    return project;
  };
  const toAuditRecord = (
    action: AuditAction,
    id: string,
    { account }: AdminCaller,
    context: RequestContext,
  ) => ({
    ...context,
    action,
    actorId: account.userId,
    targetType: 'PROJECT' as const,
    targetId: id,
  });

  return {
    /** @throws AppError 404, also for a deleted project */
    getProject: (id: string): Promise<Project> => get(projects, id),

    /** Unchanged values are neither stored nor audited. @throws AppError 404, also for a deleted project */
    editProject: async (
      id: string,
      change: ProjectChange,
      caller: AdminCaller,
      context: RequestContext,
    ): Promise<Project> => {
      if (Object.keys(change).length === 0) return await get(projects, id);
      return await inTransaction(async (stores) => {
        const stored = await stores.projects.lock(id);
        if (!stored) throw projectNotFound();
        const changes = diffProject(stored, change);
        const fields = Object.keys(changes);
        if (fields.length > 0) {
          await stores.projects.update(id, change);
          const details = { fields, changes };
          await stores.audit.add({ ...toAuditRecord('PROJECT_EDITED', id, caller, context), details });
        }
        return await get(stores.projects, id);
      });
    },

    /** @throws AppError 404, also for a deleted project */
    deleteProject: (id: string, caller: AdminCaller, context: RequestContext): Promise<void> =>
      inTransaction(async (stores) => {
        if (!(await stores.projects.softDelete(id, caller.account.userId))) throw projectNotFound();
        await stores.audit.add(toAuditRecord('PROJECT_DELETED', id, caller, context));
      }),

    /** Does nothing if the project is not deleted. @throws AppError 404 */
    restoreProject: (id: string, caller: AdminCaller, context: RequestContext): Promise<Project> =>
      inTransaction(async (stores) => {
        if (await stores.projects.restore(id))
          await stores.audit.add(toAuditRecord('PROJECT_RESTORED', id, caller, context));
        return await get(stores.projects, id);
      }),
  };
};

export type ProjectService = ReturnType<typeof createProjectService>;
