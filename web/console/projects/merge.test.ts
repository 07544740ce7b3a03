import { expect } from 'chai';
import { markChange } from '../records/mark-change.ts';
import { mergeTexts } from './merge.ts';

const BASE = { title: 'Shop', description: 'Forty products', category: 'WEB' };

describe('merge of a project', () => {
  it('takes what only the colleague has changed, and keeps what only I have', () => {
    const mine = { ...BASE, description: 'Fifty products' };
    const theirs = { ...BASE, title: 'Bakery shop', category: 'MOBILE' };
    expect(mergeTexts(BASE, mine, theirs)).to.deep.equal({
      texts: { title: 'Bakery shop', description: 'Fifty products', category: 'MOBILE' },
      taken: ['title', 'category'],
      conflicts: [],
    });
  });

  it('asks only about fields that both have changed, and shows mine first', () => {
    const mine = { ...BASE, title: 'My shop', description: 'Fifty products' };
    const theirs = { ...BASE, title: 'Their shop' };
    expect(mergeTexts(BASE, mine, theirs)).to.deep.equal({
      texts: { title: 'My shop', description: 'Fifty products', category: 'WEB' },
      taken: [],
      conflicts: ['title'],
    });
  });

  it('has nothing to ask where both have written the same', () => {
    const both = { ...BASE, title: 'Bakery shop' };
    const { conflicts, taken } = mergeTexts(BASE, { ...both, title: 'Bakery shop ' }, both);
    expect([conflicts, taken]).to.deep.equal([[], []]);
  });

  it('marks the words that differ from the older text', () => {
    expect(markChange('one two three', 'one 2 three')).to.deep.equal(['one ', '2 ', 'three']);
    expect(markChange('one', 'one two')).to.deep.equal(['one ', 'two', '']);
    expect(markChange('one  two', 'one  two')).to.deep.equal(['one  two', '', '']);
    expect(markChange('', 'new')).to.deep.equal(['', 'new', '']);
    expect(markChange('a b', '')).to.deep.equal(['', '', '']);
  });
});
