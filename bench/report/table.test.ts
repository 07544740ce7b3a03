import { expect } from 'chai';
import {
  formatNumber,
  formatResults,
  getVerdict,
  type Limit,
  type Result,
  resultsToMarkdown,
} from './table.ts';

const result = (value: number, target: Limit): Result => ({
  ...{ name: 'me', basis: '9,000/s against 2,000/s', unit: '×', target, value },
});

describe('benchmark result table', () => {
  it('compares each value with its limit, which is included', () => {
    expect(getVerdict(result(4, { atLeast: 4 }))).to.equal('met');
    expect(getVerdict(result(3.999, { atLeast: 4 }))).to.equal('NOT MET');
    expect(getVerdict(result(3, { atMost: 3 }))).to.equal('met');
    expect(getVerdict(result(3.001, { atMost: 3 }))).to.equal('NOT MET');
  });

  it('shows the reason when a value is missing', () => {
    const missing: Result = { name: 'me', unit: '×', target: { atLeast: 4 }, missing: 'nginx not installed' };
    expect(getVerdict(missing)).to.equal('not measured');
    expect(formatResults([missing])).to.contain('nginx not installed');
    expect(getVerdict(result(Number.NaN, { atMost: 3 }))).to.equal('not measured');
  });

  it('formats numbers with two or three significant digits', () => {
    expect([0, 0.00421, 0.6543, 4.126, 18.23, 1234.5, Number.NaN].map(formatNumber)).to.deep.equal([
      ...['0.00', '0.0042', '0.65', '4.13', '18.2', '1,235', '–'],
    ]);
  });

  it('shows NOT MET for a value that only rounding lifts to its limit', () => {
    expect(formatResults([result(3.999, { atLeast: 4 })])).to.match(/4\.00 × +≥ 4 × +NOT MET/);
  });

  it('escapes vertical bars in Markdown cells', () => {
    const markdown = resultsToMarkdown([{ ...result(5, { atLeast: 4 }), name: 'a | b' }]);
    const [, , row = ''] = markdown.split('\n');
    expect(row.split(/(?<!\\)\|/)).to.have.lengthOf(7);
  });
});
