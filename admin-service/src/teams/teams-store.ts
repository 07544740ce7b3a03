import type { Database } from '@platform/shared/db/database';
import { fetchPage, type List, type Page, type Paged } from '../lists/pagination.ts';
import type { NewTeam, Team, TeamMember, TeamStatus } from './team.ts';

const COLUMNS =
  't.id, t.created_at, t.updated_at, t.name, t.slug, t.bio, t.status, t.external_experience, t.verified_at';

const TEAMS: List = { table: 'teams', alias: 't', totals: 'team_totals', columns: COLUMNS };

export const createTeamStore = (database: Database, lists: Database) => ({
  list: (status: TeamStatus | undefined, page: Page): Promise<Paged<Team>> =>
    fetchPage(lists, TEAMS, { equals: { status } }, page),

  find: async (id: string): Promise<Team | undefined> => {
    const [team] = await database.query<Team>({
      name: 'team-by-id',
      text: `select ${COLUMNS} from teams t where t.id = $1`,
      values: [id],
    });
    return team;
  },

  findMembers: (teamId: string): Promise<TeamMember[]> =>
    database.query<TeamMember>({
      name: 'members-of-team',
      text: `select employee_id, role, can_sign, can_submit, status, removed_at from team_members
        where team_id = $1 order by created_at, employee_id`,
      values: [teamId],
    }),

  create: async ({ name, slug, bio, externalExperience }: NewTeam, status: TeamStatus): Promise<Team> => {
    const [team] = await database.query<Team>({
      name: 'create-team',
      text: `insert into teams as t (name, slug, bio, external_experience, status) values ($1, $2, $3, $4, $5)
        returning ${COLUMNS}`,
      values: [name, slug, bio, externalExperience, status],
    });
    if (!team) throw new Error('insert into teams returned no row');
    return team;
  },

  /** Locks the team and its member list until the transaction ends. False when the team does not exist. */
  lock: async (id: string): Promise<boolean> => {
    const rows = await database.query({
      name: 'lock-team',
      text: 'select 1 from teams where id = $1 for no key update',
      values: [id],
    });
    return rows.length === 1;
  },

  /** Undefined when the team is not in the status `from`; of two concurrent calls one succeeds. */
  verify: async (id: string, from: TeamStatus): Promise<Team | undefined> => {
    const [team] = await database.query<Team>({
      name: 'verify-team',
      text: `update teams t set status = 'ACTIVE', verified_at = now(), updated_at = now()
        where t.id = $1 and t.status = $2 returning ${COLUMNS}`,
      values: [id, from],
    });
    return team;
  },

  removeMember: async (teamId: string, employeeId: string): Promise<void> => {
    await database.query({
      name: 'remove-team-member',
      text: `update team_members set status = 'REMOVED', removed_at = now() where team_id = $1 and employee_id = $2`,
      values: [teamId, employeeId],
    });
  },
});
