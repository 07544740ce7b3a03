import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { UUID_V7 } from './20261201-row-ids.ts';

const LAYOUT = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The 60 bits of time, without the version between them. */
const toTime = (id: string): string => id.replaceAll('-', '').slice(0, 12) + id.slice(15, 18);
const toMilliseconds = (id: string): number => Number.parseInt(toTime(id).slice(0, 12), 16);

describe('row ids', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  const query = <Row extends object>(text: string) =>
    queryDatabase<Row & Record<string, unknown>>(database.url, text);

  it('are UUIDs of version 7 in every table', async () => {
    const others = await query(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'id' and data_type = 'uuid'
         and column_default is distinct from 'new_row_id()'`,
    );
    expect(others).to.deep.equal([]);
    const [team] = await query<{ id: string }>(
      "insert into teams (name, slug, status) values ('Team', 'team', 'ONBOARDING') returning id",
    );
    expect(team?.id).to.match(LAYOUT);
  });

  // PostgreSQL 18 has its own function; earlier versions use the expression.
  for (const [name, expression] of [
    ['the function of the schema', 'new_row_id()'],
    ['the expression for PostgreSQL 15 to 17', UUID_V7],
  ])
    describe(`of ${name}`, () => {
      it('contain the time of creation and are unique', async () => {
        const before = Date.now() - 1;
        const rows = await query<{ id: string }>(`select ${expression} as id from generate_series(1, 10000)`);
        const ids = rows.map(({ id }) => id);
        for (const id of ids) {
          expect(id).to.match(LAYOUT);
          expect(toMilliseconds(id)).to.be.within(before, Date.now() + 1);
        }
        expect(new Set(ids).size).to.equal(ids.length);
      });

      it('increase within a millisecond', async () => {
        const rows = await query<{ id: string }>(`select ${expression} as id from generate_series(1, 1000)`);
        const times = rows.map(({ id }) => toTime(id));
        expect(times).to.deep.equal([...times].sort());
        expect(new Set(times.map((time) => time.slice(0, 12))).size).to.be.below(new Set(times).size);
      });
    });
});
