import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

describe('user list', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = (query: Record<string, string | number | boolean> = {}) =>
    administrator().listUsers({ query });
  /** Creates customers whose e-mail addresses share a word; the ids are sorted newest first. */
  const createCustomers = async (count: number) => {
    const word = uniqueWord();
    const users = [];
    for (let index = 0; index < count; index += 1) {
      const email = `${index}.${word}@example.com`;
      users.push(await service().records.user(['CUSTOMER'], { email, createdAt: minutesAgo(index) }));
    }
    return { word, ids: users.map(({ id }) => id) };
  };

  it('defaults to the first page of ten with the total of all users', async () => {
    await createCustomers(11);
    const { status, body } = await list();
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['data', 'total', 'page', 'perPage']);
    expect(body).to.include({ page: 1, perPage: 10 });
    expect(body.data).to.have.lengthOf(10);
    const [counted] = await service().records.query<{ count: number }>('select count(*)::int from users');
    expect(body.total).to.equal(counted?.count);
  });

  it('returns the public fields of a user and no secrets', async () => {
    const { records } = service();
    const createdAt = minutesAgo(5);
    const { id, email } = await records.user(['CUSTOMER', 'EMPLOYEE'], { isEmailVerified: true, createdAt });
    const { body } = await list({ search: email });
    expect(body.total).to.equal(1);
    const [item] = body.data;
    expect(item).to.deep.include({ id, email, roles: ['CUSTOMER', 'EMPLOYEE'] });
    expect(item).to.include({ isBlocked: false, isEmailVerified: true, createdAt: createdAt.toISOString() });
    const fields = [
      'id',
      'email',
      'name',
      'isBlocked',
      'isEmailVerified',
      'roles',
      'hasSecondStep',
      'lastSignInAt',
    ];
    expect(Object.keys(item)).to.have.members([...fields, 'createdAt', 'updatedAt']);
  });

  it('paginates newest first with the total on each page', async () => {
    const { word, ids } = await createCustomers(7);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list({ search: word, page, perPage: 3 }));
    for (const [index, { body }] of pages.entries())
      expect(body).to.include({ total: 7, page: index + 1, perPage: 3 });
    expect(pages.map((page) => getIds(page).length)).to.deep.equal([3, 3, 1]);
    expect(pages.flatMap(getIds)).to.deep.equal(ids);
  });

  it('sorts users of the same time by id, descending, across pages', async () => {
    const word = uniqueWord();
    const createdAt = minutesAgo(60);
    const ids = [];
    for (let index = 0; index < 6; index += 1)
      ids.push((await service().records.user([], { email: `${index}${word}@example.com`, createdAt })).id);
    const first = await list({ search: word, perPage: 4 });
    const second = await list({ search: word, perPage: 4, page: 2 });
    expect([...getIds(first), ...getIds(second)]).to.deep.equal(ids.sort().reverse());
  });

  it('returns an empty page with the total past the end', async () => {
    const { word } = await createCustomers(3);
    for (const page of [2, 1_000, 90_071_992_547_409]) {
      const { status, body } = await list({ search: word, page });
      expect({ status, body }).to.deep.equal({
        status: 200,
        body: { data: [], total: 3, page, perPage: 10 },
      });
    }
  });

  for (const name of ['page', 'perPage'])
    for (const value of [
      '0',
      '-1',
      '1.5',
      'ten',
      '',
      ' ',
      '1e30',
      '1e400',
      'NaN',
      'Infinity',
      '-Infinity',
      'null',
      '1,2',
    ])
      it(`returns 400 when ${name} is ${JSON.stringify(value)}`, async () => {
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
      });

  it('returns 400 when perPage is over 100', async () => {
    for (const perPage of ['101', '1000', '1e3'])
      expectError(await list({ perPage }), 400, 'VALIDATION_FAILED', '/query/perPage');
  });

  it('returns 400 for a repeated, array or object parameter', async () => {
    const { send } = administrator();
    for (const name of ['page', 'perPage', 'role', 'isBlocked', 'search']) {
      const value = name === 'role' ? 'ADMIN' : '1';
      const response = await send('GET', `/users?${name}=${value}&${name}=${value}`);
      expectError(response, 400, 'VALIDATION_FAILED', `/query/${name}`);
      for (const form of [`${name}[]=${value}`, `${name}[a]=${value}`, `${name}%5B%5D=${value}`])
        expectError(await send('GET', `/users?${form}`), 400, 'VALIDATION_FAILED');
    }
  });

  it('returns 400 with the name of an undeclared parameter', async () => {
    expectError(await list({ sort: 'email' }), 400, 'VALIDATION_FAILED', '/query/sort');
    expectError(await list({ Page: 1 }), 400, 'VALIDATION_FAILED', '/query/Page');
    for (const path of ['/users?__proto__[isAdmin]=1', '/users?__proto__=1', '/users?constructor=1'])
      expectError(await administrator().send('GET', path), 400, 'VALIDATION_FAILED');
  });

  describe('filtered by role', () => {
    for (const role of ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'] as const)
      it(`returns the users who hold the role ${role}, alone or with others`, async () => {
        const { records } = service();
        const word = uniqueWord();
        const email = (name: string) => ({ email: `${name}.${word}@example.com` });
        const second = role === 'CUSTOMER' ? 'EMPLOYEE' : 'CUSTOMER';
        const one = await records.user([role], email('one'));
        const both = await records.user([role, second], email('both'));
        await records.user([second], email('other'));
        await records.user([], email('none'));
        const response = await list({ search: word, role });
        expect(getIds(response)).to.have.members([one.id, both.id]);
        expect(response.body.total).to.equal(2);
        for (const { id, roles } of response.body.data)
          expect(roles).to.have.members(id === one.id ? [role] : [role, second]);
      });

    it('returns 400 for an unknown role', async () => {
      for (const role of ['admin', 'ROOT', '', 'ADMIN,OPERATOR'])
        expectError(await list({ role }), 400, 'VALIDATION_FAILED', '/query/role');
    });
  });

  describe('filtered by isBlocked', () => {
    it('returns blocked users for true, the others for false and both without the filter', async () => {
      const { records } = service();
      const word = uniqueWord();
      const free = await records.user([], { email: `free${word}@example.com` });
      const blocked = await records.user([], { email: `blocked${word}@example.com`, isBlocked: true });
      const find = async (query: object) => getIds(await list({ search: word, ...query }));
      expect(await find({ isBlocked: 'true' })).to.deep.equal([blocked.id]);
      expect(await find({ isBlocked: 'false' })).to.deep.equal([free.id]);
      expect(await find({})).to.have.members([free.id, blocked.id]);
      expect((await list({ search: word, isBlocked: true })).body.total).to.equal(1);
    });

    for (const value of ['yes', 'no', '1', '0', 'TRUE', 'True', 'FALSE', '', 'null', 'undefined', ' true'])
      it(`returns 400 for ${JSON.stringify(value)}`, async () => {
        expectError(await list({ isBlocked: value }), 400, 'VALIDATION_FAILED', '/query/isBlocked');
      });
  });

  it('combines all filters', async () => {
    const { records } = service();
    const word = uniqueWord();
    const fields = (name: string, isBlocked: boolean) => ({ email: `${name}${word}@example.com`, isBlocked });
    const match = await records.user(['OPERATOR'], fields('a', true));
    await records.user(['OPERATOR'], fields('b', false));
    await records.user(['CUSTOMER'], fields('c', true));
    await records.user(['OPERATOR'], { isBlocked: true });
    const response = await list({ search: word, role: 'OPERATOR', isBlocked: true });
    expect(getIds(response)).to.deep.equal([match.id]);
    expect(response.body.total).to.equal(1);
  });

  it('includes blocked users, unverified users and the caller', async () => {
    const { records } = service();
    const blocked = await records.user(['CUSTOMER'], { isBlocked: true });
    for (const { id, email } of [blocked, administrator()])
      expect(getIds(await list({ search: email }))).to.deep.equal([id]);
  });
});
