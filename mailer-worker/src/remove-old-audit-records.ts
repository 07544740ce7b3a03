import type { Database } from '@platform/shared/db/database';
import { removeInBatches } from './remove-in-batches.ts';

const REMOVE = `
  with old as (
    select id from audit_records where created_at < now() - make_interval(days => $2)
    order by created_at limit $1 for update skip locked
  )
  delete from audit_records a using old where a.id = old.id returning 1`;

/** Deletes audit records older than so many days; returns how many. */
export const removeOldAuditRecords = (database: Database, days: number): Promise<number> =>
  removeInBatches(database, { name: 'remove-old-audit-records', text: REMOVE, values: [days] });
