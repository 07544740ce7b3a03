import { randomUUID } from 'node:crypto';
import { NO_LOG } from '@platform/shared/db/command-database';
import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { createRecords, type Records, uniqueWord } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { bindStores } from '../stores.ts';
import { createTeamService, type TeamService } from './teams-service.ts';

// Some of these operations have no route yet.
describe('team service', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  let records: Records;
  let teams: TeamService;
  before('create the service on a new database', async () => {
    database = await createTestDatabase();
    pool = connectDatabase({
      url: database.url,
      applicationName: 'team-domain-test',
      maxConnections: 5,
      onError: () => undefined,
    });
    records = createRecords(database.url);
    teams = createTeamService(bindStores(pool.database, NO_LOG));
  });
  after('drop the database', async () => {
    await pool?.close();
    await records?.close();
    await database?.drop();
  });

  const getStatuses = async (teamId: string) => {
    const { members } = await teams.getTeam(teamId);
    return Object.fromEntries(members.map(({ employeeId, status }) => [employeeId, status]));
  };
  const getOutcome = (attempt: Promise<unknown>): Promise<string> =>
    attempt.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
    );
  const administrator = { role: 'ADMINISTRATOR' } as const;

  it('creates a team in onboarding that is not verified', async () => {
    const slug = uniqueWord();
    const team = await teams.createTeam({ name: 'North Studio', slug });
    expect(team).to.include({
      name: 'North Studio',
      slug,
      status: 'ONBOARDING',
      verifiedAt: null,
      bio: null,
    });
    expect(await teams.getTeam(team.id)).to.deep.equal({ ...team, members: [] });
  });

  it('removes a leaving member with the time and keeps the others', async () => {
    const teamId = await records.team();
    const leader = await records.member(teamId, administrator);
    const member = await records.member(teamId);
    await teams.leaveTeam(teamId, member);
    expect(await getStatuses(teamId)).to.deep.equal({ [leader]: 'ACTIVE', [member]: 'REMOVED' });
    const { members } = await teams.getTeam(teamId);
    const left = members.find(({ employeeId }) => employeeId === member);
    expect(Math.abs(Date.now() - Number(left?.removedAt))).to.be.below(60_000);
  });

  it('returns 409 when the last administrator leaves', async () => {
    const teamId = await records.team();
    const leader = await records.member(teamId, administrator);
    await records.member(teamId);
    expect(await getOutcome(teams.leaveTeam(teamId, leader))).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    expect((await getStatuses(teamId))[leader]).to.equal('ACTIVE');
  });

  it('does not count invited and removed administrators', async () => {
    for (const status of ['INVITED', 'REMOVED'] as const) {
      const teamId = await records.team();
      const leader = await records.member(teamId, administrator);
      await records.member(teamId, { ...administrator, status });
      expect(await getOutcome(teams.leaveTeam(teamId, leader)), status).to.equal(
        '409 LAST_TEAM_ADMINISTRATOR',
      );
    }
  });

  it('lets an invited administrator leave', async () => {
    const teamId = await records.team();
    const leader = await records.member(teamId, administrator);
    const invited = await records.member(teamId, { ...administrator, status: 'INVITED' });
    await teams.leaveTeam(teamId, invited);
    expect(await getStatuses(teamId)).to.deep.equal({ [leader]: 'ACTIVE', [invited]: 'REMOVED' });
  });

  it('lets one of two administrators leave when both leave concurrently', async () => {
    const teamId = await records.team();
    const both = [await records.member(teamId, administrator), await records.member(teamId, administrator)];
    const lock = await holdLock(database.url, 'select 1 from teams where id = $1 for update', [teamId]);
    const attempts = both.map((employeeId) => getOutcome(teams.leaveTeam(teamId, employeeId)));
    await lock.releaseWhenWaiting(2);
    expect((await Promise.all(attempts)).sort()).to.deep.equal(['409 LAST_TEAM_ADMINISTRATOR', 'done']);
    expect(Object.values(await getStatuses(teamId)).sort()).to.deep.equal(['ACTIVE', 'REMOVED']);
  });

  it('returns 404 for an employee who is not or no longer a member', async () => {
    const teamId = await records.team();
    const removed = await records.member(teamId, { status: 'REMOVED' });
    const elsewhere = await records.member(await records.team());
    for (const employeeId of [removed, elsewhere, randomUUID()])
      expect(await getOutcome(teams.leaveTeam(teamId, employeeId))).to.equal('404 TEAM_NOT_FOUND');
    expect(await getOutcome(teams.leaveTeam(randomUUID(), elsewhere))).to.equal('404 TEAM_NOT_FOUND');
  });
});
