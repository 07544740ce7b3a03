import { queryDatabase } from '@platform/shared/testing/query-database';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage from 'knex';
import { migrateDatabase } from '../migrate.ts';
import { down, up } from './20261204-second-factor.ts';

const OWNER = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';

const openSession = (device: string, extra = ''): string => `
  select * from open_session('${OWNER}', 'hash', '${device}', '127.0.0.1', gen_random_uuid(), now(), gen_random_uuid(), now(),
    '127.0.0.1'${extra})`;

describe('migration to second factors', () => {
  let database: TestDatabase;
  const query = (text: string) => queryDatabase(database.url, text);

  beforeEach('create a database with a user', async () => {
    database = await createEmptyDatabase();
    await migrateDatabase(database.url);
    await query(
      `insert into users (id, email, password_hash) values ('${OWNER}', 'owner@example.com', 'hash')`,
    );
  });
  afterEach('drop it', () => database.drop());

  it('opens a session for the checked version of the factors only', async () => {
    expect(await query(openSession('first', ", 0, '{password}'"))).to.have.length(1);
    await query('update users set factor_version = 1');
    expect(await query(openSession('first', ", 0, '{password}'"))).to.have.length(0);
    expect(await query(openSession('first', ", 1, '{password,totp}'"))).to.have.length(1);
    expect(await query('select methods from token_records')).to.deep.equal([
      { methods: ['password', 'totp'] },
    ]);
  });

  it('tells a new device of an account from its first and from a known one', async () => {
    const devices = ['first', 'first', 'second', 'second'];
    const isNew: unknown[] = [];
    for (const device of devices)
      isNew.push((await query(openSession(device, ", 0, '{password}'")))[0]?.['is_new_device']);
    expect(isNew).to.deep.equal([false, false, true, false]);
  });

  it('opens a session for the previous release until the factors change', async () => {
    const [session] = await query(openSession('first'));
    expect(session).to.deep.include({ user_id: OWNER, fingerprint: 'first' });
    await query('update users set factor_version = 1');
    expect(await query(openSession('first'))).to.have.length(0);
  });

  it('requires an e-mail of a user who is not deleted', async () => {
    const error = await query('update users set email = null').catch((caught: Error) => caught.message);
    expect(error).to.include('users_email_until_deleted');
    await query(`select delete_account('${OWNER}')`);
    expect(await query('select email, deleted_at is not null as is_deleted from users')).to.deep.equal([
      { email: null, is_deleted: true },
    ]);
  });

  it('can be reverted with a deleted user, repeated, and repeated halfway', async () => {
    await query(`select delete_account('${OWNER}')`);
    const knex = knexPackage.knex({ client: 'pg', connection: database.url });
    try {
      await down(knex);
      expect(await query(openSession('first'))).to.have.length(0);
      expect(await query('select email from users')).to.deep.equal([{ email: `deleted-${OWNER}@invalid` }]);
      await up(knex);
      await up(knex);
    } finally {
      await knex.destroy();
    }
  });
});
