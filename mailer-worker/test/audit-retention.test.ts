import { connectDatabase } from '@platform/shared/db/database';
import { eventually } from '@platform/shared/testing/eventually';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { readConfig } from '../src/config.ts';
import { removeOldAuditRecords } from '../src/remove-old-audit-records.ts';
import { WORKER_ENVIRONMENT } from './compose-worker.ts';
import { useMailPlatform } from './mail-platform.ts';

/** So many records of an age that Postgres understands. */
const leaveIn = (url: string, age: string, count = 1) =>
  queryDatabase(
    url,
    `insert into audit_records (action, target_type, target_id, request_id, address, created_at)
     select 'SIGN_IN_FAILED', 'USER', $1::text, 'request-1', '203.0.113.7', now() - $1::text::interval
     from generate_series(1, $2)`,
    [age, count],
  );

const agesLeftIn = async (url: string): Promise<string[]> =>
  (
    await queryDatabase<{ age: string }>(
      url,
      'select distinct target_id as age from audit_records order by 1',
    )
  ).map(({ age }) => age);

describe('The retention of audit records', () => {
  let database: TestDatabase;
  before('create a database', async () => {
    database = await createTestDatabase();
  });
  beforeEach('empty the audit trail', () => queryDatabase(database.url, 'truncate audit_records'));
  after('drop it', () => database?.drop());

  const leave = (age: string, count?: number) => leaveIn(database.url, age, count);
  const agesLeft = () => agesLeftIn(database.url);
  const remove = async (days: number): Promise<number> => {
    const connected = connectDatabase({
      url: database.url,
      applicationName: 'test',
      maxConnections: 1,
      onError: () => undefined,
    });
    try {
      return await removeOldAuditRecords(connected, days);
    } finally {
      await connected.close();
    }
  };

  it('When some are older than the days named, then exactly those go', async () => {
    const [kept, gone] = [
      ['0 seconds', '1 day', '29 days', '29 days 23:59:00'],
      ['30 days 00:01:00', '31 days', '365 days', '10 years'],
    ];
    for (const age of [...kept, ...gone]) await leave(age);
    expect(await remove(30)).to.equal(gone.length);
    expect(await agesLeft()).to.have.members(kept);
    expect(await remove(30)).to.equal(0);
    expect(await agesLeft()).to.have.members(kept);
  });

  it('When there are thousands, then all of them go, and all of the young ones stay', async () => {
    await leave('31 days', 2_500);
    await leave('29 days', 50);
    expect(await remove(30)).to.equal(2_500);
    const [counted] = await queryDatabase<{ count: number }>(
      database.url,
      'select count(*)::int as count from audit_records',
    );
    expect(counted?.count).to.equal(50);
  });

  it('When two workers remove at once, then each record goes once and neither waits for the other', async () => {
    await leave('31 days', 2_000);
    await leave('29 days');
    const removed = await Promise.all([remove(30), remove(30)]);
    expect(removed[0] + removed[1]).to.equal(2_000);
    expect(await agesLeft()).to.deep.equal(['29 days']);
  });

  it('When there are none, then none go', async () => {
    expect(await remove(1)).to.equal(0);
  });

  describe('as AUDIT_RETENTION_DAYS sets it', () => {
    const daysOf = (value: string | undefined) =>
      readConfig({
        ...WORKER_ENVIRONMENT,
        DATABASE_URL: 'postgres://localhost/platform',
        REDIS_URL: 'redis://localhost',
        SMTP_URL: 'smtp://localhost',
        AUDIT_RETENTION_DAYS: value,
      }).auditRetentionDays;

    for (const [value, days] of [
      [undefined, 365],
      ['', 365],
      ['90', 90],
      ['0', undefined],
    ] as const)
      it(`When it is ${JSON.stringify(value) ?? 'unset'}, then records stay ${days ?? 'for good'}`, () => {
        expect(daysOf(value)).to.equal(days);
      });

    for (const value of ['-1', '1.5', 'a year', '36501'])
      it(`refuses ${value}`, () => {
        expect(() => daysOf(value)).to.throw(/AUDIT_RETENTION_DAYS/);
      });
  });
});

describe('The nightly run of the worker', () => {
  const platform = useMailPlatform();

  const runNow = async (environment: Record<string, string>): Promise<void> => {
    const { redis, startWorker } = platform();
    const worker = await startWorker(environment);
    const queue = new Queue('maintenance', { connection: redis.client });
    await queue.add('remove-expired-tokens', undefined);
    await eventually('the run is over', async () => (await queue.getCompletedCount()) === 1);
    await queue.close();
    await worker.stop();
  };

  for (const [environment, left] of [
    [{ AUDIT_RETENTION_DAYS: '30' }, ['29 days']],
    [{}, ['29 days', '364 days']],
    [{ AUDIT_RETENTION_DAYS: '0' }, ['29 days', '364 days', '366 days']],
  ] as const)
    it(`leaves the audit records of ${left.join(', ')} with ${JSON.stringify(environment)}`, async () => {
      const { databaseUrl } = platform();
      await queryDatabase(databaseUrl, 'truncate audit_records');
      for (const age of ['29 days', '364 days', '366 days']) await leaveIn(databaseUrl, age);
      await runNow(environment);
      expect(await agesLeftIn(databaseUrl)).to.deep.equal(left);
    });
});
