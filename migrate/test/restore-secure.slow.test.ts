import { runScript } from '@platform/shared/testing/process';
import { createTestRedis } from '@platform/shared/testing/test-redis';
import { useDatabase } from '@platform/shared/testing/use-database';
import { expect } from 'chai';
import pg from 'pg';

const SECRET = 'a-secret-of-the-tests-that-signs-nothing-else';

describe('npm run restore:secure', () => {
  const { url, records } = useDatabase();
  let redis: Awaited<ReturnType<typeof createTestRedis>>;
  beforeEach('create a session', async () => {
    redis = await createTestRedis();
    const { id } = await records().user(['CUSTOMER']);
    await records().registeredToken(id, { secret: SECRET });
    await records().query(
      `insert into sessions (user_id, token_id, fingerprint, ip) select user_id, id, 'device', '127.0.0.1' from token_records`,
    );
  });
  afterEach('drop Redis', () => redis?.drop());
  const run = (redisUrl = redis.url) =>
    runScript('migrate/src/run-restore-secure.ts', [], { DATABASE_URL: url(), REDIS_URL: redisUrl });
  const countTokens = async () => (await records().query('select 1 from token_records')).length;

  it('ends sessions and waiting sign-ins, and lists the platform roles', async () => {
    const operator = await records().user(['OPERATOR']);
    await redis.client.set('a-waiting-sign-in', '1');
    const { code, output } = await run();
    expect(code, output).to.equal(0);
    expect(output).to.equal(
      `Redis keys deleted: 1\nSessions ended: 1\nInvitations deleted: 0\nPlatform roles, to compare with your records:\n  OPERATOR ${operator.email}\n`,
    );
    expect(await countTokens()).to.equal(0);
    expect(await records().query('select id from sessions')).to.deep.equal([]);
    expect(await redis.dump()).to.deep.equal({});
  });

  it('deletes authenticator apps that nobody has confirmed, and keeps the others', async () => {
    const [confirmed, prepared] = [await records().user(['CUSTOMER']), await records().user(['CUSTOMER'])];
    await records().query(
      `insert into totp_factors (user_id, sealed_secret, enabled_at) values ($1, 'sealed', now()), ($2, 'sealed', null)`,
      [confirmed.id, prepared.id],
    );
    expect((await run()).code).to.equal(0);
    expect(await records().query('select user_id as "userId" from totp_factors')).to.deep.equal([
      { userId: confirmed.id },
    ]);
  });

  it('changes nothing while Redis is away', async () => {
    const { code, output } = await run('redis://127.0.0.1:1');
    expect([code, output]).to.deep.equal([1, 'Redis is not reachable: connect ECONNREFUSED 127.0.0.1:1\n']);
    expect(await countTokens()).to.equal(1);
  });

  it('deletes invitations, which may have been withdrawn, and lists them', async () => {
    await records().query(
      `insert into invitations (email, role, language, code_hash, invited_by, expires_at)
       select 'invited@example.com', 'ADMIN', 'en', 'hash', id, now() + interval '7 days' from users`,
    );
    expect((await run()).output).to.include('Invitations deleted: 1\n  ADMIN invited@example.com\n');
    expect(await records().query('select id from invitations')).to.deep.equal([]);
  });

  it('fails while a process is connected', async () => {
    const client = new pg.Client({ connectionString: url(), application_name: 'auth-service' });
    await client.connect();
    const { code, output } = await run();
    await client.end();
    expect([code, output]).to.deep.equal([1, 'Stop auth-service: connected to this database\n']);
    expect(await countTokens()).to.equal(1);
  });
});
