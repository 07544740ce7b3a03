import type { components } from '@platform/openapi/types/admin';
import { toPage, toPageBody } from '../lists/pagination.ts';
import type { AdminOperations } from '../security.ts';
import { toShownEmail } from '../users/user.ts';
import type { Project, ProjectFilter } from './project.ts';
import type { ProjectService } from './projects-service.ts';

type Names = 'listProjects' | 'getProject' | 'editProject' | 'deleteProject' | 'restoreProject';
type Query = Parameters<AdminOperations['listProjects']>[0]['query'];

const toFilter = ({ status, category, search }: Query): ProjectFilter => ({
  ...(status && { status }),
  ...(category && { category }),
  ...(search && { search: search.trim() }),
});

const toProjectBody = (project: Project): components['schemas']['AdminProjectResponseDto'] => ({
  id: project.id,
  title: project.title,
  description: project.description,
  category: project.category,
  status: project.status,
  contractingStage: project.contractingStage,
  owner: { ...project.owner, email: toShownEmail(project.owner.email) },
  createdAt: project.createdAt.toISOString(),
  updatedAt: project.updatedAt.toISOString(),
  deletedAt: project.deletedAt?.toISOString() ?? null,
});

export const projectRoutes = (projects: ProjectService): Pick<AdminOperations, Names> => ({
  listProjects: async ({ query }) => {
    const page = toPage(query);
    return {
      status: 200,
      body: toPageBody(await projects.list(toFilter(query), page), page, toProjectBody),
    };
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
