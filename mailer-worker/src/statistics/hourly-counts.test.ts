import { expect } from 'chai';
import { useWorkerDatabase } from '../../testing/worker-database.ts';
import { storeHourlyCounts } from './statistics-feature.ts';

const HOUR = 3_600_000;

describe('hourly counts of the overview', () => {
  const { database, query } = useWorkerDatabase();
  /** The middle of the hour that began this many hours before the present one. */
  const toTime = (hours: number): Date => new Date((Math.floor(Date.now() / HOUR) - hours) * HOUR + HOUR / 2);
  const addRecords = (action: string, hours: number, count: number, details: object = {}) =>
    query(
      `insert into audit_records (action, request_id, address, details, created_at)
       select $1, 'request', '203.0.113.7', $2, $3 from generate_series(1, $4)`,
      [action, details, toTime(hours), count],
    );
  const list = () =>
    query<Record<string, number | Date>>(
      `select hour, customers, employees, sign_ins, failed_sign_ins from hourly_counts
       where customers + employees + sign_ins + failed_sign_ins > 0 order by hour desc`,
    );

  it('are stored once for each hour of 90 days that ended an hour ago', async () => {
    await addRecords('SIGNED_IN', 0, 1);
    await addRecords('SIGNED_IN', 1, 1);
    await addRecords('SIGNED_IN', 2, 2);
    await addRecords('SIGN_IN_FAILED', 2, 3);
    await addRecords('ACCOUNT_REGISTERED', 50, 4, { role: 'CUSTOMER' });
    await addRecords('ACCOUNT_REGISTERED', 50, 5, { role: 'EMPLOYEE' });
    await addRecords('SIGNED_IN', 92 * 24, 6);
    await storeHourlyCounts(database());
    const expected = [
      { customers: 0, employees: 0, sign_ins: 2, failed_sign_ins: 3 },
      { customers: 4, employees: 5, sign_ins: 0, failed_sign_ins: 0 },
    ];
    expect((await list()).map(({ hour: _hour, ...counts }) => counts)).to.deep.equal(expected);
    const [{ hours } = { hours: 0 }] = await query<{ hours: number }>(
      'select count(*)::int as hours from hourly_counts',
    );
    expect(hours).to.be.within(90 * 24 - 1, 91 * 24);
    await addRecords('SIGNED_IN', 2, 1);
    await storeHourlyCounts(database());
    expect((await list()).map(({ hour: _hour, ...counts }) => counts)).to.deep.equal(expected);
  });
});
