import { readdir } from 'node:fs/promises';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import knexPackage, { type Knex } from 'knex';
import { createIndexConcurrently, runInBatches, runWithShortLock } from '../src/online-schema-change.ts';
import { guardExistingTables, installLockGuard } from './write-lock-guard.ts';

type Migration = Knex.Migration & {
  /** Existing tables whose writes the migration may block for a long time, each with the reason. */
  blocksWritesOf?: Readonly<Record<string, string>>;
};

const FOLDER = new URL('../migrations/', import.meta.url);
const [baseline, ...LATER] = (await readdir(FOLDER)).sort();
const load = async (file = ''): Promise<Migration> => await import(new URL(file, FOLDER).href);

const SHORT = "set lock_timeout = '300ms';";

const REJECTED = {
  'create index a on users (created_at)': 'CREATE INDEX reads all rows of users',
  'alter table users add check (id is not null)': 'ALTER TABLE reads all rows of users',
  'alter table users add column a uuid default gen_random_uuid()': 'ALTER TABLE reads all rows of users',
  'alter table teams alter column bio set not null': 'ALTER TABLE reads all rows of teams',
  'alter table teams alter column bio type varchar(9)': 'ALTER TABLE reads all rows of teams',
  'alter table teams add constraint a unique (bio)': 'ALTER TABLE reads all rows of teams',
  'alter table mail_outbox add column owner_id uuid; alter table mail_outbox add foreign key (owner_id) references users':
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

/** The example in CONTRIBUTING.md. */
const EXAMPLE: Migration = {
  up: async (db) => {
    await runWithShortLock(db, 'alter table users add column if not exists locale text');
    await createIndexConcurrently(db, 'users_locale', 'users (locale)');
    await runWithShortLock(
      db,
      `alter table users drop constraint if exists users_locale_present,
         add constraint users_locale_present check (locale is not null) not valid`,
    );
    await db.raw('alter table users validate constraint users_locale_present');
    await runWithShortLock(db, 'alter table users alter column locale set not null');
    await runWithShortLock(db, 'alter table users drop constraint users_locale_present');
  },
};

describe('locks of migrations', () => {
  let database: TestDatabase;
  let db: Knex;
  beforeEach('create a database with the baseline', async () => {
    database = await createEmptyDatabase();
    db = knexPackage.knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    await (await load(baseline)).up(db);
    await installLockGuard(database.url);
  });
  afterEach('drop it', async () => {
    await db.destroy();
    await database.drop();
  });

  it('of migrations after the baseline do not block writes to existing tables', async () => {
    for (const migration of [...(await Promise.all(LATER.map(load))), EXAMPLE]) {
      await guardExistingTables(database.url, Object.keys(migration.blocksWritesOf ?? {}));
      await migration.up(db);
    }
  });

  it('of a batch that meets a locked row are released, and the batch is repeated', async () => {
    await queryDatabase(
      database.url,
      "insert into users (email, password_hash) select n || '@example.com', '-' from generate_series(1, 5) n",
    );
    const held = await holdLock(
      database.url,
      "update users set is_blocked = true where email = '5@example.com'",
    );
    const batches = runInBatches(
      db,
      `update users set language = 'de' where id in (
         select id from users where language <> 'de' order by email limit 2)`,
    );
    await held.untilWaiting(1);
    // Otherwise the two would wait for each other, if a request locked these rows in another order.
    await queryDatabase(
      database.url,
      "set lock_timeout = '5s'; update users set is_blocked = true where email = '1@example.com'",
    );
    await held.release();
    await batches;
    const changed = await queryDatabase(database.url, "select 1 from users where language = 'de'");
    expect(changed).to.have.length(5);
  });

  it('of an interrupted index build are not needed again', async () => {
    await queryDatabase(database.url, 'create index users_locale on users (created_at)');
    await queryDatabase(
      database.url,
      "update pg_index set indisvalid = false where indexrelid = 'users_locale'::regclass",
    );
    await EXAMPLE.up(db);
    const rows = "select 1 from pg_indexes where indexname = 'users_locale' and indexdef ~ 'locale\\)'";
    expect(await queryDatabase(database.url, rows)).to.have.length(1);
  });

  it('are rejected if the statement reads a whole table', async () => {
    await guardExistingTables(database.url);
    for (const [statement, message] of Object.entries(REJECTED)) {
      const error = await getRejection(queryDatabase(database.url, SHORT + statement));
      expect(error, statement).to.have.property('message').that.includes(message);
    }
  });

  it('are rejected without a lock_timeout', async () => {
    await guardExistingTables(database.url);
    const error = await getRejection(queryDatabase(database.url, 'alter table users add column a int'));
    expect(error).to.have.property('message', 'ALTER TABLE locks users without a lock_timeout');
  });

  it('are accepted if they last only milliseconds', async () => {
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
