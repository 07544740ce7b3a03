import { expect } from 'chai';
import { chooseLanguage } from '../words/language.ts';
import { toCsv } from './csv.ts';

describe('CSV', () => {
  it('has a byte order mark, and quotes every cell', () => {
    expect(toCsv([['a "b", c\nd', '']])).to.equal('\uFEFF"a ""b"", c\nd",""\r\n');
  });

  it('has the separator of German spreadsheets in German', async () => {
    await chooseLanguage('de');
    try {
      expect(toCsv([['a', 'b']])).to.equal('\uFEFF"a";"b"\r\n');
    } finally {
      await chooseLanguage('en');
    }
  });

  const CELLS: [text: string, cell: string][] = [
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(1)', "'@SUM(1)"],
    ['＝1+1', "'＝1+1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠SUM(1)', "'＠SUM(1)"],
    [' \u00a0=1', " \u00a0'=1"],
    ['\t=1', "\t'=1"],
    ['\n=1', "\n'=1"],
    ['\r\n =1', "\r\n '=1"],
    ["Shop;=cmd|' /C calc'!A1;x", "Shop;'=cmd|' /C calc'!A1;x"],
    ['a,+1;b\t@c', "a,'+1;b\t'@c"],
    ['x;"=1', 'x;""\'=1'],
    ['Web - new', 'Web - new'],
    ['a=1', 'a=1'],
    ['mila@example.com', 'mila@example.com'],
    ['E-Mail; a – b', 'E-Mail; a – b'],
  ];
  for (const [text, cell] of CELLS)
    it(`writes ${JSON.stringify(text)} so that no spreadsheet runs it`, () => {
      expect(toCsv([['b', text]])).to.equal(`\uFEFF"b","${cell}"\r\n`);
    });
});
