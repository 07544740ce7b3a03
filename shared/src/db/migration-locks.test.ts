import { queryDatabase } from '@platform/shared/testing/query-database';
import { migrateToReleasedSchema, NEW_MIGRATIONS } from '@platform/shared/testing/released-schema';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { guardExistingTables, installLockGuard } from '@platform/shared/testing/write-lock-guard';
import { expect } from 'chai';
import knexPackage from 'knex';
import { createPartitionsAhead } from './partitions.ts';

const SHORT = "set lock_timeout = '300ms';";

const REJECTED = {
  'create index a on users (created_at)': 'CREATE INDEX reads all rows of users',
  'alter table users add check (id is not null)': 'ALTER TABLE reads all rows of users',
  'alter table users add column a uuid default gen_random_uuid()': 'ALTER TABLE reads all rows of users',
  'alter table teams alter column bio set not null': 'ALTER TABLE reads all rows of teams',
  'alter table teams alter column bio type varchar(9)': 'ALTER TABLE reads all rows of teams',
  'alter table teams add constraint a unique (bio)': 'ALTER TABLE reads all rows of teams',
  'alter table mail_outbox add column user_id uuid; alter table mail_outbox add foreign key (user_id) references users':
    'ALTER TABLE reads all rows of',
  "do $$ begin execute 'create index a on users (created_at)'; end $$":
    'CREATE INDEX reads all rows of users',
};

const ACCEPTED = [
  'create index concurrently a on users (created_at)',
  "alter table users add column b text default 'none'",
  'alter table teams add constraint c check (bio is not null) not valid',
  'alter table teams validate constraint c',
  'alter table teams alter column bio set not null',
  'alter table teams drop constraint c',
  'alter table mail_outbox add column owner_id uuid',
  'alter table mail_outbox add constraint d foreign key (owner_id) references users not valid',
  'alter table mail_outbox validate constraint d',
  'create table fresh (id uuid, user_id uuid); create index fresh_user_id on fresh (user_id)',
];

describe('locks of migrations', () => {
  let database: TestDatabase;
  beforeEach('create a database with the schema of the last release', async () => {
    database = await createEmptyDatabase();
    await migrateToReleasedSchema(database.url);
    await installLockGuard(database.url);
  });
  afterEach('drop it', () => database.drop());

  for (const { name, migration } of NEW_MIGRATIONS)
    it(`of ${name} block no writes to existing tables`, async () => {
      const db = knexPackage.knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
      try {
        for (const before of NEW_MIGRATIONS.slice(
          0,
          NEW_MIGRATIONS.findIndex((each) => each.name === name),
        ))
          await before.migration.up(db);
        await guardExistingTables(database.url, Object.keys(migration.blocksWritesOf ?? {}));
        await migration.up(db);
      } finally {
        await db.destroy();
      }
    });

  it('of partitions that are created ahead of time block no writes to existing tables', async () => {
    const db = knexPackage.knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    try {
      for (const { migration } of NEW_MIGRATIONS) await migration.up(db);
      await guardExistingTables(database.url);
      await createPartitionsAhead(db);
    } finally {
      await db.destroy();
    }
  });

  for (const [statement, message] of Object.entries(REJECTED))
    it(`of ${statement.slice(0, 60)} are rejected`, async () => {
      await guardExistingTables(database.url);
      const error = await queryDatabase(database.url, SHORT + statement).catch((failure: unknown) => failure);
      expect(error).to.have.property('message').that.includes(message);
    });

  it('without a lock_timeout are rejected', async () => {
    await guardExistingTables(database.url);
    const error = await queryDatabase(database.url, 'alter table users add column a int').catch(
      (failure: unknown) => failure,
    );
    expect(error).to.have.property('message', 'ALTER TABLE locks users without a lock_timeout');
  });

  it('that last for milliseconds are accepted', async () => {
    await guardExistingTables(database.url);
    const name = new URL(database.url).pathname.slice(1);
    await queryDatabase(database.url, `alter database ${name} set lock_timeout = '300ms'`);
    for (const statement of ACCEPTED) await queryDatabase(database.url, statement);
  });

  it('are accepted for a table that the migration exempts', async () => {
    await guardExistingTables(database.url, ['users']);
    await queryDatabase(database.url, 'create index a on users (created_at)');
  });
});
