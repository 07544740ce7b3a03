import { dictionary } from '@zxcvbn-ts/language-common';
import { expect } from 'chai';
import { readCommonPasswords } from './known-passwords-adapter.ts';

/** Shorter ones break the contract. */
const COMMON = dictionary['passwords-common'].filter((password) => password.length >= 8);

describe('list of common passwords', () => {
  const isCommon = readCommonPasswords();

  it('has all common passwords of at least 8 characters, more than the 3,000 that OWASP ASVS 6.2.4 requires', () => {
    expect(COMMON.length).to.be.above(3_000);
    expect(COMMON.filter((password) => !isCommon(password))).to.deep.equal([]);
  });

  it('has no part of them, nothing longer, no two of them and none of the license', () => {
    const listed = new Set(COMMON);
    const some = COMMON.filter((_password, index) => index % 50 === 0);
    const others = some
      .flatMap((password) => [
        password.slice(1),
        password.slice(0, -1),
        `${password}x`,
        `${password}\n`,
        `\n${password}`,
      ])
      .filter((password) => !listed.has(password));
    const sorted = COMMON.toSorted();
    const adjacent = sorted.slice(1, 400).map((password, index) => `${sorted[index]}\n${password}`);
    const license = ['', '#', '# copyright (c) 2021 @zxcvbn-ts', 'without limitation the rights to use'];
    expect([...others, ...adjacent, ...license].filter(isCommon)).to.deep.equal([]);
  });
});
