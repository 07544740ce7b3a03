import { toEntityTag } from '@platform/shared/http/entity-tag';
import type { InternalOperations } from '../authentication/operations.ts';
import { toDistinctIds } from '../lists/distinct-ids.ts';
import { requireAlone } from '../lists/id-pages.ts';
import type { TeamWithMembers } from './team.ts';
import type { TeamService } from './teams-service.ts';

type Names = 'listTeams' | 'getTeamById' | 'putTeam' | 'changeTeam' | 'putTeamMember' | 'removeTeamMember';

const toTeamBody = ({ version: _version, ...team }: TeamWithMembers) => team;
const toTeamResponse = (team: TeamWithMembers) => ({
  headers: toEntityTag(team.version),
  body: toTeamBody(team),
});

/** Operations for other services. */
export const internalTeamRoutes = (teams: TeamService): Pick<InternalOperations, Names> => ({
  listTeams: async ({ query: { id, ...page }, caller }) => {
    if (id === undefined) {
      const { data, nextCursor } = await caller.inTurn(() => teams.listPage(page));
      return { status: 200, body: { data: data.map(toTeamBody), nextCursor } };
    }
    requireAlone('id', page);
    return { status: 200, body: { data: (await teams.listByIds(toDistinctIds(id))).map(toTeamBody) } };
  },

  getTeamById: async ({ path }) => ({ status: 200, ...toTeamResponse(await teams.getTeam(path.id)) }),

  putTeam: async ({ path, body, caller: { service }, context }) => {
    const { name, administratorId, slug = null, bio = null, externalExperience = null } = body;
    const team = { name, administratorId, slug, bio, externalExperience };
    const { created, isNew } = await teams.putTeam(path.id, team, { service, context });
    return { status: isNew ? 201 : 200, ...toTeamResponse(created) };
  },

  changeTeam: async ({ path, headers, body: { name, ...texts }, caller: { service }, context }) => {
    // A team keeps its name, so null is no name.
    const change = { ...texts, ...(typeof name === 'string' && { name }) };
    const by = { service, context };
    return {
      status: 200,
      ...toTeamResponse(await teams.changeTeam(path.id, change, headers['If-Match'], by)),
    };
  },

  putTeamMember: async ({ path, body, caller: { service }, context }) => ({
    status: 200,
    body: await teams.putMember(path.id, path.employeeId, body, { service, context }),
  }),

  removeTeamMember: async ({ path, caller: { service }, context }) => {
    await teams.removeMember(path.id, path.employeeId, { service, context });
    return { status: 204 };
  },
});
