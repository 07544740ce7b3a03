import type { Base } from '../infrastructure.ts';
import type { ListsFeature } from '../lists/lists-feature.ts';
import { internalTeamRoutes } from './internal-teams-routes.ts';
import { teamRoutes } from './teams-routes.ts';
import { createTeamService, type TeamStores } from './teams-service.ts';

export const createTeamsFeature = (base: Base<TeamStores>, { lists }: { lists: ListsFeature }) => {
  const teams = createTeamService(base);
  return { routes: teamRoutes({ ...lists, teams }), internalRoutes: internalTeamRoutes(teams) };
};
