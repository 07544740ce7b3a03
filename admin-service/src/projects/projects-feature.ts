import type { Base } from '../infrastructure.ts';
import type { ListsFeature } from '../lists/lists-feature.ts';
import { projectRoutes } from './projects-routes.ts';
import { createProjectService, type ProjectStores } from './projects-service.ts';

export const createProjectsFeature = (base: Base<ProjectStores>, { lists }: { lists: ListsFeature }) => ({
  routes: projectRoutes({ ...lists, projects: createProjectService(base) }),
});
