import { expect } from 'chai';
import { collectRecords, nameOfFile, toAuditCsv } from './audit-csv.ts';

const record = (fields: object = {}) => ({
  id: '1',
  action: 'USER_BLOCKED' as const,
  actorId: 'a',
  actorEmail: 'admin@example.com',
  actorName: null,
  actorPlatformRole: 'ADMIN' as const,
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

describe('CSV of the audit log', () => {
  it('has a line for each record, with its sentence, the local time and that of UTC', () => {
    const details = { changes: { title: { from: 'Shop', to: 'Web shop' } } };
    const text = toAuditCsv(
      [record({ actorName: 'Anna', details })],
      ({ targetName }) => `blocked ${targetName}`,
    );
    const [names, values, end] = text.replace('\uFEFF', '').split('\r\n');
    expect(names).to.equal(
      '"localTime","time","what","action","actorId","actorName","actorEmail","actorPlatformRole","targetType","targetId","targetName","address","requestId","details"',
    );
    const local = new Date(
      Date.UTC(2026, 10, 24, 14, 2) - new Date(2026, 10, 24).getTimezoneOffset() * 60_000,
    );
    expect(values).to.equal(
      `"${local.toISOString().slice(0, 19).replace('T', ' ')}","2026-11-24T14:02:00.000Z","blocked mila@example.com",` +
        '"USER_BLOCKED","a","Anna","admin@example.com","ADMIN","USER","b","mila@example.com","203.0.113.7","r",' +
        '"{""changes"":{""title"":{""from"":""Shop"",""to"":""Web shop""}}}"',
    );
    expect(end).to.equal('');
  });

  it('has its days, its filters and the zone in its name', () => {
    const name = (filters: Parameters<typeof nameOfFile>[0]) => nameOfFile(filters, 'Europe/Berlin');
    const day = { from: '2026-11-27', to: '2026-11-27' };
    expect(name({ ...day, signIns: 'shown' })).to.equal('audit-log 2026-11-27 Europe-Berlin.csv');
    expect(name(day)).to.equal('audit-log 2026-11-27 no-sign-ins Europe-Berlin.csv');
    expect(name({ from: '2026-11-27', userId: 'u1' })).to.equal(
      'audit-log 2026-11-27-- u1 Europe-Berlin.csv',
    );
    expect(name({ ...day, to: '2026-11-28', action: 'projects.USER_BLOCKED' })).to.equal(
      'audit-log 2026-11-27--2026-11-28 projects.USER_BLOCKED Europe-Berlin.csv',
    );
    expect(name({ action: 'X'.repeat(500) }).length).to.be.below(150);
    expect(name({ signIns: 'shown' })).to.equal('audit-log Europe-Berlin.csv');
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
