import { toBy } from '../authentication/callers.ts';
import type { AdminOperations } from '../authentication/operations.ts';
import { toPageBody } from '../lists/lists.ts';
import type { TeamWithMembers } from './team.ts';
import type { TeamService } from './teams-service.ts';

const toDetailBody = ({ version: _version, members, ...team }: TeamWithMembers) => ({
  ...team,
  members: members.map(({ userId: _userId, ...member }) => member),
});

export const teamRoutes = (
  teams: TeamService,
): Pick<AdminOperations, 'listTeams' | 'getTeam' | 'verifyTeam'> => ({
  listTeams: async ({ query }) => {
    const { data, ...meta } = toPageBody(await teams.list(query));
    return {
      status: 200,
      body: { data, meta: { ...meta, totalPages: Math.ceil(meta.total / meta.perPage) } },
    };
  },

  getTeam: async ({ path }) => ({ status: 200, body: toDetailBody(await teams.getTeam(path.teamId)) }),

  verifyTeam: async ({ path, caller, context }) => ({
    status: 201,
    body: await teams.verifyTeam(path.teamId, toBy(caller, context)),
  }),
});
