import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { createBrowser, expectFailure } from './simulated-browser.ts';

describe('first administrator', () => {
  let running: RunningStack | undefined;
  let gatewayUrl: string;
  let databaseUrl: string;
  before('start a stack without demo data', async () => {
    running = await startStack({ SEED_DEMO: 'off' });
    ({ gatewayUrl, databaseUrl } = running.stack);
  });
  after('stop the stack', async () => {
    await running?.stop();
  });
  const register = (email: string) =>
    send(gatewayUrl, 'POST', '/api/v1/auth/admin/register', { body: { email, password: PASSWORD } });
  const listTables = async () =>
    await queryDatabase<{ name: string }>(
      databaseUrl,
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'public' and c.relkind = 'r' and c.relname not like 'knex_%'`,
    );

  it('finds every table empty with SEED_DEMO=off', async () => {
    const tables = await listTables();
    expect(tables.length).to.be.at.least(10);
    for (const { name } of tables)
      expect(await queryDatabase(databaseUrl, `select 1 from ${name} limit 1`), name).to.deep.equal([]);
  });

  it('registers without a token; only an ADMIN registers the next one', async () => {
    const browser = createBrowser(gatewayUrl, 'administrator');
    const [tab, email] = [browser.openTab(), uniqueEmail()];
    const first = await tab.signUp({ email, password: PASSWORD });
    expect(first).to.deep.include({ email, platformRole: 'ADMIN' });

    expectError(await register(uniqueEmail()), 401, 'TOKEN_INVALID');

    await tab.signIn({ email, password: PASSWORD });
    const me = await tab.GET('/administrator/me');
    expect(me).to.deep.equal({ userId: first.id, email, platformRole: 'ADMIN' });
    expect(await tab.GET('/users')).to.deep.include({ total: 1, page: 1, perPage: 10 });

    await tab.signUp({ email: uniqueEmail(), password: PASSWORD });
    await expectFailure(tab.signUp({ email, password: PASSWORD }), 'EMAIL_TAKEN');
    browser.close();
  });
});
