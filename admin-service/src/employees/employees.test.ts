import { randomUUID } from 'node:crypto';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Card = { employeeId: string };

describe('employees', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = (...ids: string[]) => administrator().listEmployees({ query: { id: ids } });
  const get = (employeeId: string) => administrator().getEmployee({ employeeId });

  it('shows the person behind a member, with the teams', async () => {
    const { records } = service();
    const user = await records.user(['EMPLOYEE'], { firstName: 'Grace', isBlocked: true });
    const [first, second] = [await records.team({ name: 'North' }), await records.team({ name: 'South' })];
    await records.member(first, { employeeId: user.employeeId, role: 'ADMINISTRATOR' });
    await records.member(second, { employeeId: user.employeeId, status: 'REMOVED' });
    const { status, body } = await get(user.employeeId);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      employeeId: user.employeeId,
      userId: user.id,
      email: user.email,
      firstName: 'Grace',
      lastName: null,
      phone: null,
      isBlocked: true,
      isEmailVerified: false,
      teams: [
        { id: first, name: 'North', role: 'ADMINISTRATOR', status: 'ACTIVE' },
        { id: second, name: 'South', role: 'MEMBER', status: 'REMOVED' },
      ],
    });
    expect((await list(user.employeeId)).body).to.deep.equal({ data: [body] });
  });

  it('lists each employee once, in the order of the ids, without unknown and deleted ones', async () => {
    const { records } = service();
    const users = [];
    for (let count = 0; count < 4; count += 1) users.push(await records.user(['EMPLOYEE']));
    const ids = users.map(({ employeeId }) => employeeId).sort();
    const [first = '', second = '', third = '', deleted = ''] = ids;
    // A member keeps the profile of the employee, without personal data.
    await records.member(await records.team(), { employeeId: deleted });
    await records.deleteAccount(users.find(({ employeeId }) => employeeId === deleted)?.id ?? '');
    const { body } = await list(third, randomUUID(), first.toUpperCase(), deleted, third, first, second);
    expect(body.data.map(({ employeeId }: Card) => employeeId)).to.deep.equal([third, first, second]);
  });

  it('returns 404 for an unknown or deleted employee, a customer and a user id', async () => {
    const { records } = service();
    const customer = await records.user(['CUSTOMER']);
    const deleted = await records.user(['EMPLOYEE']);
    await records.member(await records.team(), { employeeId: deleted.employeeId });
    await records.deleteAccount(deleted.id);
    for (const id of [randomUUID(), customer.customerId, customer.id, deleted.employeeId])
      expectError(await get(id), 404, 'EMPLOYEE_NOT_FOUND');
    expectError(await get('none'), 400, 'VALIDATION_FAILED', '/params/employeeId');
  });

  it('accepts 1 to 100 ids', async () => {
    const path = '/administrator/employees';
    const withIds = (ids: readonly string[]) => `${path}?${ids.map((id) => `id=${id}`).join('&')}`;
    const ids = Array.from({ length: 101 }, () => randomUUID());
    const send = (url: string) => administrator().send('GET', url);
    expect((await send(withIds(ids.slice(1)))).body).to.deep.equal({ data: [] });
    for (const url of [path, withIds(ids), `${path}?id=`, `${path}?id=${uniqueWord()}`])
      expectError(await send(url), 400, 'VALIDATION_FAILED');
  });
});
