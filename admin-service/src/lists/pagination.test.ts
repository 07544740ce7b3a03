import { expect } from 'chai';
import { toPage } from './pagination.ts';

describe('toPage', () => {
  it('defaults to the first page of ten', () => {
    expect(toPage({})).to.deep.equal({ page: 1, perPage: 10 });
    expect(toPage({ page: 2 })).to.deep.equal({ page: 2, perPage: 10 });
    expect(toPage({ perPage: 100 })).to.deep.equal({ page: 1, perPage: 100 });
  });
});
