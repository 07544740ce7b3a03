import { expect } from 'chai';
import { decodeHost } from './decode-host.ts';

describe('shown address', () => {
  it('has the host as people write it', () => {
    for (const host of ['müller-büro.de', 'straße.example', '例え.jp', 'пример.рф', 'a.bücher.b.com'])
      expect(decodeHost(`jonas@${new URL(`https://${host}`).hostname}`)).to.equal(`jonas@${host}`);
  });

  it('stays as it is where the host is not the one that a browser would encode', () => {
    for (const host of ['xn--a', 'xn--!', 'xn--99999999999', 'xn--abc-', 'example.com'])
      expect(decodeHost(`jonas@${host}`)).to.equal(`jonas@${host}`);
  });
});
