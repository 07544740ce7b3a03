import { type Role, uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

describe('search of users by name or address', () => {
  const service = useAdminService();
  const records = () => service().records;
  const find = (query: Record<string, string | number | boolean>) =>
    service().administrator.listUsers({ query });

  /** A customer and an employee who share a last name, and one whose address contains it; newest first. */
  const createNamesakes = async () => {
    const word = uniqueWord();
    const [customer, employee, addressed] = [
      await records().user(['CUSTOMER'], { lastName: word, firstName: 'Grace', createdAt: minutesAgo(1) }),
      await records().user(['EMPLOYEE'], { lastName: word, firstName: null, createdAt: minutesAgo(2) }),
      await records().user(['OPERATOR'], { email: `x.${word}@example.com`, createdAt: minutesAgo(3) }),
    ];
    return { word, customer, employee, addressed };
  };

  it('finds names of both profiles and addresses, newest first, and counts each user once', async () => {
    const { word, customer, employee, addressed } = await createNamesakes();
    const email = `${word}.${word}@example.com`;
    const both = await records().user(['CUSTOMER', 'EMPLOYEE'], { email, lastName: word });
    const ids = [both, customer, employee, addressed].map(({ id }) => id);
    const { status, body } = await find({ q: ` ${word.toUpperCase()} ` });
    expect(status).to.equal(200);
    expect(body).to.include({ total: 4, page: 1, perPage: 10 });
    expect(body.data.map(({ id }: { id: string }) => id)).to.deep.equal(ids);
    expect(getIds(await find({ q: word, page: 2, perPage: 3 }))).to.deep.equal([addressed.id]);
  });

  it('finds a part of the first and the last name', async () => {
    const { word, customer } = await createNamesakes();
    const { body } = await find({ q: `race ${word.slice(0, 6)}` });
    expect(body.data).to.have.lengthOf(1);
    expect(body.data[0]).to.include({ id: customer.id, name: `Grace ${word}`, lastSignInAt: null });
    expect((await find({ q: `${word} grace` })).body.total).to.equal(0);
  });

  it('shows a name without first or last name, and that of the employee without one of the customer', async () => {
    const { employee, word, addressed } = await createNamesakes();
    const both = await records().user(['CUSTOMER', 'EMPLOYEE'], { lastName: `${word}2` });
    await records().query(
      'update customer_profiles set first_name = null, last_name = null where user_id = $1',
      [both.id],
    );
    const { body } = await find({ q: word });
    const names = body.data.map(({ id, name }: { id: string; name: string }) => [id, name]);
    expect(names).to.deep.include.members([
      [employee.id, word],
      [both.id, `Ada ${word}2`],
      [addressed.id, null],
    ]);
  });

  it('combines with the other filters', async () => {
    const { word, customer, employee, addressed } = await createNamesakes();
    await records().block(employee.id);
    const found = async (filter: Record<string, string | boolean>) => {
      const response = await find({ q: word, ...filter });
      expect(response.body.total).to.equal(getIds(response).length);
      return getIds(response);
    };
    for (const [role, user] of [
      ['CUSTOMER', customer],
      ['EMPLOYEE', employee],
      ['OPERATOR', addressed],
    ] as const satisfies [Role, { id: string }][])
      expect(await found({ role })).to.deep.equal([user.id]);
    expect(await found({ isBlocked: true })).to.deep.equal([employee.id]);
    expect(await found({ isBlocked: false, role: 'EMPLOYEE' })).to.deep.equal([]);
    expect(await found({ search: 'X.' })).to.deep.equal([addressed.id]);
    expect(await found({ search: customer.email })).to.deep.equal([customer.id]);
    expect(await found({ search: customer.email, role: 'EMPLOYEE' })).to.deep.equal([]);
  });

  it('treats wildcards as ordinary characters, and an empty search as none', async () => {
    const word = uniqueWord();
    await records().user(['CUSTOMER'], { lastName: `${word}%_\\` });
    expect((await find({ q: `${word}%_\\` })).body.total).to.equal(1);
    for (const q of [`${word}_`, `%${word}%`]) expect((await find({ q })).body.total).to.equal(0);
    const all = (await find({})).body.total;
    for (const q of ['', '  ']) expect((await find({ q })).body.total).to.equal(all);
    expect((await find({ q: ' ', search: word })).body.total).to.equal(0);
  });

  it('does not find the name of a deleted user', async () => {
    const { word, customer } = await createNamesakes();
    await records().deleteAccount(customer.id);
    expect(getIds(await find({ q: word }))).not.to.include(customer.id);
  });

  it('returns 400 for more than 255 characters', async () => {
    expectError(await find({ q: 'x'.repeat(256) }), 400, 'VALIDATION_FAILED', '/query/q');
    expect((await find({ q: ` ${'x'.repeat(255)} ` })).status).to.equal(200);
  });
});
