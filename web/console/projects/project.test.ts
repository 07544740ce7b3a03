import { expect } from 'chai';
import { findChanges, nameOfOwner, toUpdate } from './project.ts';

const BEFORE = { title: 'Bakery', description: 'A shop', category: 'WEB' };

describe('project in the console', () => {
  it('names its owner, by the address if there is no name', () => {
    const owner = { email: 'ada@example.com', firstName: null, lastName: null };
    expect(nameOfOwner({ ...owner, firstName: 'Ada', lastName: 'Byron' })).to.equal('Ada Byron');
    expect(nameOfOwner({ ...owner, firstName: 'Ada' })).to.equal('Ada');
    expect(nameOfOwner(owner)).to.equal('ada@example.com');
    expect(nameOfOwner({ ...owner, email: 'deleted' })).to.equal(undefined);
  });

  it('sends only what was changed', () => {
    expect(toUpdate(BEFORE, BEFORE)).to.deep.equal({});
    expect(toUpdate(BEFORE, { ...BEFORE, title: ' Bakery web shop ' })).to.deep.equal({
      title: 'Bakery web shop',
    });
    expect(findChanges(BEFORE, { title: 'B', description: 'C', category: 'DATA' })).to.have.length(3);
  });

  it('is not changed by spaces around a text', () => {
    expect(findChanges(BEFORE, { ...BEFORE, title: 'Bakery ', description: '\nA shop' })).to.deep.equal([]);
  });
});
