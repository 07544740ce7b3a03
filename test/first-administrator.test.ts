import { ADMINISTRATOR } from '@platform/shared/testing/administrator';
import { expectError, send } from '@platform/shared/testing/answers';
import { createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

describe('A newcomer with an empty platform', () => {
  let running: RunningStack | undefined;
  let gatewayUrl: string;
  let databaseUrl: string;
  before('start a stack of its own, without demo data', async function () {
    this.timeout(60_000);
    running = await startStack({ SEED_DEMO: 'off' });
    ({ gatewayUrl, databaseUrl } = running.stack);
  });
  after('stop it', async function () {
    this.timeout(30_000);
    await running?.stop();
  });
  const bearer = ({ accessToken }: Device) => ({ Authorization: `Bearer ${accessToken}` });
  const register = (email: string, headers: Record<string, string> = {}) =>
    send(gatewayUrl, 'POST', '/api/v1/auth/admin/register', { body: { email, password: PASSWORD }, headers });
  const listTables = async () =>
    await queryDatabase<{ name: string }>(
      databaseUrl,
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind = 'r' and c.relname not like 'knex_%'`,
    );

  it('When SEED_DEMO is off, then there is nobody and nothing', async () => {
    const tables = await listTables();
    expect(tables.length).to.be.at.least(10);
    for (const { name } of tables)
      expect(await queryDatabase(databaseUrl, `select 1 from ${name} limit 1`), name).to.deep.equal([]);
  });

  it('When the first administrator registers, then the workspace opens, and only an ADMIN registers the next', async () => {
    const email = uniqueEmail();
    const first = await register(email);
    expect(first.status, first.text).to.equal(201);
    expect(first.body).to.deep.include({ email, platformRole: 'ADMIN' });

    expectError(await register(uniqueEmail()), 401, 'TOKEN_INVALID');

    const client = createAuthClient(gatewayUrl, ADMINISTRATOR);
    const device = await client.openDevice({ email, password: PASSWORD });
    const me = await send(gatewayUrl, 'GET', '/api/v1/administrator/me', { headers: bearer(device) });
    expect(me.body).to.deep.equal({ userId: first.body.id, email, platformRole: 'ADMIN' });
    const users = await send(gatewayUrl, 'GET', '/api/v1/users', { headers: bearer(device) });
    expect(users.body).to.deep.include({ total: 1, page: 1, perPage: 10 });

    const second = await register(uniqueEmail(), bearer(device));
    expect(second.status, second.text).to.equal(201);
    expectError(await register(email, bearer(device)), 409, 'EMAIL_TAKEN');
  });

  it('When twenty register at once on an empty platform, then exactly one becomes its administrator', async () => {
    await queryDatabase(databaseUrl, 'truncate users cascade');
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(uniqueEmail())));
    const codes = answers.map(({ status, body }) => body.code ?? status);
    expect(codes.filter((code) => code === 201)).to.have.lengthOf(1);
    expect(codes.filter((code) => code === 'TOKEN_INVALID')).to.have.lengthOf(19);
    const roles = await queryDatabase(databaseUrl, 'select role from user_roles');
    expect(roles).to.deep.equal([{ role: 'ADMIN' }]);
    expect(await queryDatabase(databaseUrl, 'select 1 from users')).to.have.lengthOf(1);
  });
});
