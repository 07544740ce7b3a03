import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, useAdminService, withQuery } from '../../testing/admin-service.ts';

describe('deleted users', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const get = (path: string, query: Record<string, string | number | boolean> = {}) =>
    administrator().send('GET', withQuery(path, query));
  const createDeletedUser = async () => {
    const word = uniqueWord();
    const user = await service().records.user(['CUSTOMER', 'EMPLOYEE'], {
      email: `${word}@example.com`,
      isEmailVerified: true,
    });
    const projectId = await service().records.project({ ownerId: user.id, title: word });
    await service().records.deleteAccount(user.id);
    return { ...user, word, projectId };
  };

  it('stay in the list and its total, without an address', async () => {
    const total = (await get('/users')).body.total;
    const { id } = await createDeletedUser();
    const { body } = await get('/users');
    expect(body.total).to.equal(total + 1);
    const [item] = body.data;
    expect(item).to.deep.include({
      id,
      email: 'deleted',
      isEmailVerified: false,
      roles: ['CUSTOMER', 'EMPLOYEE'],
    });
    const filtered = await get('/users', { role: 'EMPLOYEE', isBlocked: false, perPage: 100 });
    expect(getIds(filtered)).to.include(id);
    expect(filtered.body.total).to.equal(filtered.body.data.length);
  });

  it('match neither their former address nor the word deleted', async () => {
    const { word, email } = await createDeletedUser();
    const named = await service().records.user(['CUSTOMER'], { email: `deleted.${word}@example.com` });
    const byWord = await get('/users', { search: word });
    expect([getIds(byWord), byWord.body.total]).to.deep.equal([[named.id], 1]);
    expect((await get('/users', { search: email })).body.total).to.equal(1);
    const { body } = await get('/users', { search: 'deleted', perPage: 100 });
    expect([body.data.map((user: { email: string }) => user.email), body.total]).to.deep.equal([
      [named.email],
      1,
    ]);
  });

  it('show a card without address, names and phone, but with their projects', async () => {
    const { id, projectId } = await createDeletedUser();
    const { status, body } = await get(`/users/${id}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      id,
      email: 'deleted',
      isEmailVerified: false,
      profile: { customer: null, employee: null },
    });
    expect(body.projects.map((project: { id: string }) => project.id)).to.deep.equal([projectId]);
  });

  it('keep a profile without names as long as a team refers to it', async () => {
    const { records } = service();
    const teamId = await records.team();
    await records.member(teamId, { role: 'ADMINISTRATOR' });
    const employeeId = await records.member(teamId);
    const [{ userId } = { userId: '' }] = await records.query<{ userId: string }>(
      'select user_id as "userId" from employee_profiles where id = $1',
      [employeeId],
    );
    await records.deleteAccount(userId);
    const { employee } = (await get(`/users/${userId}`)).body.profile;
    expect(employee).to.include({ id: employeeId, firstName: null, lastName: null, phone: null });
    const { members } = (await get(`/administrator/teams/${teamId}`)).body;
    expect(members.find((member: { employeeId: string }) => member.employeeId === employeeId)).to.include({
      status: 'REMOVED',
    });
  });

  it('own their projects anonymously, in the list and in the card', async () => {
    const { id, word, projectId } = await createDeletedUser();
    const owner = { id, email: 'deleted', firstName: null, lastName: null };
    const { body } = await get('/projects', { search: word });
    expect(body.data.map((project: { owner: object }) => project.owner)).to.deep.equal([owner]);
    expect((await get(`/projects/${projectId}`)).body.owner).to.deep.equal(owner);
    expect((await administrator().deleteProject({ id: projectId })).status).to.equal(204);
    const restored = await administrator().restoreProject({ id: projectId });
    expect(restored.body.owner).to.deep.equal(owner);
  });

  it('can neither be blocked nor unblocked', async () => {
    const { id } = await createDeletedUser();
    for (const change of ['block', 'unblock'])
      expectError(await administrator().send('PATCH', `/users/${id}/${change}`), 404, 'USER_NOT_FOUND');
    const blocked = await service().records.user(['CUSTOMER'], { isBlocked: true });
    await service().records.deleteAccount(blocked.id);
    expectError(await administrator().unblockUser({ id: blocked.id }), 404, 'USER_NOT_FOUND');
    expect((await get('/users', { isBlocked: true, perPage: 100 })).body.data[0]).to.include({
      email: 'deleted',
    });
  });

  it('leave their address to a new account', async () => {
    const { id, email, word } = await createDeletedUser();
    const successor = await service().records.user(['CUSTOMER'], { email });
    expect(getIds(await get('/users', { search: word }))).to.deep.equal([successor.id]);
    expect((await get(`/users/${id}`)).body.email).to.equal('deleted');
  });

  it('appear in the audit log by their id', async () => {
    const { id } = await service().records.user(['CUSTOMER']);
    await administrator().blockUser({ id });
    await service().records.deleteAccount(id);
    const { body } = await get('/administrator/audit-log', { targetId: id });
    expect(body.data).to.have.lengthOf(1);
    expect(body.data[0]).to.include({ action: 'USER_BLOCKED', targetId: id });
  });
});
