import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { pino } from 'pino';
import { createCleanup } from '../src/cleanup/cleanup.ts';
import { TOTALS_TABLES } from '../src/cleanup/list-totals.ts';
import { createCleanupMetrics } from '../src/worker-metrics.ts';
import { insertAgedRows } from './aged-rows.ts';
import { addToTotal, CASES, findWrongTotals, insertCountedRows } from './counted-rows.ts';

type LogLine = { level: number; msg: string; table?: string; rows?: number; differences?: unknown };

const WARN = 40;
const RETENTION = {
  sessions: 30,
  audit_records: 365,
  lead_requests: 30,
  support_requests: 30,
  mail_outbox: 30,
};

describe('list totals in the daily cleanup', () => {
  let database: TestDatabase;
  let pool: DatabasePool;
  let lines: LogLine[];
  let readMetric: (series: string) => Promise<number>;
  let cleanUp: () => Promise<void>;
  beforeEach('create a database with rows and a cleanup', async () => {
    database = await createTestDatabase();
    await insertCountedRows(database.url);
    pool = connectDatabase({
      url: await withLoginOf('worker', database.url),
      applicationName: 'cleanup-test',
      maxConnections: 2,
      onError: () => undefined,
    });
    lines = [];
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) });
    const metrics = createMetrics('mailer-worker');
    readMetric = async (series) => {
      const page = await metrics.render();
      const line = page
        .split('\n')
        .find((each) => each.startsWith(series.replace('}', ',service="mailer-worker"}')));
      return Number(line?.split(' ').at(-1));
    };
    cleanUp = createCleanup({
      database: pool,
      log,
      metrics: createCleanupMetrics(metrics),
      retention: RETENTION,
    });
  });
  afterEach('drop it', async () => {
    await pool.close();
    await database.drop();
  });

  const findLine = (message: string) => lines.find(({ msg }) => msg === message);

  it('of one table are recounted, after the deletions', async () => {
    await cleanUp();
    const line = findLine('list totals recounted');
    expect(line?.table).to.be.oneOf([...TOTALS_TABLES]);
    expect(lines.at(-1)).to.equal(line);
    for (const table of TOTALS_TABLES)
      expect(await readMetric(`list_totals_differences_total{table="${table}"}`)).to.equal(0);
    expect(await readMetric('cleanup_runs_total{outcome="success"}')).to.equal(1);
  });

  it('of past days of the audit log are counted once', async () => {
    await queryDatabase(database.url, 'delete from audit_days');
    await cleanUp();
    expect(findLine('past days of the audit log counted')).to.deep.include({ days: 2 });
    expect(await findWrongTotals(database.url)).to.deep.equal([]);
    lines = [];
    await cleanUp();
    expect(findLine('past days of the audit log counted')).to.deep.include({ days: 0 });
  });

  it('of past days that cannot be counted fail the run; it is repeated', async () => {
    await queryDatabase(
      database.url,
      'revoke execute on function store_next_audit_day_totals() from platform_worker',
    );
    const error = await cleanUp().catch((failure: unknown) => failure);
    expect(error).to.have.property('message', 'Count of the audit log failed');
    expect(await readMetric('cleanup_runs_total{outcome="failure"}')).to.equal(1);
  });

  it('are repaired, logged as a warning, and counted when they are wrong', async () => {
    for (const table of TOTALS_TABLES) {
      await addToTotal(database.url, table, CASES[table].present, 1);
      await addToTotal(database.url, table, CASES[table].absent, -1);
    }
    await cleanUp();
    const line = findLine('wrong list totals repaired');
    const repaired = TOTALS_TABLES.find((table) => table === line?.table) ?? 'user_totals';
    const { rows, present, absent, counted } = CASES[repaired];
    expect(line).to.deep.include({ level: WARN, table: repaired, rows });
    expect(line?.differences).to.have.deep.members([
      { key: present, kept: counted + 1, counted },
      { key: absent, kept: -1, counted: 0 },
    ]);
    for (const table of TOTALS_TABLES) {
      const found = await readMetric(`list_totals_differences_total{table="${table}"}`);
      expect(found, table).to.equal(table === repaired ? 2 : 0);
    }
    expect((await findWrongTotals(database.url)).map(({ list }) => list)).to.not.include(repaired);
  });

  it('whose recount fails keep no rows from being deleted; the run counts as failed and is repeated', async () => {
    await insertAgedRows(database.url, 'support_requests', '31 days', 3);
    const functions = 'function repair_totals(text), repair_audit_day_totals()';
    await queryDatabase(database.url, `revoke execute on ${functions} from platform_worker`);
    const error = await cleanUp().catch((failure: unknown) => failure);
    expect(error)
      .to.have.property('message')
      .that.matches(/^Recount of (user|project|team|audit|audit_day)_totals failed$/);
    expect(await queryDatabase(database.url, 'select 1 from support_requests')).to.deep.equal([]);
    expect(findLine('partitions rotated')).to.not.equal(undefined);
    expect(await readMetric('cleanup_runs_total{outcome="failure"}')).to.equal(1);
    await queryDatabase(database.url, `grant execute on ${functions} to platform_worker`);
    await cleanUp();
    expect(await readMetric('cleanup_runs_total{outcome="success"}')).to.equal(1);
  });
});
