import { toEntityTag } from '@platform/shared/http/entity-tag';
import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import { mapPage, toPageBody } from '../lists/lists.ts';
import type { Project, VersionedProject } from './project.ts';
import type { ProjectService } from './projects-service.ts';

type Names =
  | 'listProjects'
  | 'listDeletedProjects'
  | 'getProject'
  | 'editProject'
  | 'deleteProject'
  | 'restoreProject';

const toProjectBody = <Body extends Pick<Project, 'owner'>>({ owner, ...project }: Body) => ({
  ...project,
  owner: { ...owner, email: owner.email ?? 'deleted' },
});

/** The body of one project, with its version in the header. */
const toProjectResponse = ({ version, ...project }: VersionedProject) => ({
  headers: toEntityTag(version),
  body: toProjectBody(project),
});

export const projectRoutes = (projects: ProjectService): Pick<AdminOperations, Names> => ({
  listProjects: async ({ query }) => ({
    status: 200,
    body: toPageBody(mapPage(await projects.list(query), toProjectBody)),
  }),

  listDeletedProjects: async ({ query }) => ({
    status: 200,
    body: toPageBody(mapPage(await projects.listDeleted(query), toProjectBody)),
  }),

  getProject: async ({ path }) => ({
    status: 200,
    ...toProjectResponse(await projects.getProject(path.id)),
  }),

  editProject: async ({ path, headers, body, caller, context }) => {
    const by = toBy(caller, context);
    const edited = await projects.changeProject(path.id, body, headers['If-Match'], by);
    return { status: 200, ...toProjectResponse(edited) };
  },

  deleteProject: async ({ path, caller, context }) => {
    await projects.deleteProject(path.id, toBy(caller, context));
    return { status: 204 };
  },

  restoreProject: async ({ path, caller, context }) => ({
    status: 200,
    ...toProjectResponse(await projects.restoreProject(path.id, toBy(caller, context))),
  }),
});
