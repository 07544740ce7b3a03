import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { idsOf, useAdministrator, useAdminService, withQuery } from './admin-service.ts';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

describe('The list of users', () => {
  const service = useAdminService();
  const administrator = useAdministrator(service);
  const list = (query: Record<string, string | number | boolean> = {}) =>
    administrator().api.get(withQuery('/users', query));
  /** So many customers whose e-mails share a word, the newest first. */
  const customers = async (count: number) => {
    const word = uniqueWord();
    const users = [];
    for (let index = 0; index < count; index += 1) {
      const email = `${index}.${word}@example.com`;
      users.push(await service().records.user(['CUSTOMER'], { email, createdAt: minutesAgo(index) }));
    }
    return { word, ids: users.map(({ id }) => id) };
  };

  it('When nothing is asked for, then it is the first page of ten, with the total of all users', async () => {
    await customers(11);
    const { status, body } = await list();
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.have.members(['data', 'total', 'page', 'perPage']);
    expect(body).to.include({ page: 1, perPage: 10 });
    expect(body.data).to.have.lengthOf(10);
    const [counted] = await service().records.query<{ count: number }>('select count(*)::int from users');
    expect(body.total).to.equal(counted?.count);
  });

  it('When a user is listed, then with these fields and nothing secret', async () => {
    const { records } = service();
    const createdAt = minutesAgo(5);
    const { id, email } = await records.user(['CUSTOMER', 'EMPLOYEE'], { isEmailVerified: true, createdAt });
    const { body } = await list({ search: email });
    expect(body.total).to.equal(1);
    const [item] = body.data;
    expect(item).to.deep.include({ id, email, roles: ['CUSTOMER', 'EMPLOYEE'] });
    expect(item).to.include({ isBlocked: false, isEmailVerified: true, createdAt: createdAt.toISOString() });
    const fields = ['id', 'email', 'isBlocked', 'isEmailVerified', 'roles', 'createdAt', 'updatedAt'];
    expect(Object.keys(item)).to.have.members(fields);
  });

  it('When it has several pages, then newest first, each user on one page, and the total on each', async () => {
    const { word, ids } = await customers(7);
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list({ search: word, page, perPage: 3 }));
    for (const [index, { body }] of pages.entries())
      expect(body).to.include({ total: 7, page: index + 1, perPage: 3 });
    expect(pages.map((page) => idsOf(page).length)).to.deep.equal([3, 3, 1]);
    expect(pages.flatMap(idsOf)).to.deep.equal(ids);
  });

  it('When users came at the same instant, then they are sorted by id, descending, across pages too', async () => {
    const word = uniqueWord();
    const createdAt = minutesAgo(60);
    const ids = [];
    for (let index = 0; index < 6; index += 1)
      ids.push((await service().records.user([], { email: `${index}${word}@example.com`, createdAt })).id);
    const first = await list({ search: word, perPage: 4 });
    const second = await list({ search: word, perPage: 4, page: 2 });
    expect([...idsOf(first), ...idsOf(second)]).to.deep.equal(ids.sort().reverse());
  });

  it('When the page is past the end, then it is empty, and the total is the right one', async () => {
    const { word } = await customers(3);
    for (const page of [2, 1_000, 90_071_992_547_409]) {
      const { status, body } = await list({ search: word, page });
      expect({ status, body }).to.deep.equal({
        status: 200,
        body: { data: [], total: 3, page, perPage: 10 },
      });
    }
  });

  it('When page and perPage are within their bounds, then they are taken', async () => {
    for (const perPage of [1, 100]) expect((await list({ perPage })).body.perPage).to.equal(perPage);
    expect((await list({ page: 2 })).body.page).to.equal(2);
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
      'NaN',
      'Infinity',
      '-Infinity',
      'null',
      '1,2',
    ])
      it(`When ${name} is ${JSON.stringify(value)}, then 400`, async () => {
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
      });

  it('When perPage is over 100, then 400', async () => {
    for (const perPage of ['101', '1000', '1e3'])
      expectError(await list({ perPage }), 400, 'VALIDATION_FAILED', '/query/perPage');
  });

  it('When perPage is 1e1, then it is the integer that it says, or refused, and never a fault', async () => {
    const { status, body } = await list({ perPage: '1e1' });
    if (status === 200) expect(body.perPage).to.equal(10);
    else expect(status).to.equal(400);
  });

  it('When a parameter is given twice, or as a list or an object, then 400', async () => {
    const { get } = administrator().api;
    for (const name of ['page', 'perPage', 'role', 'isBlocked', 'search']) {
      const value = name === 'role' ? 'ADMIN' : '1';
      const answer = await get(`/users?${name}=${value}&${name}=${value}`);
      expectError(answer, 400, 'VALIDATION_FAILED', `/query/${name}`);
      for (const form of [`${name}[]=${value}`, `${name}[a]=${value}`, `${name}%5B%5D=${value}`])
        expectError(await get(`/users?${form}`), 400, 'VALIDATION_FAILED');
    }
  });

  it('When a parameter is not declared, then 400 that names it', async () => {
    expectError(await list({ sort: 'email' }), 400, 'VALIDATION_FAILED', '/query/sort');
    expectError(await list({ Page: 1 }), 400, 'VALIDATION_FAILED', '/query/Page');
    for (const path of ['/users?__proto__[isAdmin]=1', '/users?__proto__=1', '/users?constructor=1'])
      expectError(await administrator().api.get(path), 400, 'VALIDATION_FAILED');
  });

  describe('filtered by role', () => {
    for (const role of ['CUSTOMER', 'EMPLOYEE', 'ADMIN', 'OPERATOR', 'ARBITER'] as const)
      it(`When the role is ${role}, then it keeps the users who hold it, whatever else they hold`, async () => {
        const { records } = service();
        const word = uniqueWord();
        const email = (name: string) => ({ email: `${name}.${word}@example.com` });
        const second = role === 'CUSTOMER' ? 'EMPLOYEE' : 'CUSTOMER';
        const one = await records.user([role], email('one'));
        const both = await records.user([role, second], email('both'));
        await records.user([second], email('other'));
        await records.user([], email('none'));
        const answer = await list({ search: word, role });
        expect(idsOf(answer)).to.have.members([one.id, both.id]);
        expect(answer.body.total).to.equal(2);
        for (const { id, roles } of answer.body.data)
          expect(roles).to.have.members(id === one.id ? [role] : [role, second]);
      });

    it('When there is no such role, then 400', async () => {
      for (const role of ['admin', 'ROOT', '', 'ADMIN,OPERATOR'])
        expectError(await list({ role }), 400, 'VALIDATION_FAILED', '/query/role');
    });
  });

  describe('filtered by isBlocked', () => {
    it('When it is true, then it keeps the blocked users; when false, the others; when absent, both', async () => {
      const { records } = service();
      const word = uniqueWord();
      const free = await records.user([], { email: `free${word}@example.com` });
      const blocked = await records.user([], { email: `blocked${word}@example.com`, isBlocked: true });
      const found = async (query: object) => idsOf(await list({ search: word, ...query }));
      expect(await found({ isBlocked: 'true' })).to.deep.equal([blocked.id]);
      expect(await found({ isBlocked: 'false' })).to.deep.equal([free.id]);
      expect(await found({})).to.have.members([free.id, blocked.id]);
      expect((await list({ search: word, isBlocked: true })).body.total).to.equal(1);
    });

    for (const value of ['yes', 'no', '1', '0', 'TRUE', 'True', 'FALSE', '', 'null', 'undefined', ' true'])
      it(`When it is ${JSON.stringify(value)}, then 400`, async () => {
        expectError(await list({ isBlocked: value }), 400, 'VALIDATION_FAILED', '/query/isBlocked');
      });
  });

  it('When several filters are given, then a user must pass all of them', async () => {
    const { records } = service();
    const word = uniqueWord();
    const fields = (name: string, isBlocked: boolean) => ({ email: `${name}${word}@example.com`, isBlocked });
    const wanted = await records.user(['OPERATOR'], fields('a', true));
    await records.user(['OPERATOR'], fields('b', false));
    await records.user(['CUSTOMER'], fields('c', true));
    await records.user(['OPERATOR'], { isBlocked: true });
    const answer = await list({ search: word, role: 'OPERATOR', isBlocked: true });
    expect(idsOf(answer)).to.deep.equal([wanted.id]);
    expect(answer.body.total).to.equal(1);
  });

  it('When nothing hides a user, then blocked ones, unverified ones and the caller are listed', async () => {
    const { records } = service();
    const blocked = await records.user(['CUSTOMER'], { isBlocked: true });
    for (const { id, email } of [blocked, administrator()])
      expect(idsOf(await list({ search: email }))).to.deep.equal([id]);
  });
});
