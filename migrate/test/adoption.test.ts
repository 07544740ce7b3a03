import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { migrateDatabase } from '../src/migrate.ts';
import { describeSchema } from './catalog.ts';
import { guardExistingTables, installLockGuard } from './write-lock-guard.ts';

/** `pg_dump --inserts --no-owner --no-privileges` of a database of commit 22576ba with a few rows, without its `\restrict`. */
const DUMP = new URL('former-schema.sql.gz', import.meta.url);
const readDump = async (): Promise<string> => (await promisify(gunzip)(await readFile(DUMP))).toString();

/** The migrations after the baseline. */
const [, ...LATER] = (await readdir(new URL('../migrations/', import.meta.url)))
  .sort()
  .map((file) => parse(file).name);

const COUNTS = `
  select relname as table, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', relname), true, true, '')))[1]::text as rows
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    and relname !~ '^knex_|_totals$|^audit_days$|^failed_guesses$|^identities$' order by 1`;

describe('adoption of a database of the former migrations', () => {
  let database: TestDatabase;
  const query = <Row extends object>(text: string) =>
    queryDatabase<Row & Record<string, unknown>>(database.url, text);

  beforeEach('restore the dump', async () => {
    database = await createEmptyDatabase();
    await query(await readDump());
  });
  afterEach('drop it', () => database.drop());

  const expectBaseline = async (): Promise<void> => {
    const fresh = await createTestDatabase();
    expect(await describeSchema(database.url)).to.deep.equal(await describeSchema(fresh.url));
    await fresh.drop();
    const names = (await query<{ name: string }>('select name from knex_migrations order by id')).map(
      ({ name }) => name,
    );
    expect(names).to.deep.equal(['0001-baseline', ...LATER]);
  };

  it('results in the schema of an empty database that was migrated, with all rows', async () => {
    const before = await query(COUNTS);
    expect(before.filter(({ rows }) => rows === '0').length).to.be.below(4);
    expect((await migrateDatabase(database.url)).names).to.deep.equal(['adopt.sql', ...LATER]);
    await expectBaseline();
    expect(await query(COUNTS)).to.deep.equal(before);
    const roles =
      'select 1 from user_roles r join users u on u.id = user_id and u.created_at = user_created_at';
    expect(await query(roles)).to.have.length(3);
    expect((await migrateDatabase(database.url)).names).to.deep.equal([]);
  });

  it('blocks no writes to existing tables', async () => {
    // As the former release's nightly cleanup does: the partitions of the days since the dump are not the migration's work.
    await query(`do $$ begin
      while add_next_partition('superseded_refresh_tokens') is not null loop end loop;
      while add_next_partition('audit_records') is not null loop end loop;
    end $$`);
    await installLockGuard(database.url);
    await guardExistingTables(database.url);
    await migrateDatabase(database.url);
  });

  it('continues after an interruption at each statement', async () => {
    await query(`
      create sequence statements;
      create function fail() returns event_trigger language plpgsql as $$
        begin
          if nextval('statements') = current_setting('fail.at')::int then
            raise exception 'interrupted';
          end if;
        end
      $$;
      create event trigger fail on ddl_command_end execute function fail();`);
    const name = new URL(database.url).pathname.slice(1);
    let statement = 1;
    for (let isInterrupted = true; isInterrupted; statement += 1) {
      await query(`alter database ${name} set fail.at = ${statement}; select setval('statements', 1, false)`);
      isInterrupted = await migrateDatabase(database.url).then(
        () => false,
        (error: Error) => error.message.includes('interrupted') || Promise.reject(error),
      );
    }
    expect(statement).to.be.above(30);
    await query('drop event trigger fail; drop function fail; drop sequence statements');
    await expectBaseline();
  });

  for (const [title, change] of [
    ['is older', "delete from knex_migrations where name = '20261208-audit-day-totals'"],
    ['was never released', "insert into knex_migrations (name) values ('20261209-verified-ownership')"],
  ] as const)
    it(`fails when the database ${title}, which changes nothing`, async () => {
      await query(change);
      const before = await describeSchema(database.url);
      const error = await getRejection(migrateDatabase(database.url));
      expect(error).to.have.property('name', 'ConfigError');
      expect(error).to.have.property('message').that.includes('`npm run migrate` of commit 22576ba');
      expect(await describeSchema(database.url)).to.deep.equal(before);
    });
});
