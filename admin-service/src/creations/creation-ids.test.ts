import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { UserRecord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const TEXTS = { title: 'Online shop', description: 'Twelve products.', category: 'WEB' };

describe('ids of projects and teams', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const client = () => createServiceClient(service().url);
  let person: UserRecord;
  before('create a customer and employee', async () => {
    person = await service().records.user(['CUSTOMER', 'EMPLOYEE']);
  });
  const putProject = (id: string, body: object = {}) =>
    client().putProject({ id, body: { ownerId: person.id, ...TEXTS, ...body } });
  const putTeam = (id: string, body: object = {}) =>
    client().putTeam({ id, body: { name: 'North Studio', administratorId: person.employeeId, ...body } });

  it('are 409 ID_TAKEN when a user has them, also a deleted one, or a profile, before 404 and SLUG_TAKEN', async () => {
    const { records } = service();
    const deleted = await records.user(['CUSTOMER']);
    await records.deleteAccount(deleted.id);
    const slug = (await putTeam(randomUUID())).body.slug;
    for (const id of [person.id, person.customerId, person.employeeId, deleted.id, person.id.toUpperCase()]) {
      for (const body of [{}, { ownerId: randomUUID() }])
        expectError(await putProject(id, body), 409, 'ID_TAKEN');
      for (const body of [{}, { slug }, { administratorId: randomUUID() }])
        expectError(await putTeam(id, body), 409, 'ID_TAKEN');
    }
  });

  it('are 409 ID_TAKEN when a record of the other type has them, also a deleted project', async () => {
    const [project, team] = [randomUUID(), randomUUID()];
    await putProject(project);
    await putTeam(team);
    expectError(await putProject(team), 409, 'ID_TAKEN');
    await service().administrator.deleteProject({ id: project });
    expectError(await putTeam(project), 409, 'ID_TAKEN');
    expect((await putProject(project)).status).to.equal(200);
    expect((await putTeam(team)).status).to.equal(200);
  });

  it('are taken by one of a project and a team that are created at the same time', async () => {
    const id = randomUUID();
    // Both requests wait for this lock where the creation begins.
    const lock = await holdLock(
      service().databaseUrl,
      'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      [id],
    );
    const responses = [putProject(id), putTeam(id)];
    await lock.commitWhenWaiting(2);
    const statuses = (await Promise.all(responses)).map(({ status, body }) => [status, body.code]);
    expect(statuses).to.have.deep.members([
      [201, undefined],
      [409, 'ID_TAKEN'],
    ]);
  });

  it('are 400 as the nil and the max UUID, which no other UUID of zeros and Fs is', async () => {
    for (const id of [NIL, MAX, MAX.toUpperCase()])
      for (const response of [await putProject(id), await putTeam(id)])
        expectError(response, 400, 'VALIDATION_FAILED', '/params/id');
    for (const digit of ['0', 'f', 'F', '7']) {
      const id = `${MAX.slice(0, -13)}${NIL.slice(-13, -1)}${digit}`;
      expect((await putProject(id)).status, id).to.be.oneOf([200, 201]);
    }
  });

  it('are 404 as the nil and the max UUID where they are read or name somebody', async () => {
    const team = (await putTeam(randomUUID())).body.id;
    const state = { role: 'MEMBER', status: 'ACTIVE', canSign: false, canSubmit: false };
    for (const id of [NIL, MAX]) {
      expectError(await client().getProjectById({ id }), 404, 'PROJECT_NOT_FOUND');
      expectError(await client().changeProject({ id, body: {} }), 404, 'PROJECT_NOT_FOUND');
      expectError(await client().getTeamById({ id }), 404, 'TEAM_NOT_FOUND');
      expectError(await client().changeTeam({ id, body: {} }), 404, 'TEAM_NOT_FOUND');
      expectError(await putProject(randomUUID(), { ownerId: id }), 404, 'USER_NOT_FOUND');
      expectError(await putTeam(randomUUID(), { administratorId: id }), 404, 'EMPLOYEE_NOT_FOUND');
      const member = { id: team, employeeId: id };
      expectError(await client().putTeamMember({ ...member, body: state }), 404, 'EMPLOYEE_NOT_FOUND');
      expectError(await client().removeTeamMember(member), 404, 'MEMBER_NOT_FOUND');
      const inTeam = { id, employeeId: person.employeeId };
      expectError(await client().putTeamMember({ ...inTeam, body: state }), 404, 'TEAM_NOT_FOUND');
      for (const list of ['listProjects', 'listTeams', 'findUsers'] as const)
        expect((await client()[list]({ query: { id } })).body.data, list).to.deep.equal([]);
    }
  });
});
