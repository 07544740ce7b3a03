import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage, { type Knex } from 'knex';
import { up as tidyNames } from '../migrations/0013-tidy-names.ts';
import { up as giveForms } from '../migrations/0014-accounts-of-contact-forms.ts';

const UNTIDY = '\u200b \u00a0Jose\u0301 \u00adAda\u0085\u3000';

describe('migration of stored rows', () => {
  let database: TestDatabase;
  let db: Knex;
  beforeEach(async () => {
    database = await createTestDatabase();
    db = knexPackage.knex({ client: 'pg', connection: database.url, pool: { min: 1, max: 1 } });
  });
  afterEach(async () => {
    await db.destroy();
    await database.drop();
  });

  it('tidies names as requests do, in batches, and leaves updated_at and all other names', async () => {
    await queryDatabase(
      database.url,
      `insert into users (email, password_hash) select n || '@example.com', '-' from generate_series(1, 2500) n;
       insert into customer_profiles (user_id, first_name, phone, updated_at)
         select id, E'Ada\\u200b' || row_number() over (), '+1 ', '2026-01-01' from users;
       insert into employee_profiles (user_id, first_name, last_name)
         select id, E'A\\u200d\\ufe0f b', E'\\u200b' from users limit 1`,
    );
    await queryDatabase(
      database.url,
      `with t as (insert into teams (name, slug, status) values ($1, 'slug', 'ONBOARDING')),
         l as (insert into lead_requests (name, email, company) values ($1, 'a@example.com', $1))
       insert into support_requests (name, email, subject, message) values ($1, 'a@example.com', $1, ' as sent ')`,
      [UNTIDY],
    );
    await tidyNames(db);
    const expected = 'Jos\u00e9 Ada';
    expect(
      await queryDatabase(
        database.url,
        `select (select count(*)::int from customer_profiles
             where first_name ~ '^Ada[0-9]+$' and phone = '+1' and updated_at = '2026-01-01') as profiles,
           (select first_name || last_name from employee_profiles) as others,
           (select name from teams) as team, l.name as lead, l.company, s.name as sender, s.subject, s.message
         from lead_requests l, support_requests s`,
      ),
    ).to.deep.equal([
      {
        profiles: 2500,
        others: 'A\u200d\ufe0f b\u200b',
        team: expected,
        ...{ lead: expected, company: expected, sender: expected, subject: expected, message: ' as sent ' },
      },
    ]);
  });

  it('gives contact forms to the accounts that have verified their addresses, in batches', async () => {
    await queryDatabase(
      database.url,
      `insert into users (email, password_hash, is_email_verified)
         values ('ada@example.com', '-', true), ('eve@example.com', '-', false);
       insert into lead_requests (name, email) select 'Ada', 'Ada@Example.com' from generate_series(1, 2500);
       insert into support_requests (email, subject, message)
         values ('ada@example.com', '-', '-'), ('eve@example.com', '-', '-'), ('bob@example.com', '-', '-');
       update lead_requests set user_id = null;
       update support_requests set user_id = null`,
    );
    await giveForms(db);
    expect(
      await queryDatabase(
        database.url,
        `select u.email as owner, f.email, count(*)::int as forms
         from (select email, user_id from lead_requests union all select email, user_id from support_requests) f
           left join users u on u.id = f.user_id group by 1, 2 order by f.email collate "C"`,
      ),
    ).to.deep.equal([
      { owner: 'ada@example.com', email: 'Ada@Example.com', forms: 2500 },
      { owner: 'ada@example.com', email: 'ada@example.com', forms: 1 },
      { owner: null, email: 'bob@example.com', forms: 1 },
      { owner: null, email: 'eve@example.com', forms: 1 },
    ]);
  });
});
