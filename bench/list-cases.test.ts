import { expect } from 'chai';
import { LIST_CASES, pageAt, toPath } from './list-cases.ts';

describe('benchmark list cases', () => {
  const getPath = (name: string, page = 1): string => {
    const listCase = LIST_CASES.find((one) => one.name === name);
    if (!listCase) throw new Error(`There is no ${name}`);
    return toPath(listCase, page);
  };

  it('encodes the filters of a list in its URL', () => {
    expect(getPath('users blocked CUSTOMER')).to.equal(
      '/api/v1/users?page=1&perPage=10&isBlocked=true&role=CUSTOMER',
    );
    expect(getPath("users search '%' (none)")).to.contain('search=%25');
    expect(getPath('teams ONBOARDING', 3)).to.equal(
      '/api/v1/administrator/teams?page=3&perPage=10&status=ONBOARDING',
    );
  });

  it('computes the page number from the total, at least 1', () => {
    expect([pageAt(1_000, 0), pageAt(1_000, 0.5), pageAt(1_001, 1), pageAt(0, 1)]).to.deep.equal([
      1, 50, 101, 1,
    ]);
  });
});
