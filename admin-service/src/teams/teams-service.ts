import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AdminCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import {
  memberNotFound,
  type NewTeam,
  requireRemainingAdministrator,
  type Team,
  type TeamDetail,
  teamNotFound,
  teamNotOnboarding,
} from './team.ts';
import type { TeamStore } from './teams-store.ts';

export type TeamStores = { teams: TeamStore; audit: AuditLog };

type Dependencies = { stores: Pick<TeamStores, 'teams'>; inTransaction: InTransaction<TeamStores> };

export const createTeamService = ({ stores: { teams }, inTransaction }: Dependencies) => ({
  /** @throws AppError 404 */
  getTeam: async (id: string): Promise<TeamDetail> => {
    const [team, members] = await Promise.all([teams.find(id), teams.findMembers(id)]);
    if (!team) throw teamNotFound();
    return { ...team, members };
  },

  createTeam: (team: NewTeam): Promise<Team> => teams.create(team),

  /** @throws AppError 404, 409 TEAM_NOT_ONBOARDING */
  verifyTeam: (id: string, { account }: AdminCaller, context: RequestContext): Promise<Team> =>
    inTransaction(async (stores) => {
      const verified = await stores.teams.verify(id);
      if (!verified) throw (await stores.teams.find(id)) ? teamNotOnboarding() : teamNotFound();
      await stores.audit.add({
        ...context,
        action: 'TEAM_VERIFIED',
        actorId: account.userId,
        targetType: 'TEAM',
        targetId: id,
      });
      return verified;
    }),

  /** @throws AppError 404, 409 LAST_TEAM_ADMINISTRATOR */
  leaveTeam: (teamId: string, employeeId: string): Promise<void> =>
    inTransaction(async (stores) => {
      if (!(await stores.teams.lock(teamId))) throw teamNotFound();
      const members = await stores.teams.findMembers(teamId);
      const isMember = members.some(
        (member) => member.employeeId === employeeId && member.status !== 'REMOVED',
      );
      if (!isMember) throw memberNotFound();
      requireRemainingAdministrator(members, employeeId);
      await stores.teams.removeMember(teamId, employeeId);
    }),
});

export type TeamService = ReturnType<typeof createTeamService>;
