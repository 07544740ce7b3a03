import { type Database, query } from '@platform/shared/db/database';
import {
  type IdList,
  type IdPage,
  type IdPageQuery,
  toIdPage,
  toIdPageStatement,
} from '../lists/id-pages.ts';
import type { FetchPage, List, Page } from '../lists/lists.ts';
import { inAnyForm } from '../lists/search-scripts.ts';
import { toWords } from '../lists/searches.ts';
import type {
  Employee,
  MemberOfTeam,
  NewTeam,
  Team,
  TeamChange,
  TeamQuery,
  TeamWithMembers,
  WantedState,
} from './team.ts';

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

const LIST_COLUMNS =
  't.id, t.created_at, t.updated_at, t.name, t.slug, t.bio, t.status, t.external_experience, t.verified_at';

const TEAMS: List = {
  name: 'teams',
  from: 'teams t',
  id: 't.id',
  order: 't.created_at',
  filters: { status: 't.status = ?' },
  searched: [inAnyForm('search_text(t.name)'), inAnyForm('t.slug')],
  columns: LIST_COLUMNS,
  joins: 'join teams t on t.id = page.id',
};

export const createTeamList = (fetchPage: FetchPage) => ({
  list: ({ search, ...query }: TeamQuery): Promise<Page<Team>> =>
    fetchPage(TEAMS, { ...query, terms: toWords(search) }),
});

export type TeamList = ReturnType<typeof createTeamList>;

/** Every change of a row gives it another xmin (decision 32). One statement, so that it is the version of what it returns. */
const WITH_MEMBERS = `${LIST_COLUMNS}, concat_ws('-', t.xmin, members.version) as version,
  coalesce(members.list, '[]') as members`;
const MEMBERS = `
  cross join lateral (
    select md5(string_agg(m.xmin::text, ' ' order by m.employee_id)) as version,
      json_agg(json_build_object('employeeId', m.employee_id, 'userId', e.user_id, 'role', m.role, 'canSign', m.can_sign,
        'canSubmit', m.can_submit, 'status', m.status, 'removedAt', m.removed_at) order by m.created_at, m.employee_id) as list
    from team_members m join employee_profiles e on e.id = m.employee_id where m.team_id = t.id
  ) as members`;

const BY_IDS = `
  select ${WITH_MEMBERS} from unnest($1::uuid[]) with ordinality as asked (id, position)
  join teams t on t.id = asked.id ${MEMBERS} order by asked.position`;

export type TeamPageQuery = IdPageQuery & {
  employeeId?: string | undefined;
  status?: Team['status'] | undefined;
};

const BY_ID: IdList = {
  name: 'teams',
  from: 'teams t',
  id: 't.id',
  bytes: `coalesce(octet_length(t.bio), 0) + coalesce(octet_length(t.external_experience), 0) + 500
    + 250 * (select count(*) from team_members m where m.team_id = t.id)`,
  filters: {
    // Without the cursor ($1), the last page would read all memberships.
    employeeId: `t.id in (select m.team_id from team_members m
      where m.employee_id = ?::uuid and m.team_id > $1 and m.status <> 'REMOVED')`,
    status: 't.status = ?',
  },
  toRows: (keys) => `select ${WITH_MEMBERS}, page.found from (${keys}) page cross join lateral (
      select t.xmin, t.* from teams t where t.id = page.id limit 1
    ) t ${MEMBERS} order by page.id`,
};

type MemberJson = Omit<MemberOfTeam, 'removedAt'> & { removedAt: string | null };
type TeamRow = Omit<TeamWithMembers, 'members'> & { members: MemberJson[] };

const toTeam = ({ members, ...team }: TeamRow): TeamWithMembers => ({
  ...team,
  members: members.map(toMember),
});

const toMember = ({ removedAt, ...member }: MemberJson): MemberOfTeam => ({
  ...member,
  removedAt: removedAt === null ? null : new Date(removedAt),
});

export const createTeamStore = (database: Database) => {
  const listByIds = async (ids: readonly string[]): Promise<TeamWithMembers[]> => {
    const rows = await query<TeamRow>(database, { name: 'teams-by-ids', text: BY_IDS, values: [ids] });
    return rows.map(toTeam);
  };

  return {
    find: async (id: string): Promise<Team | undefined> =>
      await database('teams')
        .where({ id })
        .first(...COLUMNS),

    /** Returns the teams in the order of the ids, without unknown ones. */
    listByIds,

    /** Returns a page in the order of the ids. @throws AppError 400 */
    listPage: async (page: TeamPageQuery): Promise<IdPage<TeamWithMembers>> => {
      const rows = await query<TeamRow & { found: string }>(database, toIdPageStatement(BY_ID, page));
      const { data, nextCursor } = toIdPage<TeamRow>(BY_ID, page, rows);
      return { data: data.map(toTeam), nextCursor };
    },

    findWithMembers: async (id: string): Promise<TeamWithMembers | undefined> => (await listByIds([id]))[0],

    /** Until the transaction ends, the account cannot be deleted. Undefined for an unknown or deleted employee. */
    lockEmployee: async (employeeId: string): Promise<Employee | undefined> => {
      const profiles = () => database('employee_profiles as e').where('e.id', employeeId);
      const user = profiles().join('users as u', 'u.id', 'e.userId').whereNull('u.deletedAt');
      const employee = await user.forShare('u').first('e.id as employeeId', 'u.id as userId');
      // A second statement sees whether the profile has gone during the wait for the lock.
      return (await profiles().first('e.id')) && employee;
    },

    /**
     * Inserts a team in onboarding, where it stays until an administrator verifies it. False if another team has the slug.
     */
    insert: async (
      id: string,
      { name, bio, externalExperience }: NewTeam,
      slug: string,
      creationDigest: Buffer,
    ): Promise<boolean> => {
      const team = { id, name, bio, externalExperience, slug, creationDigest, status: 'ONBOARDING' };
      const inserted = await database('teams').insert(team, ['id']).onConflict('slug').ignore();
      return inserted.length > 0;
    },

    update: async (id: string, change: TeamChange): Promise<void> => {
      await database('teams')
        .where({ id })
        .update({ ...change, updatedAt: database.fn.now() });
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

    findMember: async (teamId: string, employeeId: string): Promise<MemberOfTeam | undefined> =>
      await database('team_members as m')
        .join('employee_profiles as e', 'e.id', 'm.employeeId')
        .where({ teamId, employeeId })
        .first('employeeId', 'e.userId', 'role', 'canSign', 'canSubmit', 'status', 'removedAt'),

    /** Adds a member, also a removed one again, or changes one. */
    putMember: async (teamId: string, employeeId: string, wanted: WantedState): Promise<void> => {
      const { role, status, canSign, canSubmit } = wanted;
      const state = { role, status, canSign, canSubmit, removedAt: null };
      await database('team_members')
        .insert({ teamId, employeeId, role, status, canSign, canSubmit })
        .onConflict(['teamId', 'employeeId'])
        .merge(state);
    },

    /** Whether the team has no other active administrator. Requires a transaction that has locked the team. */
    isLastAdministrator: async (teamId: string, employeeId: string): Promise<boolean> => {
      const { rows } = await database.raw('select is_last_administrator(?, ?) as "isLast"', [
        teamId,
        employeeId,
      ]);
      return rows[0].isLast;
    },

    /** Requires a transaction that has locked the team. False for the last administrator, who is not removed. */
    removeMember: async (teamId: string, employeeId: string): Promise<boolean> => {
      const { rows } = await database.raw('select leave_teams(?, array[?::uuid]) as rejection', [
        employeeId,
        teamId,
      ]);
      return rows[0].rejection === null;
    },
  };
};

export type TeamStore = ReturnType<typeof createTeamStore>;
