import { expectError } from '@platform/shared/testing/responses';
import { createServiceClient, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

describe('users by ids for other services', () => {
  const service = useAdminService(SERVICE_ENVIRONMENT);
  const list = (id: readonly string[]) => createServiceClient(service().url).findUsers({ query: { id } });

  it('have their roles and profiles, and nothing else', async () => {
    const fields = { isBlocked: true, isEmailVerified: true, language: 'de' as const };
    const user = await service().records.user(['EMPLOYEE', 'ARBITER'], fields);
    const [found] = (await list([user.id])).body.data;
    const { createdAt, profile, ...rest } = found;
    expect(rest).to.deep.equal({
      id: user.id,
      email: user.email,
      isEmailVerified: true,
      isBlocked: true,
      roles: ['ARBITER', 'EMPLOYEE'],
      language: 'de',
      deletedAt: null,
    });
    const { createdAt: since, updatedAt, ...employee } = profile.employee;
    expect(employee).to.include({
      id: user.employeeId,
      userId: user.id,
      firstName: 'Ada',
      lastName: null,
      phone: null,
    });
    for (const time of [createdAt, since, updatedAt]) expect(new Date(time).toISOString()).to.equal(time);
    expect(profile.customer).to.equal(null);
  });

  it('include deleted users, without personal data', async () => {
    const user = await service().records.user(['CUSTOMER']);
    await service().records.deleteAccount(user.id);
    const { body } = await list([user.id]);
    expect(body.data[0]).to.deep.include({
      email: null,
      isEmailVerified: false,
      profile: { customer: null, employee: null },
    });
    expect(Date.parse(body.data[0].deletedAt)).to.be.closeTo(Date.now(), 60_000);
  });

  it('are found by an address instead, in any letter case, verified or not', async () => {
    const user = await service().records.user(['CUSTOMER']);
    const find = (query: Record<string, string | readonly string[]>) =>
      createServiceClient(service().url).findUsers({ query });
    const { body } = await find({ email: user.email.toUpperCase() });
    expect(body.data).to.have.length(1);
    expect(body.data[0]).to.include({ id: user.id, isEmailVerified: false });
    expect((await find({ email: 'nobody@example.com' })).body).to.deep.equal({ data: [] });
    for (const email of ['ada', '', [user.email, 'b@example.com']])
      expectError(await find({ email }), 400, 'VALIDATION_FAILED', '/query/email');
    for (const query of [{}, { email: user.email, id: user.id }])
      expectError(await find(query), 400, 'VALIDATION_FAILED', '/query/id');
  });
});
