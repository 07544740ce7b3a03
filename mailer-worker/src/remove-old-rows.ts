import type { Database } from '@platform/shared/db/database';
import { removeInBatches } from './remove-in-batches.ts';

type Rows = {
  /** The time from which their age counts; indexed. */
  since: string;
  /** Which rows of the table; all unless given. */
  which?: string;
  /** For rows that others change. Without it the worker needs no right to update the table. */
  lock?: 'for update skip locked';
};

const ROWS = {
  // Without tokens a session still makes the device a known one, which keeps its session id, at its next sign-in. A
  // sign-in that is reusing the row has it locked.
  sessions: { since: 'updated_at', which: 'token_id is null', lock: 'for update skip locked' },
  audit_records: { since: 'created_at' },
  lead_requests: { since: 'created_at' },
  support_requests: { since: 'created_at' },
  // Null while the mail is still to be sent.
  mail_outbox: { since: 'failed_at', lock: 'for update skip locked' },
} as const satisfies Record<string, Rows>;

export type OldRowsTable = keyof typeof ROWS;

const removalFrom = (table: OldRowsTable): string => {
  const { since, which = 'true', lock }: Rows = ROWS[table];
  return `
    with old as (
      select id from ${table} where ${which} and ${since} < now() - make_interval(days => $2)
      order by ${since} limit $1 ${lock ?? ''}
    )
    delete from ${table} t using old where t.id = old.id returning 1`;
};

/** Deletes rows that are older than so many days; returns how many. */
export const removeOldRows = (database: Database, table: OldRowsTable, days: number): Promise<number> =>
  removeInBatches(database, { name: `remove-old-${table}`, text: removalFrom(table), values: [days] });
