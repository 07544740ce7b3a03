import { expect } from 'chai';
import { isUuid, oneOf, present, toBoolean } from './query-fields.ts';

describe('fields of a query', () => {
  it('are left out when they are undefined, and kept when they are false or empty', () => {
    expect(present({ page: 1, role: undefined, isBlocked: false, q: '' })).to.deep.equal({
      page: 1,
      isBlocked: false,
      q: '',
    });
  });

  it('accept only values of the API from an address', () => {
    expect(oneOf(['ADMIN', 'CUSTOMER'], 'CUSTOMER')).to.equal('CUSTOMER');
    for (const text of ['customer', 'ADMIN ', 'toString', '', undefined])
      expect(oneOf(['ADMIN', 'CUSTOMER'], text), text).to.equal(undefined);
    expect([toBoolean('true'), toBoolean('false'), toBoolean('1'), toBoolean(undefined)]).to.deep.equal([
      true,
      false,
      undefined,
      undefined,
    ]);
  });

  it('recognize the id of a user that was typed into the search', () => {
    expect(isUuid('7c9e6679-7425-40de-944b-e07fc1f90ae7')).to.equal(true);
    for (const text of ['7c9e6679', 'urn:uuid:7c9e6679-7425-40de-944b-e07fc1f90ae7', 'weber@example.com'])
      expect(isUuid(text), text).to.equal(false);
  });
});
