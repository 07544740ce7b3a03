import { storeAuditDayTotals } from '@platform/shared/db/audit-day-totals';
import { expect } from 'chai';
import { useAdministrator, useAdminService, withQuery } from '../test-admin-service.ts';

const LOG = '/administrator/audit-log';

describe('total of the audit log', () => {
  const service = useAdminService();
  const admin = useAdministrator(service);
  const list = async (query: Parameters<typeof withQuery>[1]) =>
    (await admin().api.get(withQuery(LOG, query))).body as { total: number; data: { targetId: string }[] };
  /** Inserts records with the target ids 1 to `count`, in ascending order of time. */
  const insert = (action: string, count: number) =>
    service().records.query(
      `insert into audit_records (action, target_type, target_id, request_id, address, created_at)
       select $1, 'QUEUE', n, 'request-1', '203.0.113.7', now() - interval '1 day' + n * interval '1 second'
       from generate_series(1, $2) n`,
      [action, count],
    );

  before('insert records', async () => {
    await service().records.query('truncate audit_records');
    await insert('QUEUE_CHANGED', 1_200);
    await insert('USER_BLOCKED', 30);
  });

  it('is exact with and without an action, on the first and the last page', async () => {
    const first = await list({ perPage: 2 });
    expect(first.total).to.equal(1_230);
    const page = await list({ action: 'QUEUE_CHANGED', perPage: 2 });
    expect(page.total).to.equal(1_200);
    expect(page.data.map(({ targetId }) => targetId)).to.deep.equal(['1200', '1199']);
    const last = await list({ action: 'QUEUE_CHANGED', perPage: 100, page: 12 });
    expect(last.total).to.equal(1_200);
    expect(last.data.map(({ targetId }) => targetId)).to.deep.equal(
      Array.from({ length: 100 }, (_, index) => String(100 - index)),
    );
    expect(await list({ perPage: 100, page: 14 })).to.deep.include({ total: 1_230, data: [] });
  });

  it('of past days is read from the totals by day when filtered by target or time', async () => {
    await service().records.query(
      `insert into audit_records (action, target_type, target_id, request_id, address, created_at)
       select 'QUEUE_CHANGED', 'QUEUE', 'frequent', 'request-1', '203.0.113.7', '2026-02-03T04:05:06Z' from generate_series(1, 150)`,
    );
    const lists = [
      { targetId: 'frequent' },
      { targetId: 'frequent', action: 'QUEUE_CHANGED' as const },
      { until: '2026-02-04T00:00:00Z' },
      { from: '2026-02-03T00:00:00Z', until: '2026-02-04T00:00:00Z', page: 3 },
    ];
    const totals = () => Promise.all(lists.map(async (query) => (await list(query)).total));
    expect(await totals()).to.deep.equal([150, 150, 150, 150]);
    await storeAuditDayTotals((text) => service().records.query(text));
    expect(await totals()).to.deep.equal([150, 150, 150, 150]);
    await service().records.query('update audit_day_totals set total = total + 1000');
    expect(await totals()).to.deep.equal([1_150, 1_150, 1_150, 1_150]);
    await service().records.query("delete from audit_records where target_id = 'frequent'");
    expect(await totals()).to.deep.equal([0, 0, 0, 0]);
    await service().records.query('delete from audit_days');
  });

  it('is counted when filtered by actor, target or time', async () => {
    expect((await list({ action: 'USER_BLOCKED', targetId: '7' })).total).to.equal(1);
    expect((await list({ targetId: '7' })).total).to.equal(2);
    expect((await list({ until: '2000-01-01T00:00:00Z' })).total).to.equal(0);
  });

  it('is exact on the last page that the contract allows, which is empty', async () => {
    const page = 90_071_992_547_409;
    expect(await list({ page, perPage: 100 })).to.deep.include({ total: 1_230, data: [] });
    expect(await list({ targetId: '7', page, perPage: 100 })).to.deep.include({ total: 2, data: [] });
  });

  it('is read from the totals table without counting the records', async () => {
    const change = (by: number) =>
      service().records.query(
        `update audit_totals t set total = total + $1 from (select min(slot) as slot from audit_totals
         where action = 'USER_BLOCKED') lowest where action = 'USER_BLOCKED' and t.slot = lowest.slot`,
        [by],
      );
    await change(1_000_000);
    for (const page of [1, 10]) {
      expect((await list({ action: 'USER_BLOCKED', perPage: 100, page })).total).to.equal(1_000_030);
      expect((await list({ perPage: 100, page })).total).to.equal(1_001_230);
    }
    await change(-1_000_000);
  });
});
