import { connectDatabase, type DatabasePool, query } from '@platform/shared/db/database';
import { queryBuilder } from '@platform/shared/db/query-builder';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { createRecorder, explainStatements, toLiteral } from './recorded-statements.ts';

describe('recorded benchmark statements', () => {
  let test: TestDatabase;
  let pool: DatabasePool;

  before(async () => {
    test = await createTestDatabase();
    const options = { url: test.url, applicationName: 'test', maxConnections: 1 };
    pool = connectDatabase({ ...options, onError: () => undefined });
  });
  after(async () => {
    await pool.close();
    await test.drop();
  });

  const named = (status: string) => ({
    ...{ name: 'teams-by-status', text: 'select id from teams where status = $1 and created_at < $2' },
    values: [status, new Date()],
  });

  it('include prepared and built statements', async () => {
    const { database, take, clear } = createRecorder(pool);
    await query(database, named('ACTIVE'));
    clear();
    await query(database, named('ARCHIVED'));
    await database.execute(queryBuilder('users').select('id').where({ is_blocked: true }));
    expect(take().map(({ name, values }) => [name, values[0]])).to.deep.equal([
      ...[
        ['teams-by-status', 'ARCHIVED'],
        [undefined, true],
      ],
    ]);
  });

  it('are explained with the plan of their connection: the generic one after repeated executions', async () => {
    const { database, take, clear } = createRecorder(pool);
    for (let execution = 0; execution < 8; execution += 1) await query(database, named("it's"));
    clear();
    await query(database, named("it's"));
    const plan = (await explainStatements({ pool, url: test.url }, take())).join('\n');
    expect(plan).to.match(/^prepared as teams-by-status:/);
    expect(plan).to.contain('status = $1').and.to.contain('Execution Time');
  });

  it('have literals that Postgres converts to any type', () => {
    expect([null, undefined, true, 7, "it's"].map(toLiteral)).to.deep.equal([
      ...['null', 'null', "'true'", "'7'", "'it''s'"],
    ]);
    expect(toLiteral(new Date(0))).to.equal("'1970-01-01T00:00:00.000Z'");
    expect(toLiteral(['a', 'b, c'])).to.equal(`'{"a","b, c"}'`);
  });
});
