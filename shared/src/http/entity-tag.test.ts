import { expect } from 'chai';
import { AppError } from '../errors/app-error.ts';
import { requireMatch, toEntityTag } from './entity-tag.ts';

describe('If-Match', () => {
  const matches = (ifMatch: string | undefined): boolean => {
    try {
      requireMatch(ifMatch, '7-a');
      return true;
    } catch (error) {
      if (error instanceof AppError && error.status === 412 && error.code === 'CHANGED_MEANWHILE')
        return false;
      throw error;
    }
  };

  it('matches the ETag of the version, in a list too, any version, and is optional', () => {
    expect(toEntityTag('7-a')).to.deep.equal({ ETag: '"7-a"' });
    for (const ifMatch of [undefined, '"7-a"', '*', ' * ', '"6", "7-a"', '"7-a","8"'])
      expect(matches(ifMatch), ifMatch).to.equal(true);
  });

  it('matches neither another nor a weak ETag', () => {
    for (const ifMatch of ['"7"', '"8"', 'W/"7-a"', '""', '"*"'])
      expect(matches(ifMatch), ifMatch).to.equal(false);
  });
});
