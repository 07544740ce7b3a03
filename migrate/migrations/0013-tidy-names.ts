import type { Knex } from 'knex';
import { runInBatches, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** The columns of names, and of what contact forms are searched by, with the key of each table. */
const NAMES = {
  customer_profiles: ['id', 'first_name', 'last_name', 'phone'],
  employee_profiles: ['id', 'first_name', 'last_name', 'phone'],
  user_roles: ['user_id', 'name'],
  teams: ['id', 'name'],
  passkeys: ['id', 'name'],
  lead_requests: ['id', 'name', 'phone', 'company'],
  support_requests: ['id', 'name', 'subject'],
} as const;

const INVISIBLE = String.raw`\u00AD\u200B\u2060\uFEFF`;
const WHITE_SPACE = String.raw`\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000`;

/** The SQL expression does what tidyText (shared/src/http/text-rules.ts) does to one line. A name that would be empty stays. */
const toTidied = (column: string): string =>
  `coalesce(nullif(normalize(btrim(translate(${column}, E'${INVISIBLE}', ''), E'${WHITE_SPACE}'), NFC), ''), ${column})`;

/**
 * Names from before texts were trimmed, which searches did not find. `updated_at` stays, as nobody has changed
 * anything; the ETag of a team whose name changes is another one.
 */
const tidyNames = async (db: Knex, table: string, key: string, columns: readonly string[]): Promise<void> => {
  const differs = columns.map((column) => `${column} <> ${toTidied(column)}`).join(' or ');
  // One scan, instead of one for each batch. The migration has a single connection.
  await db.raw('drop table if exists untidy_names');
  await db.raw(`create temporary table untidy_names as select ${key} as key from ${table} where ${differs}`);
  await runInBatches(
    db,
    `with batch as (
       delete from untidy_names where key in (select key from untidy_names order by key limit 2000) returning key
     )
     update ${table} set ${columns.map((column) => `${column} = ${toTidied(column)}`).join(', ')}
       where ${key} in (select key from batch)`,
  );
  await db.raw('drop table untidy_names');
};

export const up = async (db: Knex): Promise<void> => {
  // The minimum of three characters counts what an ADMIN sends, and is judged before the text is trimmed.
  await runWithShortLock(
    db,
    `alter table projects
       drop constraint if exists projects_title_check, drop constraint if exists projects_description_check,
       add constraint projects_title_check check (char_length(title) between 1 and 255) not valid,
       add constraint projects_description_check check (char_length(description) >= 1) not valid`,
  );
  await db.raw('alter table projects validate constraint projects_title_check');
  await db.raw('alter table projects validate constraint projects_description_check');
  for (const [table, [key, ...columns]] of Object.entries(NAMES)) await tidyNames(db, table, key, columns);
};
