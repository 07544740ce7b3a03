import type { components } from '@platform/openapi/types/admin';
import { type FetchPage, toPageBody } from '../lists/lists.ts';
import type { AdminOperations } from '../security.ts';
import type { Team, TeamMember } from './team.ts';
import type { TeamService } from './teams-service.ts';
import { TEAMS } from './teams-store.ts';

type Schemas = components['schemas'];

const toTeamBody = (team: Team): Schemas['AdminTeamResponseDto'] => ({
  id: team.id,
  createdAt: team.createdAt.toISOString(),
  updatedAt: team.updatedAt.toISOString(),
  name: team.name,
  slug: team.slug,
  bio: team.bio,
  status: team.status,
  externalExperience: team.externalExperience,
  verifiedAt: team.verifiedAt?.toISOString() ?? null,
});

const toMemberBody = (member: TeamMember): Schemas['TeamMember'] => ({
  ...member,
  removedAt: member.removedAt?.toISOString() ?? null,
});

type Dependencies = { teams: TeamService; fetchPage: FetchPage };

export const teamRoutes = ({
  teams,
  fetchPage,
}: Dependencies): Pick<AdminOperations, 'listTeams' | 'getTeam' | 'verifyTeam'> => ({
  listTeams: async ({ query }) => {
    const { data, ...meta } = toPageBody(await fetchPage<Team>(TEAMS, query), toTeamBody);
    return {
      status: 200,
      body: { data, meta: { ...meta, totalPages: Math.ceil(meta.total / meta.perPage) } },
    };
  },

  getTeam: async ({ path }) => {
    const team = await teams.getTeam(path.teamId);
    return { status: 200, body: { ...toTeamBody(team), members: team.members.map(toMemberBody) } };
  },

  verifyTeam: async ({ path, caller, context }) => ({
    status: 201,
    body: toTeamBody(await teams.verifyTeam(path.teamId, caller, context)),
  }),
});
