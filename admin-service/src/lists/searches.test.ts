import { expect } from 'chai';
import { toPhoneDigits, toWords } from './searches.ts';

describe('the digits of a phone number in a search', () => {
  for (const [text, digits] of [
    ['+49 170 1234567', '1701234567'],
    ['0049 (0)170/123-45.67', '1701234567'],
    ['0170 1234567', '1701234567'],
    ['1701234567', '1701234567'],
    ['+44 20 7946', '44207946'],
    ['0044 20 7946', '44207946'],
    ['\u202d0170 1234\u20135', '17012345'],
    ['1234', '1234'],
    ['0123', '123'],
    ['0049', '0049'],
    ['0012', '0012'],
    ['123', undefined],
    ['+', undefined],
    ['', undefined],
    ['12345a', undefined],
    ['123+45', undefined],
  ] as const)
    it(`of "${text}" are ${digits}`, () => {
      expect(toPhoneDigits(text)).to.equal(digits);
    });
});

describe('the words of a search', () => {
  it('are parted by any white space and commas, each once', () => {
    expect(toWords(' Wieczorek,Tomasz\u00a0\tTomasz , ')).to.deep.equal(['Wieczorek', 'Tomasz']);
    expect(toWords(',\u200b \u2060')).to.deep.equal([]);
    expect(toWords()).to.deep.equal([]);
  });
});
