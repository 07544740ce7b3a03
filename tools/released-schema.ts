import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startTestPostgres } from '../dev/testing/test-postgres.ts';
import { runPendingMigrations, withMigrationLock } from '../migrate/src/migrate.ts';
import { listSqlFiles, runSqlFile } from '../migrate/src/sql-files.ts';

// While a release is deployed, and after it was undone, the processes of the release before run on the new schema. So no migration
// may drop, rename or retype what that release has, unless migrate/released.json lists it under `removals`: its code must not use
// it any more. With --release the present commit and its schema become the released ones.

type Released = {
  /** Null until the first release is recorded. */
  commit: string | null;
  removals: string[];
  /** The columns and functions. */
  schema: string[];
};

const FILE = new URL('../migrate/released.json', import.meta.url);

const SCHEMA = `
  select format('column %s.%s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as thing
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and c.relname !~ '^knex_' and a.attnum > 0 and not a.attisdropped
  union all
  select format('function %s returns %s', p.oid::regprocedure, pg_get_function_result(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  order by 1`;

/** What the migrations make of an empty database. */
const readSchema = async (): Promise<string[]> => {
  const postgres = await startTestPostgres();
  try {
    return await withMigrationLock(postgres.url, async (db) => {
      await runPendingMigrations(db);
      // A function that uses a removed column is no failure here: the column is reported.
      await db.raw('set check_function_bodies = off');
      for (const path of await listSqlFiles('functions')) await runSqlFile(db, path);
      const { rows } = await db.raw(SCHEMA);
      return rows.map(({ thing }: { thing: string }) => thing);
    });
  } finally {
    await postgres.stop();
  }
};

const { values } = parseArgs({ options: { release: { type: 'boolean' } } });
const schema = await readSchema();
if (values.release) {
  const commit = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  const released: Released = { commit, removals: [], schema };
  await writeFile(FILE, `${JSON.stringify(released, undefined, 2)}\n`);
} else {
  const released = JSON.parse(await readFile(FILE, 'utf8')) as Released;
  const missing = released.schema.filter(
    (thing) => !schema.includes(thing) && !released.removals.includes(thing),
  );
  for (const thing of missing)
    console.error(
      `The released code may use the ${thing}, which a migration removes, renames or changes: keep it for one more ` +
        'release, or list it in migrate/released.json (CONTRIBUTING.md, "Change the schema")',
    );
  if (missing.length > 0) process.exitCode = 1;
}
