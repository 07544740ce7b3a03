import type { Knex } from 'knex';

/**
 * What the audit log says about each past hour, for the statistics of the back office: 24 rows a day, without
 * personal data, which are kept.
 */
export const up = async (db: Knex): Promise<void> => {
  await db.raw(`
    create table hourly_counts (
      hour timestamptz primary key,
      -- Sign-ups.
      customers int not null,
      employees int not null,
      -- Sign-ins with any kind of account.
      sign_ins int not null,
      failed_sign_ins int not null
    )`);
};
