import { runScript } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import pg from 'pg';

const SECRET = 'a-secret-of-the-tests-that-signs-nothing-else';

describe('npm run restore:secure', () => {
  let database: TestDatabase;
  let records: Records;
  beforeEach('create a database with a session', async () => {
    database = await createTestDatabase();
    records = createRecords(database.url);
    const { id } = await records.user(['CUSTOMER']);
    await records.registeredToken(id, { secret: SECRET });
    await records.query(
      `insert into sessions (user_id, token_id, fingerprint, ip) select user_id, id, 'device', '127.0.0.1' from token_records`,
    );
  });
  afterEach('drop the database', async () => {
    await records?.close();
    await database?.drop();
  });
  const run = () => runScript('migrate/src/run-restore-secure.ts', [], { DATABASE_URL: database.url });
  const countTokens = async () => (await records.query('select 1 from token_records')).length;

  it('ends sessions and waiting sign-ins, keeps the devices, and lists the platform roles', async () => {
    const operator = await records.user(['OPERATOR']);
    const { code, output } = await run();
    expect(code, output).to.equal(0);
    expect(output).to.equal(
      `Sessions ended: 1\nInvitations deleted: 0\nPlatform roles, to compare with your records:\n  OPERATOR ${operator.email}\n`,
    );
    expect(await countTokens()).to.equal(0);
    expect(await records.query('select token_id from sessions')).to.deep.equal([{ token_id: null }]);
    const unchanged = await records.query('select 1 from users where factor_version = 0');
    expect(unchanged).to.deep.equal([]);
  });

  it('deletes invitations, which may have been withdrawn, and lists them', async () => {
    await records.query(
      `insert into invitations (email, role, language, code_hash, invited_by, expires_at)
       select 'invited@example.com', 'ADMIN', 'en', 'hash', id, now() + interval '7 days' from users`,
    );
    expect((await run()).output).to.include('Invitations deleted: 1\n  ADMIN invited@example.com\n');
    expect(await records.query('select id from invitations')).to.deep.equal([]);
  });

  it('fails while a process is connected', async () => {
    const client = new pg.Client({ connectionString: database.url, application_name: 'auth-service' });
    await client.connect();
    const { code, output } = await run();
    await client.end();
    expect([code, output]).to.deep.equal([1, 'Stop auth-service: connected to this database\n']);
    expect(await countTokens()).to.equal(1);
  });
});
