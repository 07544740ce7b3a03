import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

const MEMBER = { role: 'MEMBER', status: 'ACTIVE', canSign: false, canSubmit: false };
const INVITED = { ...MEMBER, status: 'INVITED' };
const LEADING = { role: 'ADMINISTRATOR', status: 'ACTIVE', canSign: true, canSubmit: true };

describe('team members of other services', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const client = () => createServiceClient(service().url);
  const put = (id: string, employeeId: string, body: object = MEMBER) =>
    client().putTeamMember({ id, employeeId, body });
  const remove = (id: string, employeeId: string) => client().removeTeamMember({ id, employeeId });
  const eventsOf = (id: string) => service().records.eventsOf(id);
  const statusesOf = async (id: string): Promise<Record<string, string>> => {
    const { members } = (await client().getTeamById({ id })).body;
    return Object.fromEntries(
      members.map(({ employeeId, status }: { employeeId: string; status: string }) => [employeeId, status]),
    );
  };
  /** A team with one active administrator. */
  const createTeam = async () => {
    const id = await service().records.team();
    return { id, leader: await service().records.member(id, { role: 'ADMINISTRATOR' }) };
  };

  it('are added, changed, removed and added again, and each change has an event and an audit record', async () => {
    const { records } = service();
    const { id } = await createTeam();
    const { id: userId, employeeId } = await records.user(['EMPLOYEE']);
    const member = { employeeId, userId, removedAt: null };
    for (const state of [INVITED, { ...MEMBER, canSubmit: true }]) {
      const { status, body } = await put(id, employeeId, state);
      expect({ status, body }).to.deep.equal({ status: 200, body: { ...member, ...state } });
    }
    expect((await remove(id, employeeId)).status).to.equal(204);
    expect((await statusesOf(id))[employeeId]).to.equal('REMOVED');
    expect((await put(id, employeeId.toUpperCase(), LEADING)).body).to.deep.equal({ ...member, ...LEADING });

    const data = { employeeId, userId };
    const changes = ['added', 'changed', 'removed', 'added'];
    expect(await eventsOf(id)).to.deep.equal(
      changes.map((change) => ({ type: `team.member-${change}`, data })),
    );
    const audit = await records.auditOf(id);
    expect(audit.map(({ action, actorId, details }) => [action, actorId, details['service']])).to.deep.equal(
      changes.map((change) => [`TEAM_MEMBER_${change.toUpperCase()}`, null, SERVICE.name]),
    );
    expect(audit[1]?.details).to.deep.equal({ ...data, ...MEMBER, canSubmit: true, service: SERVICE.name });
  });

  it('are shown to an ADMIN', async () => {
    const { id, leader } = await createTeam();
    const { employeeId } = await service().records.user(['EMPLOYEE']);
    await put(id, employeeId, INVITED);
    const { members } = (await service().administrator.getTeam({ teamId: id })).body;
    expect(members).to.have.lengthOf(2);
    expect(members[0].employeeId).to.equal(leader);
    expect(members[1]).to.deep.equal({ employeeId, ...INVITED, removedAt: null });
  });

  it('have neither an event nor an audit record when nothing changes', async () => {
    const { id, leader } = await createTeam();
    const state = { ...LEADING, canSign: false, canSubmit: false };
    expect((await put(id, leader, state)).status).to.equal(200);
    expect(await eventsOf(id)).to.deep.equal([]);
    expect(await service().records.auditOf(id)).to.deep.equal([]);
  });

  it('keep one active administrator', async () => {
    const { records } = service();
    const { id, leader } = await createTeam();
    await records.member(id);
    for (const status of ['INVITED', 'REMOVED'] as const)
      await records.member(id, { role: 'ADMINISTRATOR', status });
    for (const response of [
      await put(id, leader, MEMBER),
      await put(id, leader, { ...LEADING, status: 'INVITED' }),
      await remove(id, leader),
    ])
      expectError(response, 409, 'LAST_TEAM_ADMINISTRATOR');
    expect((await statusesOf(id))[leader]).to.equal('ACTIVE');
    expect(await eventsOf(id)).to.deep.equal([]);

    const { employeeId } = await records.user(['EMPLOYEE']);
    await put(id, employeeId, LEADING);
    expect((await put(id, leader, MEMBER)).status).to.equal(200);
    expectError(await remove(id, employeeId), 409, 'LAST_TEAM_ADMINISTRATOR');
    expect((await remove(id, leader)).status).to.equal(204);
  });

  it('can leave a team that has no administrator, or join it', async () => {
    const id = await service().records.team();
    const member = await service().records.member(id);
    const { employeeId } = await service().records.user(['EMPLOYEE']);
    expect((await put(id, employeeId)).status).to.equal(200);
    expect((await remove(id, member)).status).to.equal(204);
  });

  it('keep one of two administrators who leave concurrently', async () => {
    const { id, leader } = await createTeam();
    const both = [leader, await service().records.member(id, { role: 'ADMINISTRATOR' })];
    const lock = await holdLock(service().databaseUrl, 'select 1 from teams where id = $1 for update', [id]);
    const requests = Promise.all(both.map((employeeId) => remove(id, employeeId)));
    await lock.releaseWhenWaiting(2);
    expect((await requests).map(({ status }) => status).sort()).to.deep.equal([204, 409]);
    expect(Object.values(await statusesOf(id)).sort()).to.deep.equal(['ACTIVE', 'REMOVED']);
    expect(await eventsOf(id)).to.have.lengthOf(1);
  });

  it('keep one of two administrators when one leaves while the account of the other is deleted', async () => {
    const { records, databaseUrl } = service();
    const { id, leader } = await createTeam();
    const other = await records.user(['EMPLOYEE']);
    await records.member(id, { employeeId: other.employeeId, role: 'ADMINISTRATOR' });
    const deletion = await holdLock(databaseUrl, 'select delete_account($1)', [other.id]);
    const request = remove(id, leader);
    await deletion.commitWhenWaiting(1);
    expectError(await request, 409, 'LAST_TEAM_ADMINISTRATOR');
    expect(await statusesOf(id)).to.deep.equal({ [leader]: 'ACTIVE', [other.employeeId]: 'REMOVED' });
  });

  it('are not added while their account is being deleted', async () => {
    const { records, databaseUrl } = service();
    const { id } = await createTeam();
    const { id: userId, employeeId } = await records.user(['EMPLOYEE']);
    const deletion = await holdLock(databaseUrl, 'select delete_account($1)', [userId]);
    const request = put(id, employeeId);
    await deletion.commitWhenWaiting(1);
    expectError(await request, 404, 'EMPLOYEE_NOT_FOUND');
    expect(await eventsOf(id)).to.deep.equal([]);
  });

  it('are not added while they cease to be employees', async () => {
    const { records, databaseUrl } = service();
    const { id } = await createTeam();
    const { id: userId, employeeId } = await records.user(['EMPLOYEE']);
    // As the acceptance of an invitation, which also changes the user.
    const text = `with changed as (update users set is_email_verified = true where id = $1)
      select remove_unused_kinds($1)`;
    const acceptance = await holdLock(databaseUrl, text, [userId]);
    const request = put(id, employeeId);
    await acceptance.commitWhenWaiting(1);
    expectError(await request, 404, 'EMPLOYEE_NOT_FOUND');
  });

  it('are removed with their account, with one event', async () => {
    const { records } = service();
    const { id } = await createTeam();
    const { id: userId, employeeId } = await records.user(['EMPLOYEE']);
    await put(id, employeeId);
    await records.deleteAccount(userId);
    expectError(await remove(id, employeeId), 404, 'MEMBER_NOT_FOUND');
    expectError(await put(id, employeeId), 404, 'EMPLOYEE_NOT_FOUND');
    const data = { employeeId, userId };
    expect(await eventsOf(id)).to.deep.equal([
      { type: 'team.member-added', data },
      { type: 'team.member-removed', data },
    ]);
  });

  it('return 404 for an unknown team or employee, and for an employee who is no longer a member', async () => {
    const { records } = service();
    const { id } = await createTeam();
    const { employeeId } = await records.user(['EMPLOYEE']);
    expectError(await put(randomUUID(), employeeId), 404, 'TEAM_NOT_FOUND');
    expectError(await put(randomUUID(), randomUUID()), 404, 'TEAM_NOT_FOUND');
    expectError(await put(id, randomUUID()), 404, 'EMPLOYEE_NOT_FOUND');
    expectError(await remove(randomUUID(), employeeId), 404, 'TEAM_NOT_FOUND');
    const removed = await records.member(id, { status: 'REMOVED' });
    for (const each of [employeeId, randomUUID(), removed])
      expectError(await remove(id, each), 404, 'MEMBER_NOT_FOUND');
  });

  it('return 400 for a body that breaks the contract', async () => {
    const { id, leader } = await createTeam();
    for (const [field, value] of [
      ['role', 'OWNER'],
      ['role', null],
      ['status', 'REMOVED'],
      ['canSign', null],
      ['removedAt', null],
    ] as const)
      expectError(
        await put(id, leader, { ...LEADING, [field]: value }),
        400,
        'VALIDATION_FAILED',
        `/body/${field}`,
      );
    for (const field of Object.keys(LEADING)) {
      const body = Object.fromEntries(Object.entries(LEADING).filter(([name]) => name !== field));
      expectError(await put(id, leader, body), 400, 'VALIDATION_FAILED', `/body/${field}`);
    }
    expectError(await put(id, 'abc'), 400, 'VALIDATION_FAILED', '/params/employeeId');
  });
});
