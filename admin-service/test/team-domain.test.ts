import { randomUUID } from 'node:crypto';
import { connectDatabase, createInTransaction, type DatabasePool } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { createRecords, type Records, uniqueWord } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { createStores } from '../src/stores.ts';
import { createTeamService, type TeamService } from '../src/teams/teams-service.ts';

// These operations have no route: the platform's other parts will call them.
describe('The domain of teams', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  let records: Records;
  let teams: TeamService;
  before('compose the domain on a database of its own', async () => {
    database = await createTestDatabase();
    pool = connectDatabase({
      url: database.url,
      applicationName: 'team-domain-test',
      maxConnections: 5,
      onError: () => undefined,
    });
    records = createRecords(database.url);
    teams = createTeamService({
      stores: createStores(pool),
      inTransaction: createInTransaction(pool, createStores),
    });
  });
  after('let go of it', async () => {
    await pool?.close();
    await records?.close();
    await database?.drop();
  });

  const statusesOf = async (teamId: string) => {
    const { members } = await teams.getTeam(teamId);
    return Object.fromEntries(members.map(({ employeeId, status }) => [employeeId, status]));
  };
  const codeOf = (attempt: Promise<unknown>): Promise<string> =>
    attempt.then(
      () => 'done',
      (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
    );
  const administrator = { role: 'ADMINISTRATOR' } as const;

  it('When a team is created, then it is in onboarding and not verified', async () => {
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

  it('When a member leaves, then the member is removed, with the time of it, and the others stay', async () => {
    const teamId = await records.team();
    const leader = await records.member(teamId, administrator);
    const member = await records.member(teamId);
    await teams.leaveTeam(teamId, member);
    expect(await statusesOf(teamId)).to.deep.equal({ [leader]: 'ACTIVE', [member]: 'REMOVED' });
    const { members } = await teams.getTeam(teamId);
    const left = members.find(({ employeeId }) => employeeId === member);
    expect(Math.abs(Date.now() - Number(left?.removedAt))).to.be.below(60_000);
  });

  it('When the last administrator leaves, then 409, and nothing changes', async () => {
    const teamId = await records.team();
    const leader = await records.member(teamId, administrator);
    await records.member(teamId);
    expect(await codeOf(teams.leaveTeam(teamId, leader))).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    expect((await statusesOf(teamId))[leader]).to.equal('ACTIVE');
  });

  it('When the other administrators are only invited, or were removed, then the last active one cannot leave', async () => {
    for (const status of ['INVITED', 'REMOVED'] as const) {
      const teamId = await records.team();
      const leader = await records.member(teamId, administrator);
      await records.member(teamId, { ...administrator, status });
      expect(await codeOf(teams.leaveTeam(teamId, leader)), status).to.equal('409 LAST_TEAM_ADMINISTRATOR');
    }
  });

  it('When an administrator who never joined declines, then the active one is not counted against it', async () => {
    const teamId = await records.team();
    const leader = await records.member(teamId, administrator);
    const invited = await records.member(teamId, { ...administrator, status: 'INVITED' });
    await teams.leaveTeam(teamId, invited);
    expect(await statusesOf(teamId)).to.deep.equal({ [leader]: 'ACTIVE', [invited]: 'REMOVED' });
  });

  it('When one of two administrators leaves, then it is done, and the other one is the last', async () => {
    const teamId = await records.team();
    const [one, other] = [
      await records.member(teamId, administrator),
      await records.member(teamId, administrator),
    ];
    await teams.leaveTeam(teamId, one);
    expect(await codeOf(teams.leaveTeam(teamId, other))).to.equal('409 LAST_TEAM_ADMINISTRATOR');
  });

  it('When two administrators leave at once, then one does, and the other gets 409', async () => {
    const teamId = await records.team();
    const both = [await records.member(teamId, administrator), await records.member(teamId, administrator)];
    const lock = await holdLock(database.url, 'select 1 from teams where id = $1 for update', [teamId]);
    const attempts = both.map((employeeId) => codeOf(teams.leaveTeam(teamId, employeeId)));
    await lock.untilWaiting(2);
    await lock.release();
    expect((await Promise.all(attempts)).sort()).to.deep.equal(['409 LAST_TEAM_ADMINISTRATOR', 'done']);
    expect(Object.values(await statusesOf(teamId)).sort()).to.deep.equal(['ACTIVE', 'REMOVED']);
  });

  it('When five administrators leave at once, then four do', async () => {
    const teamId = await records.team();
    const all = [];
    for (let index = 0; index < 5; index += 1) all.push(await records.member(teamId, administrator));
    const codes = await Promise.all(all.map((employeeId) => codeOf(teams.leaveTeam(teamId, employeeId))));
    expect(codes.sort()).to.deep.equal(['409 LAST_TEAM_ADMINISTRATOR', ...Array(4).fill('done')]);
  });

  it('When somebody leaves who is no member, or not any more, then 404', async () => {
    const teamId = await records.team();
    const removed = await records.member(teamId, { status: 'REMOVED' });
    const elsewhere = await records.member(await records.team());
    for (const employeeId of [removed, elsewhere, randomUUID()])
      expect(await codeOf(teams.leaveTeam(teamId, employeeId))).to.equal('404 TEAM_NOT_FOUND');
    expect(await codeOf(teams.leaveTeam(randomUUID(), elsewhere))).to.equal('404 TEAM_NOT_FOUND');
  });

  it('lists the requested page of the teams with a status', async () => {
    const [older, newer] = [
      await records.team({ status: 'ARCHIVED', createdAt: new Date(Date.now() - 60_000) }),
      await records.team({ status: 'ARCHIVED' }),
    ];
    const list = async (page: number) => {
      const { rows, total } = await teams.list('ARCHIVED', { page, perPage: 1 });
      return { ids: rows.map(({ id }) => id), total };
    };
    expect(await list(1)).to.deep.equal({ ids: [newer], total: 2 });
    expect(await list(2)).to.deep.equal({ ids: [older], total: 2 });
  });
});
