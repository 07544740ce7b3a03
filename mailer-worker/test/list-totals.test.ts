import { connectDatabase, type DatabasePool, query } from '@platform/shared/db/database';
import { runScript } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { getTotalsTableOf, repairTotals, TOTALS_TABLES } from '../src/cleanup/list-totals.ts';
import { addToTotal, CASES, deleteTotal, findWrongTotals, insertCountedRows } from './counted-rows.ts';

const SCRIPT = 'mailer-worker/src/run-totals-repair.ts';

describe('repair of list totals', () => {
  let database: TestDatabase;
  let workerUrl: string;
  let pool: DatabasePool;
  before('create a database with rows', async () => {
    database = await createTestDatabase();
    await insertCountedRows(database.url);
    workerUrl = await withLoginOf('worker', database.url);
    pool = connectDatabase({
      url: workerUrl,
      applicationName: 'totals-test',
      maxConnections: 2,
      onError: () => undefined,
    });
  });
  after('drop it', async () => {
    await pool.close();
    await database.drop();
  });

  for (const table of TOTALS_TABLES)
    describe(`in ${table}`, () => {
      const { rows, present, counted, absent } = CASES[table];

      it('changes nothing when all of them are right', async () => {
        const stored = `select * from ${table} order by ${table}`;
        const before = await queryDatabase(database.url, stored);
        expect(await repairTotals(pool, table)).to.deep.equal({ table, rows, differences: [] });
        expect(await queryDatabase(database.url, stored)).to.deep.equal(before);
      });

      for (const by of [5, -2, -counted - 4])
        it(`repairs and reports one that is wrong by ${by}`, async () => {
          await addToTotal(database.url, table, present, by);
          const differences = [{ key: present, kept: counted + by, counted }];
          expect(await repairTotals(pool, table)).to.deep.equal({ table, rows, differences });
          expect(await findWrongTotals(database.url)).to.deep.equal([]);
          await deleteTotal(database.url, table, present);
          await repairTotals(pool, table);
        });

      it('repairs and reports one that is missing', async () => {
        await deleteTotal(database.url, table, present);
        const differences = [{ key: present, kept: 0, counted }];
        expect(await repairTotals(pool, table)).to.deep.equal({ table, rows, differences });
        expect(await findWrongTotals(database.url)).to.deep.equal([]);
      });

      it('repairs and reports one without rows', async () => {
        await addToTotal(database.url, table, absent, 4);
        const differences = [{ key: absent, kept: 4, counted: 0 }];
        expect(await repairTotals(pool, table)).to.deep.equal({ table, rows, differences });
        expect(await findWrongTotals(database.url)).to.deep.equal([]);
      });

      it('creates all of them after a restore without totals', async () => {
        await queryDatabase(database.url, `delete from ${table}`);
        const { differences } = await repairTotals(pool, table);
        expect(differences).to.deep.include({ key: present, kept: 0, counted });
        expect(await findWrongTotals(database.url)).to.deep.equal([]);
      });
    });

  it('chooses each table once in as many nights', () => {
    for (const first of ['2026-11-20T03:00:00Z', '2027-03-28T01:00:00Z']) {
      const nights = TOTALS_TABLES.map((_, night) => new Date(Date.parse(first) + night * 24 * 3_600_000));
      expect(nights.map(getTotalsTableOf)).to.have.members([...TOTALS_TABLES]);
    }
  });

  it('may take longer than the statement of a request', async () => {
    const other = await createTestDatabase();
    await queryDatabase(
      other.url,
      `create or replace function repair_totals(totals_table text) returns table (key jsonb, kept bigint, counted bigint)
       language sql as $$ select jsonb_build_object('timeout', current_setting('statement_timeout')), 0, 1 $$`,
    );
    const slowPool = connectDatabase({
      url: await withLoginOf('worker', other.url),
      applicationName: 'totals-test',
      maxConnections: 1,
      onError: () => undefined,
    });
    const { differences } = await repairTotals(slowPool, 'team_totals');
    expect(differences[0]?.key).to.deep.equal({ timeout: '10min' });
    const afterwards = { name: 'timeout', text: "select current_setting('statement_timeout')", values: [] };
    expect(await query(slowPool.database, afterwards)).to.deep.equal([{ currentSetting: '5s' }]);
    await slowPool.close();
    await other.drop();
  });

  describe('with `npm run totals:repair`', () => {
    const run = (...parameters: string[]) => runScript(SCRIPT, parameters, { DATABASE_URL: workerUrl });

    it('repairs all tables and prints what was wrong', async () => {
      await addToTotal(database.url, 'team_totals', { status: 'SUSPENDED' }, 2);
      await addToTotal(database.url, 'user_totals', { role: '', is_blocked: true }, -1);
      expect(await run()).to.deep.include({
        code: 0,
        output: [
          'user_totals: 22 rows counted, repaired {"role":"","is_blocked":true} (kept 1, counted 2)',
          'project_totals: 6 rows counted, no differences',
          'team_totals: 5 rows counted, repaired {"status":"SUSPENDED"} (kept 2, counted 0)',
          'audit_totals: 159 rows counted, no differences',
          'audit_day_totals: 150 rows counted, no differences\n',
        ].join('\n'),
      });
      expect(await findWrongTotals(database.url)).to.deep.equal([]);
    });

    it('repairs only the given table', async () => {
      expect(await run('audit_totals')).to.deep.include({
        code: 0,
        output: 'audit_totals: 159 rows counted, no differences\n',
      });
    });

    it('rejects a table without totals', async () => {
      const { code, output } = await run('users');
      expect(code).to.equal(1);
      expect(output).to.match(/^Usage: npm run totals:repair .*user_totals/);
    });
  });
});
