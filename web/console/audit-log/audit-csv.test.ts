import { expect } from 'chai';
import { collectRecords, toCsv } from './audit-csv.ts';

const record = (fields: object = {}) => ({
  id: '1',
  action: 'USER_BLOCKED' as const,
  actorId: 'a',
  actorEmail: 'admin@example.com',
  actorName: null,
  targetType: 'USER',
  targetId: 'b',
  targetName: 'mila@example.com',
  user: null,
  requestId: 'r',
  address: '203.0.113.7',
  details: {},
  createdAt: '2026-11-24T14:02:00.000Z',
  ...fields,
});

const lines = (text: string) => text.replace('\uFEFF', '').split('\r\n');

describe('CSV of the audit log', () => {
  it('has a line for each record, below the names of the columns, in UTF-8', () => {
    const text = toCsv([record()]);
    expect(text.startsWith('\uFEFF')).to.equal(true);
    expect(lines(text)).to.deep.equal([
      '"time","action","actorId","actorEmail","targetType","targetId","targetName","address","requestId","details"',
      '"2026-11-24T14:02:00.000Z","USER_BLOCKED","a","admin@example.com","USER","b","mila@example.com","203.0.113.7","r",""',
      '',
    ]);
  });

  it('quotes every cell', () => {
    const [, ...rest] = lines(
      toCsv([record({ targetName: 'a "b", c\nd', actorId: null, actorEmail: null })]),
    );
    expect(rest.join('\r\n')).to.include('"USER_BLOCKED","","","USER","b","a ""b"", c\nd",');
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
      expect(toCsv([record({ targetName: text })])).to.include(`"b","${cell}","203.0.113.7"`);
    });

  it('contains the details as JSON', () => {
    const details = { changes: { title: { from: 'Shop', to: 'Web shop' } } };
    expect(toCsv([record({ details })])).to.include('"{""changes"":{""title"":{""from"":""Shop""');
  });

  /** A log of `length` records, a page at a time. */
  const readFrom =
    (length: number, sizes: number[] = []) =>
    async (cursor: string | undefined, perPage: number) => {
      sizes.push(perPage);
      const start = Number(cursor ?? 0);
      const end = Math.min(start + perPage, length);
      const data = Array.from({ length: end - start }, (_, index) => record({ id: String(start + index) }));
      return { data, nextCursor: end < length ? String(end) : null };
    };

  it('reads all pages, in order', async () => {
    const progress: number[] = [];
    const { records, isComplete } = await collectRecords(readFrom(250), (count) => progress.push(count));
    expect(records.map(({ id }) => Number(id))).to.deep.equal(Array.from({ length: 250 }, (_, id) => id));
    expect([isComplete, progress]).to.deep.equal([true, [100, 200, 250]]);
  });

  it('stops at the limit, and says so', async () => {
    const sizes: number[] = [];
    const { records, isComplete } = await collectRecords(readFrom(1_000, sizes), () => undefined, 150);
    expect([records.length, isComplete, sizes]).to.deep.equal([150, false, [100, 50]]);
    const exact = await collectRecords(readFrom(150), () => undefined, 150);
    expect([exact.records.length, exact.isComplete]).to.deep.equal([150, true]);
  });
});
