import { expect } from 'chai';
import { combine, LIST_CASES, pageAt, positionsOf, toPath } from './list-cases.ts';

describe('benchmark list cases', () => {
  const getCase = (name: string) => {
    const listCase = LIST_CASES.find((one) => one.name === name);
    if (!listCase) throw new Error(`There is no ${name}`);
    return listCase;
  };

  it('combine at most one filter of each dimension, none included', () => {
    expect(combine<{ a?: number; b?: number }>([{ a: 1 }, { a: 2 }], [{ b: 3 }])).to.deep.equal([
      ...[{}, { b: 3 }, { a: 1 }, { a: 1, b: 3 }, { a: 2 }, { a: 2, b: 3 }],
    ]);
  });

  it('have unique names and contain each unfiltered list', () => {
    const names = LIST_CASES.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    expect(names).to.include.members(['users all', 'projects all', 'teams all', 'auditLog all']);
  });

  it('contain a search among the users of a role that only the oldest have', () => {
    expect(getCase("users role=OPERATOR search='anna'")).to.deep.include({
      ...{ list: 'users', isSearch: true, filter: { role: 'OPERATOR', search: 'anna' } },
    });
  });

  it('encode the filters of a list in its URL', () => {
    expect(toPath(getCase('users role=CUSTOMER isBlocked=true'), 1)).to.equal(
      '/api/v1/users?page=1&perPage=10&role=CUSTOMER&isBlocked=true',
    );
    expect(toPath(getCase("users search='%'"), 1)).to.contain('search=%25');
    expect(toPath(getCase('teams status=ONBOARDING'), 3)).to.equal(
      '/api/v1/administrator/teams?page=3&perPage=10&status=ONBOARDING',
    );
  });

  it('send times in ISO format', () => {
    const withTime = LIST_CASES.find(({ filter }) => 'from' in filter && Object.keys(filter).length === 1);
    expect(withTime && toPath(withTime, 1)).to.match(/&from=\d{4}-\d\d-\d\dT00%3A00%3A00\.000Z$/);
  });

  it('compute page numbers from the total, at least 1 and at most the last one', () => {
    const pages = (total: number) => [
      ...[pageAt(total, 'first'), pageAt(total, 'fifth'), pageAt(total, 'middle'), pageAt(total, 'last')],
    ];
    expect(pages(1_000)).to.deep.equal([1, 5, 50, 100]);
    expect(pages(1_001)).to.deep.equal([1, 5, 51, 101]);
    expect(pages(25)).to.deep.equal([1, 3, 2, 3]);
    expect(pages(0)).to.deep.equal([1, 1, 1, 1]);
  });

  it('leave out positions that are the same page', () => {
    expect(positionsOf(1_000)).to.deep.equal(['first', 'fifth', 'middle', 'last']);
    expect(positionsOf(25)).to.deep.equal(['first', 'fifth', 'middle']);
    expect(positionsOf(0)).to.deep.equal(['first']);
  });
});
