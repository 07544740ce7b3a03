import { randomInt } from 'node:crypto';
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
  });

  it('finds every word in any order, in one text', async () => {
    const { word, customer, addressed } = await createNamesakes();
    const half = word.slice(0, 6);
    for (const q of [
      `${word} grace`,
      `${word}, Grace`,
      `GRACE,${half}`,
      `\u00a0${half}\u3000 gra ,`,
      `${word} ${word} grace`,
    ])
      expect(getIds(await find({ q })), q).to.deep.equal([customer.id]);
    expect(getIds(await find({ q: `com x. ${word}` }))).to.deep.equal([addressed.id]);
    for (const q of [`${word} ada`, `grace ${customer.email} ${word}`])
      expect(getIds(await find({ q })), q).to.deep.equal([]);
  });

  it('finds the words of a name with doubled white space, or with characters that nobody sees', async () => {
    const word = uniqueWord();
    const hidden = `${word.slice(0, 4)}\u200c${word.slice(4, 8)}\u{e0061}${word.slice(8)}\ufe0f`;
    const { id } = await records().user(['EMPLOYEE'], { firstName: 'Tomasz  Jan\u00a0', lastName: hidden });
    for (const q of [
      word,
      hidden,
      `${word}, tomasz jan`,
      `jan  ${word.slice(0, 5)}\u200d${word.slice(5)}`,
      `\u2060 ${word}`,
    ])
      expect(getIds(await find({ q })), JSON.stringify(q)).to.deep.equal([id]);
  });

  it('finds administrators by words of their name', async () => {
    const word = uniqueWord();
    const { id } = await records().user(['ADMIN']);
    await records().query('update user_roles set name = $2 where user_id = $1', [id, `Ada ${word}`]);
    expect(getIds(await find({ q: `${word}, ada` }))).to.deep.equal([id]);
  });

  it('finds the digits of a phone number in any notation', async () => {
    const digits = String(randomInt(10 ** 9, 10 ** 10));
    const number = `${digits.slice(0, 3)} ${digits.slice(3)}`;
    const ids: string[] = [];
    for (const [minutes, phone] of [
      `+49 ${number}`,
      `0049/${number}`,
      `0${number}`,
      `+49 (0)${number}`,
      digits,
    ].entries()) {
      const { id } = await records().user([minutes % 2 === 0 ? 'CUSTOMER' : 'EMPLOYEE'], {
        createdAt: minutesAgo(minutes),
      });
      await records().query(
        `with c as (update customer_profiles set phone = $2 where user_id = $1)
         update employee_profiles set phone = $2 where user_id = $1`,
        [id, phone],
      );
      ids.push(id);
    }
    for (const q of [
      `+49 ${number}`,
      `0049${digits}`,
      `0${digits}`,
      `(0${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
      digits,
      digits.slice(2),
    ])
      expect(getIds(await find({ q })), q).to.deep.equal(ids);
    expect(getIds(await find({ q: digits, role: 'EMPLOYEE' }))).to.deep.equal([ids[1], ids[3]]);
    for (const q of [`x${digits}`, digits.slice(0, 3) + digits, `${digits} x`])
      expect(getIds(await find({ q })), q).to.deep.equal([]);
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
    for (const q of ['', '  ', ',', ' , ,', '\u200b']) expect((await find({ q })).body.total).to.equal(all);
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
