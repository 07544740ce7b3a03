import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { VERSION } from '../src/releases.ts';
import { describeSchema } from './catalog.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const [MAJOR = ''] = VERSION.split('.');

const MIGRATION = `import type { Knex } from 'knex';
export const up = (db: Knex) => db.raw('alter table users add column planted text');`;
const FUNCTION = `create or replace function search_key(value text) returns text language sql immutable as 'select lower(value)';`;

/** A copy of `migrate` as a later release would have it, with one more migration and another function. */
const plantRelease = async (version: string): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'later-release-'));
  await cp(join(ROOT, 'migrate'), join(directory, 'migrate'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const write = (path: string, text: string) => writeFile(join(directory, 'migrate', path), text);
  await write('package.json', JSON.stringify({ type: 'module', version }));
  await write('migrations/0002-planted.ts', MIGRATION);
  await write('functions/search_key.sql', FUNCTION);
  return directory;
};

describe('migrations after those of a later release', () => {
  let database: TestDatabase;
  let later: string | undefined;
  beforeEach(async () => {
    database = await createEmptyDatabase();
  });
  afterEach(async () => {
    await database.drop();
    if (later) await rm(later, { recursive: true });
  });

  const migrate = async (root: string): Promise<string> => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
    const script = join(root, 'migrate/src/run-migrations.ts');
    return (await promisify(execFile)(process.execPath, [script], { env })).stdout.trim();
  };
  const listReleases = async () =>
    (
      await queryDatabase<{ version: string }>(database.url, 'select version from releases order by version')
    ).map(({ version }) => version);

  it('change nothing within a major version, say so and succeed', async () => {
    await migrate(ROOT);
    expect(await listReleases()).to.deep.equal([VERSION]);
    later = await plantRelease(`${MAJOR}.10.0`);
    expect(await migrate(later)).to.equal('Ran 0002-planted.');
    const schema = await describeSchema(database.url);
    expect(schema).to.include('column users.planted text ');

    expect(await migrate(ROOT)).to.equal(
      `Release ${MAJOR}.10.0, newer than ${VERSION}, has migrated this database: nothing was changed.`,
    );
    expect(await describeSchema(database.url)).to.deep.equal(schema);
    expect(await migrate(later)).to.equal('The schema is up to date.');
  });

  it('change nothing after one that failed, whose migrations may be incomplete', async () => {
    await migrate(ROOT);
    later = await plantRelease(`${MAJOR}.10.0`);
    await writeFile(
      join(later, 'migrate/migrations/0003-broken.ts'),
      'export const up = (db) => db.raw("broken");',
    );
    await getRejection(migrate(later));
    expect(await migrate(ROOT)).to.include('nothing was changed.');
  });

  it('fail on a database of another major version, and change nothing', async () => {
    later = await plantRelease(`${Number(MAJOR) + 1}.0.0`);
    await migrate(later);
    const schema = await describeSchema(database.url);
    expect(await getRejection(migrate(ROOT))).to.deep.include({
      code: 1,
      stderr: `Release ${Number(MAJOR) + 1}.0.0 has migrated this database, and ${VERSION} cannot run on its schema: nothing was changed\n`,
    });
    expect(await describeSchema(database.url)).to.deep.equal(schema);
  });
});
