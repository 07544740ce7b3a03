import type { Base } from '../infrastructure.ts';
import type { ListsFeature } from '../lists/lists-feature.ts';
import { internalProjectRoutes } from './internal-projects-routes.ts';
import { projectRoutes } from './projects-routes.ts';
import { createProjectService, type ProjectStores } from './projects-service.ts';

export const createProjectsFeature = (base: Base<ProjectStores>, { lists }: { lists: ListsFeature }) => {
  const projects = createProjectService(base);
  return {
    routes: projectRoutes({ ...lists, projects }),
    internalRoutes: internalProjectRoutes(projects),
  };
};
