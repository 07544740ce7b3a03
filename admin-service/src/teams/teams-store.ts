import type { Database } from '@platform/shared/db/database';
import type { List } from '../lists/lists.ts';
import type { NewTeam, Team, TeamMember } from './team.ts';

const COLUMNS = [
  'id',
  'createdAt',
  'updatedAt',
  'name',
  'slug',
  'bio',
  'status',
  'externalExperience',
  'verifiedAt',
] as const;

export const TEAMS: List = {
  name: 'teams',
  from: 'teams t',
  id: 't.id',
  createdAt: 't.created_at',
  filters: { status: 't.status = ?' },
  columns:
    't.id, t.created_at, t.updated_at, t.name, t.slug, t.bio, t.status, t.external_experience, t.verified_at',
  joins: 'join teams t on t.id = page.id',
};

export const createTeamStore = (database: Database) => ({
  find: async (id: string): Promise<Team | undefined> =>
    await database('teams')
      .where({ id })
      .first(...COLUMNS),

  findMembers: async (teamId: string): Promise<TeamMember[]> =>
    await database('team_members')
      .where({ teamId })
      .select('employeeId', 'role', 'canSign', 'canSubmit', 'status', 'removedAt')
      .orderBy(['createdAt', 'employeeId']),

  /** A team is in onboarding until an administrator verifies it. */
  create: async (team: NewTeam): Promise<Team> => {
    const [created] = await database('teams').insert({ ...team, status: 'ONBOARDING' }, COLUMNS);
    return created;
  },

  /** Locks the team and its member list until the transaction ends. False if the team does not exist. */
  lock: async (id: string): Promise<boolean> =>
    (await database('teams').where({ id }).forNoKeyUpdate().first('id')) !== undefined,

  /** Undefined if the team is not in onboarding. Of two concurrent calls, one succeeds. */
  verify: async (id: string): Promise<Team | undefined> => {
    const now = database.fn.now();
    const [verified] = await database('teams')
      .where({ id, status: 'ONBOARDING' })
      .update({ status: 'ACTIVE', verifiedAt: now, updatedAt: now }, COLUMNS);
    return verified;
  },

  removeMember: async (teamId: string, employeeId: string): Promise<void> => {
    await database('team_members')
      .where({ teamId, employeeId })
      .update({ status: 'REMOVED', removedAt: database.fn.now() });
  },
});

export type TeamStore = ReturnType<typeof createTeamStore>;
