import { randomUUID } from 'node:crypto';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdministrator, useAdminService } from './admin-service.ts';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('The card of a user', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const getUser = (id: string) => administrator().api.get(`/users/${id}`);

  it('When the user is a customer, then it shows the customer’s profile and no employee’s', async () => {
    const user = await service().records.user(['CUSTOMER'], { firstName: 'Grace' });
    const { status, body } = await getUser(user.id);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id: user.id, email: user.email, roles: ['CUSTOMER'], projects: [] });
    expect(body.profile.employee).to.equal(null);
    const { createdAt, updatedAt, ...profile } = body.profile.customer;
    const fields = { id: user.customerId, userId: user.id, firstName: 'Grace', lastName: null, phone: null };
    expect(profile).to.deep.equal(fields);
    for (const time of [createdAt, updatedAt]) expect(time).to.equal(new Date(time).toISOString());
  });

  it('When the user is customer and employee, then it shows both profiles', async () => {
    const user = await service().records.user(['CUSTOMER', 'EMPLOYEE']);
    const { body } = await getUser(user.id);
    expect(body.profile.customer.id).to.equal(user.customerId);
    expect(body.profile.employee.id).to.equal(user.employeeId);
    expect(body.roles).to.have.members(['CUSTOMER', 'EMPLOYEE']);
  });

  it('When the user holds a platform role, then it shows no profile', async () => {
    const { id } = await service().records.user(['ARBITER']);
    const { body } = await getUser(id);
    expect(body).to.deep.include({ roles: ['ARBITER'], profile: { customer: null, employee: null } });
  });

  it('When the user is blocked, then the card is shown all the same', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true, isEmailVerified: true });
    const { status, body } = await getUser(id);
    expect(status).to.equal(200);
    expect(body).to.include({ isBlocked: true, isEmailVerified: true });
  });

  it('When the user owns projects, then they are listed newest first, without the deleted ones', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const old = await records.project({ ownerId, title: 'Old one', createdAt: minutesAgo(9) });
    await records.project({ ownerId, title: 'Deleted one', deletedAt: new Date() });
    const fresh = { title: 'New one', status: 'CONTRACTING', category: 'DATA', createdAt: minutesAgo(1) };
    const recent = await records.project({ ownerId, ...fresh });
    await records.project({ title: 'Of somebody else' });
    const { projects } = (await getUser(ownerId)).body;
    expect(projects.map(({ id }: { id: string }) => id)).to.deep.equal([recent, old]);
    expect(projects[0]).to.deep.equal({ id: recent, ...fresh, createdAt: fresh.createdAt.toISOString() });
  });

  it('When there is no such user, then 404', async () => {
    expectError(await getUser(randomUUID()), 404, 'USER_NOT_FOUND');
    expectError(await getUser('00000000-0000-0000-0000-000000000000'), 404, 'USER_NOT_FOUND');
  });
});
