import { expect } from 'chai';
import { minutesAgo, useAdminService } from '../../testing/admin-service.ts';

describe('user detail', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const getUser = (id: string) => administrator().getUser({ id });

  it('returns only the customer profile of a customer', async () => {
    const user = await service().records.user(['CUSTOMER'], { firstName: 'Grace' });
    const { status, body } = await getUser(user.id);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id: user.id, email: user.email, roles: ['CUSTOMER'], projects: [] });
    expect(body.profile.employee).to.equal(null);
    const { createdAt, updatedAt, ...profile } = body.profile.customer;
    const fields = { id: user.customerId, userId: user.id, firstName: 'Grace', lastName: null, phone: null };
    expect(profile).to.include(fields);
    for (const time of [createdAt, updatedAt]) expect(time).to.equal(new Date(time).toISOString());
  });

  it('returns both profiles of a customer and employee', async () => {
    const user = await service().records.user(['CUSTOMER', 'EMPLOYEE']);
    const { body } = await getUser(user.id);
    expect(body.profile.customer.id).to.equal(user.customerId);
    expect(body.profile.employee.id).to.equal(user.employeeId);
    expect(body.roles).to.have.members(['CUSTOMER', 'EMPLOYEE']);
  });

  it('returns no profile for a user with a platform role', async () => {
    const { id } = await service().records.user(['ARBITER']);
    const { body } = await getUser(id);
    expect(body).to.deep.include({ roles: ['ARBITER'], profile: { customer: null, employee: null } });
  });

  it('returns blocked users too', async () => {
    const { id } = await service().records.user(['CUSTOMER'], { isBlocked: true, isEmailVerified: true });
    const { status, body } = await getUser(id);
    expect(status).to.equal(200);
    expect(body).to.include({ isBlocked: true, isEmailVerified: true });
  });

  it('lists the user’s projects newest first, without deleted ones', async () => {
    const { records } = service();
    const { id: ownerId } = await records.user(['CUSTOMER']);
    const old = await records.project({ ownerId, title: 'Old one', createdAt: minutesAgo(9) });
    await records.project({ ownerId, title: 'Deleted one', deletedAt: new Date() });
    const newer = { title: 'New one', status: 'CONTRACTING', category: 'DATA', createdAt: minutesAgo(1) };
    const recent = await records.project({ ownerId, ...newer });
    await records.project({ title: 'Of somebody else' });
    const { projects } = (await getUser(ownerId)).body;
    expect(projects.map(({ id }: { id: string }) => id)).to.deep.equal([recent, old]);
    expect(projects[0]).to.deep.equal({ id: recent, ...newer, createdAt: newer.createdAt.toISOString() });
  });
});
