import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { useAdminService, withQuery } from '../../testing/admin-service.ts';

describe('lists of more than 10,000 rows', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const list = async (query: Record<string, string | number | boolean> = {}, path = '/users') => {
    const { status, body } = await administrator().send('GET', withQuery(path, query));
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const getEmails = ({ data }: { data: { email: string }[] }) => data.map(({ email }) => email);

  /**
   * Adds users `<number>@<word>.example`, one per second of creation time. Number 1 is the oldest, and every
   * tenth is blocked.
   */
  const addUsers = (word: string, count: number, newestAge: string) =>
    service().records.query(
      `with added as (
         insert into users (email, password_hash, is_blocked, created_at)
         select n || '@${word}.example', '-', n % 10 = 0, now() - $2::interval - make_interval(secs => $1 - n)
         from generate_series(1, $1) n returning id, created_at
       )
       insert into user_roles (user_id, role, user_created_at) select id, 'CUSTOMER', created_at from added`,
      [count, newestAge],
    );
  before('add users', async () => {
    await addUsers('old', 10_001, '10 days');
    await addUsers('recent', 10_000, '1 hour');
    // Postgres reads an index without the table only after a vacuum.
    await service().records.query('vacuum analyze users, user_roles');
  });

  it('count 10,000 matches of a search exactly, and page all of them', async () => {
    const last = await list({ search: '@recent', perPage: 100, page: 100 });
    expect(last).to.include({ total: 10_000 }).and.not.have.property('totalCapped');
    expect(getEmails(last).at(-1)).to.equal('1@recent.example');
    expect(await list({ search: '@recent', page: 1_001 })).to.deep.include({ data: [], total: 10_000 });
  });

  for (const [name, search, first] of [
    ['of the newest rows', '.example', '10000@recent.example'],
    ['of old rows only', '@old', '10001@old.example'],
  ] as const)
    it(`cap the total of more matches ${name}, and page the newest 10,000`, async () => {
      const capped = { total: 10_000, totalCapped: true };
      const page = await list({ search, perPage: 3 });
      expect(page).to.include(capped);
      const [number = 0, word = ''] = first.split('@');
      expect(getEmails(page)).to.deep.equal([0, 1, 2].map((back) => `${Number(number) - back}@${word}`));
      const last = await list({ search, perPage: 100, page: 100 });
      expect(last).to.include(capped).and.property('data').has.lengthOf(100);
      const partial = await list({ search, perPage: 30, page: 334 });
      expect(partial).to.include(capped).and.property('data').has.lengthOf(10);
      expect(await list({ search, page: 1_001 })).to.deep.include({ data: [], ...capped });
    });

  it('page names and addresses among the matches together', async () => {
    const { records } = service();
    await records.query(
      `insert into customer_profiles (user_id, last_name) select id, '@old' from users where email = '5000@recent.example'`,
    );
    for (const query of [{ q: '@old' }, { q: '@old', role: 'CUSTOMER' }]) {
      const pages = [await list({ ...query, perPage: 2 }), await list({ ...query, perPage: 2, page: 2 })];
      const found = ['5000@recent.example', '10001@old.example', '10000@old.example', '9999@old.example'];
      expect(pages.flatMap(getEmails)).to.deep.equal(found);
    }
  });

  it('read the page of a search in old rows from an index, with a role as well', async () => {
    const countScans = async () => {
      const [row] = await service().records.query<{ scans: number }>(
        `select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'users_newest_with_email'`,
      );
      return row?.scans ?? 0;
    };
    for (const query of [{ search: '@old' }, { search: '@old', role: 'CUSTOMER' }]) {
      const scans = await countScans();
      await waitFor('a scan of the index', async () => {
        // A connection reports what it has scanned with its next statement, a second later at the earliest.
        await list(query);
        return (await countScans()) > scans;
      });
    }
  });

  it('apply the filters to the matches and their total', async () => {
    const blocked = await list({ search: '.example', isBlocked: true, role: 'CUSTOMER' });
    expect(blocked).to.include({ total: 2_000 }).and.not.have.property('totalCapped');
    expect(getEmails(blocked)[0]).to.equal('10000@recent.example');
    expect(await list({ search: '@old', role: 'EMPLOYEE' })).to.deep.include({ data: [], total: 0 });
  });

  it('return an exact total of lists of any length without a search', async () => {
    expect(await list({ role: 'CUSTOMER' }))
      .to.include({ total: 20_001 })
      .and.not.have.property('totalCapped');
    expect(await list({ role: 'CUSTOMER', isBlocked: true })).to.include({ total: 2_000 });
    const [counted] = await service().records.query<{ total: number }>(
      'select count(*)::int as total from users',
    );
    expect((await list()).total).to.equal(counted?.total);
  });

  it('return every page without a search, also beyond 10,000 rows', async () => {
    const page = await list({ role: 'CUSTOMER', isBlocked: false, perPage: 100, page: 181 });
    expect(getEmails(page)).to.deep.equal(['1@old.example']);
  });

  it('respond while searches wait for connections', async () => {
    const lock = await holdLock(service().databaseUrl, 'lock table projects in access exclusive mode');
    const searches = Array.from({ length: 60 }, () =>
      administrator().listProjects({ query: { search: 'shop' } }),
    );
    await lock.untilWaiting(3);
    const lists = await Promise.all(Array.from({ length: 20 }, (_, index) => list({ page: index + 1 })));
    expect(lists.every(({ data }) => data.length === 10)).to.equal(true);
    await lock.release();
    for (const { status } of await Promise.all(searches)) expect(status).to.be.oneOf([200, 503]);
  });
});
