import type { AdminOperations } from '../authentication/operations.ts';
import { type FetchPage, toPageBody } from '../lists/lists.ts';
import type { Project } from './project.ts';
import type { ProjectService } from './projects-service.ts';
import { PROJECTS, type ProjectRow, toProject } from './projects-store.ts';

type Names = 'listProjects' | 'getProject' | 'editProject' | 'deleteProject' | 'restoreProject';

const toProjectBody = ({ owner, ...project }: Project) => ({
  ...project,
  owner: { ...owner, email: owner.email ?? 'deleted' },
});

type Dependencies = { projects: ProjectService; fetchPage: FetchPage };

export const projectRoutes = ({ projects, fetchPage }: Dependencies): Pick<AdminOperations, Names> => ({
  listProjects: async ({ query }) => {
    const found = await fetchPage<ProjectRow>(PROJECTS, query);
    return { status: 200, body: toPageBody(found, (row) => toProjectBody(toProject(row))) };
  },

  getProject: async ({ path }) => ({
    status: 200,
    body: toProjectBody(await projects.getProject(path.id)),
  }),

  editProject: async ({ path, body, caller, context }) => ({
    status: 200,
    body: toProjectBody(await projects.editProject(path.id, body, caller, context)),
  }),

  deleteProject: async ({ path, caller, context }) => {
    await projects.deleteProject(path.id, caller, context);
    return { status: 204 };
  },

  restoreProject: async ({ path, caller, context }) => ({
    status: 200,
    body: toProjectBody(await projects.restoreProject(path.id, caller, context)),
  }),
});
