import { expect } from 'chai';
import { chooseWay, type Search } from './substring-search.ts';

const text = { columns: ['p.title'], combined: 'p.title' };
const TITLE: Search = { text, term: 'website' };
const SHORT: Search = { text, term: 'we' };
const EMAIL: Search = { text: { ...text, isLowerCase: true }, term: 'smith' };

const sample = (matches: number, selected = 1_000) => ({ rows: 1_000, selected, matches });

describe('chooseWay', () => {
  const CASES: [title: string, search: Search, found: ReturnType<typeof sample>, way: string][] = [
    ['finds the rows of a rare term', TITLE, sample(20), 'find'],
    ['finds the rows with the grams of a common term', TITLE, sample(400), 'grams'],
    ['reads every text for a term of most rows', TITLE, sample(700), 'check'],
    ['reads no text for the grams of most rows', SHORT, sample(900), 'grams'],
    ['reads every text for a gram of nearly all rows', SHORT, sample(990), 'check'],
    ['reads the texts of few selected rows', TITLE, sample(400, 100), 'check'],
    ['finds lower-case texts with a rare term', EMAIL, sample(90), 'find'],
    ['reads lower-case texts for a common term', EMAIL, sample(110), 'check'],
    ['finds the rows if nothing was sampled', TITLE, { rows: 0, selected: 0, matches: 0 }, 'find'],
  ];
  for (const [title, search, found, way] of CASES)
    it(title, () => {
      expect(chooseWay(search, found)).to.equal(way);
    });
});
