import { dictionary } from '@zxcvbn-ts/language-common';
import { expect } from 'chai';
import { readCommonPasswords } from './known-passwords-adapter.ts';

/** Shorter passwords are rejected by the contract anyway. */
const COMMON = dictionary['passwords-common'].filter((password) => password.length >= 8);

describe('list of common passwords', () => {
  const isCommon = readCommonPasswords();

  it('has all common passwords of 8 or more characters, and more than the 3,000 of OWASP ASVS 6.2.4', () => {
    expect(COMMON.length).to.be.above(3_000);
    expect(COMMON.filter((password) => !isCommon(password))).to.deep.equal([]);
  });

  it('has the most frequent German passwords, with digits and years', () => {
    const german = ['passwort123', 'sommer2026', 'hallo1234', 'sonnenschein!', 'ichliebedich'];
    expect(german.filter((password) => !isCommon(password))).to.deep.equal([]);
  });

  it('contains no parts, no joined passwords and nothing of the license', () => {
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
