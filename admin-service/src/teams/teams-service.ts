import { randomBytes } from 'node:crypto';
import { requireMatch } from '@platform/shared/http/entity-tag';
import { type ByAdministrator, type ByService, toAuditRecord } from '@platform/shared/platform/access/by';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { Creation } from '../creations/creation.ts';
import type { CreationStore } from '../creations/creations-store.ts';
import type { InTransactionBy } from '../infrastructure.ts';
import type { IdPage } from '../lists/id-pages.ts';
import type { Page } from '../lists/lists.ts';
import {
  diffTeam,
  type Employee,
  employeeNotFound,
  hasState,
  isActiveAdministrator,
  isMember,
  lastTeamAdministrator,
  type MemberOfTeam,
  memberNotFound,
  type NewTeam,
  slugTaken,
  type Team,
  type TeamChange,
  type TeamQuery,
  type TeamWithMembers,
  teamNotFound,
  teamNotOnboarding,
  toSlug,
  type WantedState,
} from './team.ts';
import type { TeamList, TeamPageQuery, TeamStore } from './teams-store.ts';

type TeamStores = { teams: TeamStore; creations: CreationStore; audit: AuditLog };

type Dependencies = {
  stores: Pick<TeamStores, 'teams'>;
  lists: { teams: TeamList };
  inTransaction: InTransactionBy<TeamStores>;
};

const toTarget = (id: string) => ({ targetType: 'TEAM', targetId: id }) as const;

const requireTeam = (team: TeamWithMembers | undefined): TeamWithMembers => {
  if (!team) throw teamNotFound();
  return team;
};

/** The first administrator is active, and can sign and submit. */
const LEADING = { role: 'ADMINISTRATOR', status: 'ACTIVE', canSign: true, canSubmit: true } as const;

/** Locks the account first, as its deletion does. @throws AppError 404 */
const lockEmployeeAndTeam = async (
  teams: TeamStore,
  employeeId: string,
  teamId: string,
): Promise<Employee> => {
  const employee = await teams.lockEmployee(employeeId);
  if (!(await teams.lock(teamId))) throw teamNotFound();
  if (!employee) throw employeeNotFound();
  return employee;
};

/** @throws AppError 409 LAST_TEAM_ADMINISTRATOR */
const requireOtherAdministrator = async (teams: TeamStore, teamId: string, employeeId: string) => {
  if (await teams.isLastAdministrator(teamId, employeeId)) throw lastTeamAdministrator();
};

const SUFFIX_BYTES = 4;

/** Makes a slug from the name if the team has none. @throws AppError 409 SLUG_TAKEN */
const insertTeam = async (teams: TeamStore, id: string, team: NewTeam, digest: Buffer): Promise<void> => {
  if (team.slug !== null) {
    if (!(await teams.insert(id, team, team.slug, digest))) throw slugTaken();
    return;
  }
  let slug = toSlug(team.name);
  while (!(await teams.insert(id, team, slug, digest)))
    slug = toSlug(team.name, randomBytes(SUFFIX_BYTES).toString('hex'));
};

export const createTeamService = ({ stores: { teams }, lists, inTransaction }: Dependencies) => ({
  /** Newest first. */
  list: (query: TeamQuery): Promise<Page<Team>> => lists.teams.list(query),

  /** @throws AppError 404 */
  getTeam: async (id: string): Promise<TeamWithMembers> => requireTeam(await teams.findWithMembers(id)),

  listByIds: (ids: readonly string[]): Promise<TeamWithMembers[]> => teams.listByIds(ids),
  listPage: (page: TeamPageQuery): Promise<IdPage<TeamWithMembers>> => teams.listPage(page),

  /**
   * Creates a team with its first administrator, or returns the one that the same request has created before,
   * as it is now.
   * @throws AppError 404 EMPLOYEE_NOT_FOUND, 409 TEAM_EXISTS, ID_TAKEN, SLUG_TAKEN
   */
  putTeam: (id: string, team: NewTeam, by: ByService): Promise<Creation<TeamWithMembers>> =>
    inTransaction(by, async (stores) => {
      const isNew = await stores.creations.once('team', { id }, team, async (digest) => {
        const administrator = await stores.teams.lockEmployee(team.administratorId);
        if (!administrator) throw employeeNotFound();
        await insertTeam(stores.teams, id, team, digest);
        await stores.teams.putMember(id, administrator.employeeId, LEADING);
        await stores.audit.add(toAuditRecord(by, 'TEAM_CREATED', toTarget(id), administrator));
      });
      return { created: requireTeam(await stores.teams.findWithMembers(id)), isNew };
    }),

  /**
   * Unchanged values are neither stored nor audited.
   * @param ifMatch the header If-Match
   * @throws AppError 404, 412 CHANGED_MEANWHILE
   */
  changeTeam: (
    id: string,
    change: TeamChange,
    ifMatch: string | undefined,
    by: ByService,
  ): Promise<TeamWithMembers> =>
    inTransaction(by, async (stores) => {
      await stores.teams.lock(id);
      const stored = requireTeam(await stores.teams.findWithMembers(id));
      requireMatch(ifMatch, stored.version);
      const changes = diffTeam(stored, change);
      const fields = Object.keys(changes);
      if (fields.length === 0) return stored;
      await stores.teams.update(id, change);
      await stores.audit.add(toAuditRecord(by, 'TEAM_EDITED', toTarget(id), { fields, changes }));
      return requireTeam(await stores.teams.findWithMembers(id));
    }),

  /** @throws AppError 404, 409 TEAM_NOT_ONBOARDING */
  verifyTeam: (id: string, by: ByAdministrator): Promise<Team> =>
    inTransaction(by, async (stores) => {
      const verified = await stores.teams.verify(id);
      if (!verified) throw (await stores.teams.find(id)) ? teamNotOnboarding() : teamNotFound();
      await stores.audit.add(toAuditRecord(by, 'TEAM_VERIFIED', toTarget(id)));
      return verified;
    }),

  /**
   * Adds or changes a member.
   * @throws AppError 404 TEAM_NOT_FOUND, EMPLOYEE_NOT_FOUND; 409 LAST_TEAM_ADMINISTRATOR
   */
  putMember: (
    teamId: string,
    employeeId: string,
    wanted: WantedState,
    by: ByService,
  ): Promise<MemberOfTeam> =>
    inTransaction(by, async (stores) => {
      const employee = await lockEmployeeAndTeam(stores.teams, employeeId, teamId);
      const member = await stores.teams.findMember(teamId, employeeId);
      if (member && hasState(member, wanted)) return member;
      if (!isActiveAdministrator(wanted)) await requireOtherAdministrator(stores.teams, teamId, employeeId);
      await stores.teams.putMember(teamId, employeeId, wanted);
      const action = member && isMember(member) ? 'TEAM_MEMBER_CHANGED' : 'TEAM_MEMBER_ADDED';
      await stores.audit.add(toAuditRecord(by, action, toTarget(teamId), { ...employee, ...wanted }));
      return { ...employee, ...wanted, removedAt: null };
    }),

  /** @throws AppError 404 TEAM_NOT_FOUND, MEMBER_NOT_FOUND; 409 LAST_TEAM_ADMINISTRATOR */
  removeMember: (teamId: string, employeeId: string, by: ByService): Promise<void> =>
    inTransaction(by, async (stores) => {
      if (!(await stores.teams.lock(teamId))) throw teamNotFound();
      const member = await stores.teams.findMember(teamId, employeeId);
      if (!member || !isMember(member)) throw memberNotFound();
      if (!(await stores.teams.removeMember(teamId, employeeId))) throw lastTeamAdministrator();
      const details = { employeeId, userId: member.userId };
      await stores.audit.add(toAuditRecord(by, 'TEAM_MEMBER_REMOVED', toTarget(teamId), details));
    }),
});

export type TeamService = ReturnType<typeof createTeamService>;
