import type { Knex } from 'knex';
import { createIndexConcurrently, runInBatches, runWithShortLock } from '../src/online-schema-change.ts';
import { runSqlFile } from '../src/sql-files.ts';

export const config = { transaction: false };

/** A contact form belongs to an account, also after the account has changed its address. */
export const up = async (db: Knex): Promise<void> => {
  await runSqlFile(db, 'functions/set_form_account.sql');
  for (const table of ['lead_requests', 'support_requests']) {
    await runWithShortLock(
      db,
      `-- The account whose verified address the form named when it came. No foreign key, as done_by.
       alter table ${table} add column if not exists user_id uuid;
       create or replace trigger set_form_account before insert on ${table}
         for each row execute function set_form_account()`,
    );
    // The list of a user's forms needs this index, and so do the export and the deletion of the account.
    await createIndexConcurrently(
      db,
      `${table}_by_user`,
      `${table} (user_id, created_at desc, id desc) where user_id is not null`,
    );
    // Nobody knows which address an account had before, so earlier forms go by the present one.
    await runInBatches(
      db,
      `update ${table} form set user_id = owner.id from users owner
         where owner.email = lower(form.email) and owner.is_email_verified and form.id in (
           select f.id from ${table} f join users u on u.email = lower(f.email) and u.is_email_verified
           where f.user_id is null order by f.id limit 2000)`,
    );
  }
};
