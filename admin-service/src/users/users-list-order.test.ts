import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getIds, minutesAgo, useAdminService } from '../../testing/admin-service.ts';

const SORTS = ['-createdAt', 'createdAt', '-lastSignInAt', 'lastSignInAt'] as const;

describe('order and filters of the user list', () => {
  const service = useAdminService();
  const list = (query: Record<string, string | number | boolean>) =>
    service().administrator.listUsers({ query });

  /** Customers of one name: the sign-ins of four, and one that has never signed in; two of each time. */
  const createPeople = async () => {
    const word = uniqueWord();
    const people = [];
    const now = Date.now();
    const ago = (minutes: number) => new Date(now - minutes * 60_000);
    for (const [age, signedIn] of [
      [50, 5],
      [40, 30],
      [40, 10],
      [30, 10],
      [20, null],
      [10, null],
    ] as const) {
      const names = { firstName: 'Sorted', lastName: word };
      const user = await service().records.user(['CUSTOMER'], { ...names, createdAt: ago(age) });
      if (signedIn !== null)
        await service().records.query('update users set last_sign_in_at = $2 where id = $1', [
          user.id,
          ago(signedIn),
        ]);
      people.push({ id: user.id, age, signedIn });
    }
    return { word, people };
  };
  type Person = { id: string; age: number; signedIn: number | null };
  const toExpected = (people: Person[], sort: (typeof SORTS)[number]) => {
    const never = sort === 'lastSignInAt' ? -Infinity : Infinity;
    const key = ({ age, signedIn }: Person) => (sort.endsWith('createdAt') ? age : (signedIn ?? never));
    const sign = sort.startsWith('-') ? 1 : -1;
    return people
      .toSorted((one, other) => sign * (key(one) - key(other)) || (one.id < other.id ? 1 : -1))
      .map(({ id }) => id);
  };

  for (const sort of SORTS)
    it(`is ${sort}, with ties by id descending, across pages, in searches, and with every filter`, async () => {
      const { word, people } = await createPeople();
      const expected = toExpected(people, sort);
      const found = await list({ q: word, sort });
      expect(getIds(found)).to.deep.equal(expected);
      expect(found.body.total).to.equal(6);
      const pages = [];
      for (const page of [1, 2, 3]) pages.push(...getIds(await list({ q: word, sort, perPage: 2, page })));
      expect(pages).to.deep.equal(expected);
      for (const filters of [
        { role: 'CUSTOMER' },
        { role: 'CUSTOMER', isBlocked: false, isEmailVerified: false },
        { hasPlatformRole: false, search: '@example.com' },
        { createdFrom: minutesAgo(60).toISOString(), role: 'CUSTOMER' },
      ])
        expect(getIds(await list({ q: word, sort, ...filters }))).to.deep.equal(expected);
      expect(getIds(await list({ q: word, sort, hasPlatformRole: true }))).to.deep.equal([]);
      // Without a search, an index has the order.
      const mine = new Set(expected);
      for (const filters of [{}, { role: 'CUSTOMER' }, { hasPlatformRole: false }]) {
        const { body } = await list({ sort, ...filters, perPage: 100 });
        const listed = body.data.map(({ id }: { id: string }) => id).filter((id: string) => mine.has(id));
        expect(listed).to.deep.equal(expected);
      }
    });

  it('is also that of the few with a platform role', async () => {
    const people = [];
    for (const minutes of [5, 30, 10]) {
      const { id } = await service().records.user(['OPERATOR']);
      await service().records.query('update users set last_sign_in_at = $2 where id = $1', [
        id,
        minutesAgo(minutes),
      ]);
      people.push({ id, age: people.length, signedIn: minutes });
    }
    const ids = new Set(people.map(({ id }) => id));
    for (const sort of ['-lastSignInAt', 'lastSignInAt'] as const)
      for (const filters of [{}, { isBlocked: false }, { hasPlatformRole: true }]) {
        const { body } = await list({ role: 'OPERATOR', sort, ...filters, perPage: 100 });
        const listed = body.data.map(({ id }: { id: string }) => id).filter((id: string) => ids.has(id));
        expect(listed).to.deep.equal(toExpected(people, sort));
      }
  });

  it('is refused if it is unknown', async () => {
    for (const sort of ['email', 'CreatedAt', ' createdAt', ''])
      expectError(await list({ sort }), 400, 'VALIDATION_FAILED', '/query/sort');
  });

  it('finds users by the time of their creation, from inclusive, until exclusive', async () => {
    const { word, people } = await createPeople();
    const [oldest, second, third, fourth] = people;
    const [{ createdAt = '' } = {}] = (await list({ q: word, sort: 'createdAt', perPage: 1 })).body.data;
    const until = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(getIds(await list({ q: word, createdFrom: createdAt, createdUntil: until }))).to.deep.equal([
      oldest?.id,
    ]);
    expect(getIds(await list({ q: word, createdUntil: createdAt }))).to.deep.equal([]);
    const between = { createdFrom: minutesAgo(45).toISOString(), createdUntil: minutesAgo(25).toISOString() };
    expect(getIds(await list({ q: word, ...between }))).to.have.members([second?.id, third?.id, fourth?.id]);
    for (const from of ['2030-01-01T00:00:00Z', '2030-01-01T00:00:00+16:00', '9999-12-31T23:59:59-23:59'])
      expect((await list({ createdFrom: from })).body, from).to.include({ total: 0 });
    expect((await list({ createdUntil: '0000-01-01T00:00:00+23:59' })).body).to.include({ total: 0 });
    for (const name of ['createdFrom', 'createdUntil'])
      for (const value of ['2026-11-01', 'yesterday', '2026-02-30T00:00:00Z'])
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
  });

  it('finds users by whether the address is verified, and by a platform role', async () => {
    const { records } = service();
    const word = uniqueWord();
    const names = { firstName: 'Filtered', lastName: word };
    const verified = await records.user(['CUSTOMER'], { ...names, isEmailVerified: true });
    const colleague = await records.user(['CUSTOMER', 'OPERATOR'], names);
    expect(getIds(await list({ q: word, isEmailVerified: true }))).to.deep.equal([verified.id]);
    expect(getIds(await list({ q: word, isEmailVerified: false }))).to.deep.equal([colleague.id]);
    expect(getIds(await list({ q: word, hasPlatformRole: true }))).to.deep.equal([colleague.id]);
    expect(getIds(await list({ q: word, hasPlatformRole: true, role: 'CUSTOMER' }))).to.deep.equal([
      colleague.id,
    ]);
    const colleagues = await list({ hasPlatformRole: true, perPage: 100 });
    expect(colleagues.body.total).to.equal(colleagues.body.data.length);
    expect(getIds(colleagues)).to.include(colleague.id).and.not.include(verified.id);
  });

  it('says since when somebody is blocked, and whether a second step is due', async () => {
    const { records, administrator } = service();
    const word = uniqueWord();
    const { id } = await records.user(['CUSTOMER'], { firstName: 'Blocked', lastName: word });
    const read = async () => (await list({ q: word })).body.data[0];
    expect(await read()).to.include({ isBlocked: false, hasSecondStep: false });
    expect(await read()).not.to.have.property('blockedAt');
    for (const _time of ['first', 'second']) {
      await administrator.blockUser({ id });
      const { blockedAt } = await read();
      expect(Date.parse(blockedAt)).to.be.closeTo(Date.now(), 60_000);
      expect((await administrator.getUser({ id })).body.blockedAt).to.equal(blockedAt);
      await administrator.unblockUser({ id });
      expect(await read()).not.to.have.property('blockedAt');
      expect((await administrator.getUser({ id })).body).not.to.have.property('blockedAt');
    }
    await records.query('update users set is_second_step_on = true where id = $1', [id]);
    expect(await read()).to.include({ hasSecondStep: true });
  });
});
