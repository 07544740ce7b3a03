import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { seedDatabase } from './seed-database.ts';

const ROWS = 1_000;

describe('seeded benchmark data', () => {
  let test: TestDatabase;
  let indexesBefore: string[];

  const query = <Row extends object>(text: string) =>
    queryDatabase<Row & Record<string, unknown>>(test.url, text);
  const readIndexes = async (): Promise<string[]> => {
    const rows = await query<{ definition: string }>(
      `select pg_get_indexdef(indexrelid) as definition from pg_index join pg_class c on c.oid = indrelid
       where indisvalid and not c.relispartition and relnamespace = 'public'::regnamespace order by 1`,
    );
    return rows.map(({ definition }) => definition);
  };

  before(async () => {
    test = await createTestDatabase();
    indexesBefore = await readIndexes();
    await seedDatabase(test.url, { users: ROWS, projects: ROWS, teams: ROWS, auditRecords: ROWS });
  });
  after(() => test.drop());

  it('contain the requested number of rows, and all indexes', async () => {
    for (const table of ['users', 'projects', 'teams', 'audit_records']) {
      const [counted] = await query<{ rows: number }>(`select count(*)::int as rows from ${table}`);
      expect(counted?.rows, table).to.equal(ROWS);
    }
    expect(await readIndexes()).to.deep.equal(indexesBefore);
  });

  /** The share of the table that is older than the oldest and the newest matching row. */
  const readAges = async (table: string, condition: string): Promise<[number, number]> => {
    const [ages] = await query<{ oldest: number; newest: number }>(
      `select min(age) as oldest, max(age) as newest
       from (select *, percent_rank() over (order by created_at) as age from ${table}) aged where ${condition}`,
    );
    if (!ages) throw new Error(`No row of ${table} with ${condition}`);
    return [ages.oldest, ages.newest];
  };

  const OPERATOR = "exists (select from user_roles r where r.user_id = id and role = 'OPERATOR')";
  const ARBITER = OPERATOR.replace('OPERATOR', 'ARBITER');
  for (const [name, table, oldest, newest] of [
    ['roles', 'users', OPERATOR, ARBITER],
    ['e-mail addresses', 'users', "email like '%legacy%'", "email like '%recent%'"],
    ['statuses of projects', 'projects', "status = 'DISPUTED'", "status = 'MODERATION'"],
    ['categories and descriptions', 'projects', "category = 'OTHER'", "description like '%prototype%'"],
    ['statuses of teams', 'teams', "status = 'ARCHIVED'", "status = 'ONBOARDING'"],
    ['actions', 'audit_records', "action = 'PROJECT_RESTORED'", "action = 'TOTP_ENABLED'"],
  ] as const)
    it(`contain ${name} of only the oldest and only the newest rows`, async () => {
      expect((await readAges(table, oldest))[1]).to.be.lessThan(0.05);
      expect((await readAges(table, newest))[0]).to.be.greaterThan(0.95);
    });

  it('contain a tenth of the rows with one creation time', async () => {
    const imports = await query<{ rows: number }>(
      'select count(*)::int as rows from users group by created_at order by 1 desc limit 1',
    );
    expect(imports).to.deep.equal([{ rows: ROWS / 10 }]);
  });
});
