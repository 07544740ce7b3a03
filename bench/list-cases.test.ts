import { expect } from 'chai';
import { LIST_QUERIES, pageAt, pathOfListQuery } from './list-cases.ts';

describe('The lists of the benchmark', () => {
  const pathOf = (name: string, page = 1): string => {
    const query = LIST_QUERIES.find((one) => one.name === name);
    if (!query) throw new Error(`There is no ${name}`);
    return pathOfListQuery(query, page);
  };

  it('When a list is asked for over HTTP, then with its filters, and what a URL cannot hold is encoded', () => {
    expect(pathOf('users blocked CUSTOMER')).to.equal(
      '/api/v1/users?page=1&perPage=10&isBlocked=true&role=CUSTOMER',
    );
    expect(pathOf("users search '%' (none)")).to.contain('search=%25');
    expect(pathOf('teams ONBOARDING', 3)).to.equal(
      '/api/v1/administrator/teams?page=3&perPage=10&status=ONBOARDING',
    );
  });

  it('When a page lies deep in a list, then it is found by the total, and there is always a first', () => {
    expect([pageAt(1_000, 0), pageAt(1_000, 0.5), pageAt(1_001, 1), pageAt(0, 1)]).to.deep.equal([
      1, 50, 101, 1,
    ]);
  });
});
