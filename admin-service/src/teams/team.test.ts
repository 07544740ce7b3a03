import { expect } from 'chai';
import { toSlug } from './team.ts';

describe('slug of a team', () => {
  const SLUGS: Record<string, string> = {
    'North Studio': 'north-studio',
    'Köln & Söhne, Straße 7': 'koln-sohne-strasse-7',
    ' --Déjà--vu-- ': 'deja-vu',
    日本語: 'team',
    '🚀': 'team',
    'Ünïcode ﬁne': 'unicode-fine',
  };
  for (const [name, slug] of Object.entries(SLUGS))
    it(`is ${slug} for ${name.trim()}`, () => {
      expect(toSlug(name)).to.equal(slug);
    });

  it('has at most 64 characters, with a suffix too', () => {
    const name = `${'x'.repeat(62)} y`;
    expect(toSlug(name)).to.equal(`${'x'.repeat(62)}-y`);
    expect(toSlug(`${name}z`)).to.equal(`${'x'.repeat(62)}-y`);
    expect(toSlug('x'.repeat(255), '0123abcd')).to.equal(`${'x'.repeat(55)}-0123abcd`);
    expect(toSlug(`${'x'.repeat(54)} yz`, '0123abcd')).to.equal(`${'x'.repeat(54)}-0123abcd`);
  });
});
