import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';

const [ADA, BOB] = ['a0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002'];

const ROWS = `
  insert into users (id, email, password_hash) values ('${ADA}', 'ada@example.com', '-'), ('${BOB}', 'bob@example.com', '-');
  insert into user_roles (user_id, role, user_created_at) values ('${ADA}', 'CUSTOMER', now()), ('${ADA}', 'OPERATOR', now());
  insert into customer_profiles (user_id) values ('${ADA}');
  insert into token_records (id, user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
    values ('${ADA}', '${ADA}', '${ADA}', now(), '${ADA}', now());
  insert into sessions (user_id, token_id, fingerprint, ip) values ('${ADA}', '${ADA}', 'device', '-');
  insert into identities (user_id, provider, issuer, subject) values ('${ADA}', 'company', 'issuer', 'subject');`;

const role = (userId: string, name: string): string =>
  `insert into user_roles (user_id, role, user_created_at) values ('${userId}', '${name}', now())`;
const tokens = (accessId: string, refreshId: string): string => `
  insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
    values ('${BOB}', '${accessId}', now(), '${refreshId}', now())`;
const session = (userId: string, fingerprint: string, tokenId = 'null'): string =>
  `insert into sessions (user_id, token_id, fingerprint, ip) values ('${userId}', ${tokenId}, '${fingerprint}', '-')`;

const identity = (userId: string, subject: string): string =>
  `insert into identities (user_id, provider, issuer, subject) values ('${userId}', 'company', 'issuer', '${subject}')`;

/** Statements, keyed by the constraint that they violate. */
const REJECTED: Record<string, readonly string[]> = {
  users_email_key: ["insert into users (email, password_hash) values ('ada@example.com', '-')"],
  users_email_check: ["insert into users (email, password_hash) values ('Ada@example.com', '-')"],
  users_email_until_deleted: [
    `update users set email = null where id = '${ADA}'`,
    `update users set deleted_at = now() where id = '${ADA}'`,
  ],
  user_roles_one_platform_role: [role(ADA, 'ADMIN'), role(ADA, 'ARBITER')],
  user_roles_pkey: [role(ADA, 'CUSTOMER')],
  user_roles_role_check: [role(ADA, 'OWNER')],
  customer_profiles_user_id_key: [`insert into customer_profiles (user_id) values ('${ADA}')`],
  sessions_user_id_fingerprint_key: [session(ADA, 'device')],
  sessions_token_id_key: [session(ADA, 'other', `'${ADA}'`)],
  sessions_fingerprint_check: [session(ADA, ''), session(ADA, 'x'.repeat(257))],
  token_records_access_token_id_key: [tokens(ADA, BOB)],
  token_records_refresh_token_id_key: [tokens(BOB, ADA)],
  identities_issuer_subject_key: [identity(BOB, 'subject')],
  identities_subject_check: [identity(ADA, ''), identity(ADA, 'x'.repeat(256))],
};

const LAYOUT = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** Extracts the 60 bits of time, without the version between them. */
const toTime = (id: string): string => id.replaceAll('-', '').slice(0, 12) + id.slice(15, 18);
const toMilliseconds = (id: string): number => Number.parseInt(toTime(id).slice(0, 12), 16);

describe('schema', () => {
  let database: TestDatabase;
  beforeEach('create a database', async () => {
    database = await createTestDatabase();
    await query(ROWS);
  });
  afterEach('drop it', () => database.drop());

  const query = <Row extends object>(text: string) =>
    queryDatabase<Row & Record<string, unknown>>(database.url, text);

  it('rejects rows that violate its constraints', async () => {
    for (const [constraint, statements] of Object.entries(REJECTED))
      for (const statement of statements) {
        const error = await getRejection(query(statement));
        expect(error, statement).to.have.property('constraint', constraint);
      }
  });

  it('keeps a session when its tokens are deleted, and deletes everything with its user', async () => {
    await query('delete from token_records');
    expect(await query('select token_id from sessions')).to.deep.equal([{ token_id: null }]);
    await query(`delete from users where id = '${ADA}'`);
    const left =
      'select user_id from sessions union select user_id from user_roles union select user_id from customer_profiles';
    expect(await query(left)).to.deep.equal([]);
  });

  it('contains no triggers except for what instances of the previous release must not miss', async () => {
    expect(
      await query(
        'select tgrelid::regclass::text as on, tgname from pg_trigger where not tgisinternal order by 1',
      ),
    ).to.deep.equal(
      ['lead_requests', 'support_requests'].map((table) => ({ on: table, tgname: 'set_form_account' })),
    );
  });

  it('gives rows ids that are UUIDs of version 7, in the order of their creation', async () => {
    const others = `select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'id' and data_type = 'uuid' and column_default is distinct from 'new_row_id()'`;
    expect(await query(others)).to.deep.equal([]);
    const before = Date.now() - 1;
    const rows = await query<{ id: string }>('select new_row_id() as id from generate_series(1, 10000)');
    for (const { id } of rows) {
      expect(id).to.match(LAYOUT);
      expect(toMilliseconds(id)).to.be.within(before, Date.now() + 1);
    }
    const times = rows.map(({ id }) => toTime(id));
    expect(times).to.deep.equal([...times].sort());
    expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length);
  });
});
