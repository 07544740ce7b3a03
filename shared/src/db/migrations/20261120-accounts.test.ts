import { randomUUID } from 'node:crypto';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';

describe('Account tables', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(row);
    const [inserted] = await queryDatabase<{ id: string }>(
      database.url,
      `insert into ${table} (${names}) values (${names.map((_, index) => `$${index + 1}`)}) returning *`,
      Object.values(row),
    );
    return inserted?.id ?? '';
  };
  const createUser = (fields: object = {}) =>
    insert('users', { email: uniqueEmail(), password_hash: 'x', ...fields });
  const createTokens = (userId: string, fields: object = {}) =>
    insert('token_records', {
      user_id: userId,
      access_token_id: randomUUID(),
      access_token_expired_at: new Date(),
      refresh_token_id: randomUUID(),
      refresh_token_expired_at: new Date(),
      ...fields,
    });
  const createSession = async (userId: string, fields: object = {}) =>
    insert('sessions', { user_id: userId, fingerprint: uniqueFingerprint(), ip: '127.0.0.1', ...fields });

  /** Postgres's name for what the statement breaks. */
  const getErrorCode = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.catch((failure: unknown) => failure);
    expect(error).to.be.an('error');
    return String((error as { code?: string }).code);
  };
  const UNIQUE = '23505';
  const CHECK = '23514';
  const FOREIGN_KEY = '23503';
  const NOT_NULL = '23502';
  const count = async (table: string, userId: string): Promise<number> => {
    const [row] = await queryDatabase<{ count: number }>(
      database.url,
      `select count(*)::int from ${table} where user_id = $1`,
      [userId],
    );
    return row?.count ?? 0;
  };

  it('enforce a unique e-mail, case-insensitively', async () => {
    const email = uniqueEmail();
    await createUser({ email });
    expect(await getErrorCode(createUser({ email }))).to.equal(UNIQUE);
    expect(await getErrorCode(createUser({ email: email.toUpperCase() }))).to.be.oneOf([UNIQUE, CHECK]);
  });

  it('allow one platform role per user', async () => {
    for (const [first, second] of [
      ['ADMIN', 'OPERATOR'],
      ['OPERATOR', 'ARBITER'],
      ['ARBITER', 'ADMIN'],
      ['ADMIN', 'ADMIN'],
    ]) {
      const user_id = await createUser();
      await insert('user_roles', { user_id, role: first });
      expect(await getErrorCode(insert('user_roles', { user_id, role: second }))).to.equal(UNIQUE);
    }
  });

  it('allow other roles beside it, and reject unknown roles', async () => {
    const user_id = await createUser();
    for (const role of ['CUSTOMER', 'EMPLOYEE', 'ADMIN']) await insert('user_roles', { user_id, role });
    expect(await getErrorCode(insert('user_roles', { user_id, role: 'CUSTOMER' }))).to.equal(UNIQUE);
    expect(await getErrorCode(insert('user_roles', { user_id, role: 'OWNER' }))).to.equal(CHECK);
  });

  for (const table of ['customer_profiles', 'employee_profiles'])
    it(`allow one row of ${table} per existing user`, async () => {
      const user_id = await createUser();
      await insert(table, { user_id, first_name: 'Ada' });
      expect(await getErrorCode(insert(table, { user_id }))).to.equal(UNIQUE);
      expect(await getErrorCode(insert(table, { user_id: randomUUID() }))).to.equal(FOREIGN_KEY);
      expect(await getErrorCode(insert(table, { user_id: await createUser(), first_name: '' }))).to.equal(
        CHECK,
      );
      expect(
        await getErrorCode(insert(table, { user_id: await createUser(), phone: '1'.repeat(33) })),
      ).to.equal(CHECK);
    });

  it('allow one session per user and fingerprint', async () => {
    const [ada, bob] = [await createUser(), await createUser()];
    const fingerprint = uniqueFingerprint();
    await createSession(ada, { fingerprint });
    await createSession(bob, { fingerprint });
    expect(await getErrorCode(createSession(ada, { fingerprint }))).to.equal(UNIQUE);
    for (const wrong of ['', 'x'.repeat(257)])
      expect(await getErrorCode(createSession(ada, { fingerprint: wrong }))).to.equal(CHECK);
  });

  it('allow one session per token record, and keep the session when its tokens are deleted', async () => {
    const user = await createUser();
    const token_id = await createTokens(user);
    await createSession(user, { token_id });
    expect(await getErrorCode(createSession(user, { token_id }))).to.equal(UNIQUE);
    await queryDatabase(database.url, 'delete from token_records where id = $1', [token_id]);
    expect(await count('sessions', user)).to.equal(1);
    expect(await getErrorCode(createSession(user, { token_id: randomUUID() }))).to.equal(FOREIGN_KEY);
  });

  it('enforce unique token ids', async () => {
    const user = await createUser();
    const id = randomUUID();
    await createTokens(user, { access_token_id: id });
    expect(await getErrorCode(createTokens(user, { access_token_id: id }))).to.equal(UNIQUE);
    await createTokens(user, { refresh_token_id: id });
    expect(await getErrorCode(createTokens(user, { refresh_token_id: id }))).to.equal(UNIQUE);
    expect(await getErrorCode(createTokens(user, { refresh_token_id: null }))).to.equal(NOT_NULL);
    expect(await getErrorCode(createTokens(randomUUID()))).to.equal(FOREIGN_KEY);
  });

  it('delete all rows of a deleted user', async () => {
    const user_id = await createUser();
    const token_id = await createTokens(user_id);
    await createSession(user_id, { token_id });
    await insert('user_roles', { user_id, role: 'CUSTOMER' });
    await insert('customer_profiles', { user_id });
    await queryDatabase(database.url, 'delete from users where id = $1', [user_id]);
    for (const table of ['sessions', 'token_records', 'user_roles', 'customer_profiles'])
      expect(await count(table, user_id), table).to.equal(0);
  });
});
