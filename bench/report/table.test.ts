import { expect } from 'chai';
import { judge, type Line, linesToMarkdown, showLines, showNumber } from './table.ts';

const line = (figure: number, target: Line['target']): Line => ({
  ...{ work: 'me', of: '9,000/s against 2,000/s', unit: '×', target, figure },
});

describe('The table of the benchmark', () => {
  it('When a figure is at its limit, then it is met; beyond it, it is not', () => {
    expect(judge(line(4, { atLeast: 4 }))).to.equal('met');
    expect(judge(line(3.999, { atLeast: 4 }))).to.equal('NOT MET');
    expect(judge(line(3, { atMost: 3 }))).to.equal('met');
    expect(judge(line(3.001, { atMost: 3 }))).to.equal('NOT MET');
  });

  it('When there is no figure, then nothing is claimed, and the reason stands in the line', () => {
    const missing: Line = {
      ...{ work: 'me', of: '', unit: '×', target: { atLeast: 4 }, missing: 'nginx not installed' },
    };
    expect(judge(missing)).to.equal('not measured');
    expect(showLines([missing])).to.contain('nginx not installed');
    expect(judge(line(Number.NaN, { atMost: 3 }))).to.equal('not measured');
  });

  it('When a figure is shown, then with the digits that say something', () => {
    expect([0, 0.00421, 0.6543, 4.126, 18.23, 1234.5, Number.NaN].map(showNumber)).to.deep.equal([
      ...['0.00', '0.0042', '0.65', '4.13', '18.2', '1,235', '–'],
    ]);
  });

  it('When a line falls just short, then its figure may look met, but its verdict is not', () => {
    expect(showLines([line(3.999, { atLeast: 4 })])).to.match(/4\.00 × +≥ 4 × +NOT MET/);
  });

  it('When a cell has a bar in it, then the Markdown table keeps its columns', () => {
    const [, , row = ''] = linesToMarkdown([{ ...line(5, { atLeast: 4 }), work: 'a | b' }]).split('\n');
    expect(row.split(/(?<!\\)\|/)).to.have.lengthOf(7);
  });
});
