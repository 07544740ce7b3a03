import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

// No statement reads these columns: the audit log has the time of an assignment, and the access log the
// address of a contact form. A release must not drop what the previous one uses (CONTRIBUTING.md), but no
// release exists yet.
export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, 'alter table user_roles drop column if exists created_at');
  await runWithShortLock(db, 'alter table lead_requests drop column if exists address');
  await runWithShortLock(db, 'alter table support_requests drop column if exists address');
};
