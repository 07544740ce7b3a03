import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@platform/shared/db/database';

/** Small enough that a batch's locks last milliseconds. */
const BATCH = 1_000;
/** Between batches, so that sign-ins find the disk and the processor free. */
const PAUSE_MILLISECONDS = 20;

// A row that a sign-in or refresh holds just now is left for the next night.
const REMOVE_RECORDS = `
  with expired as (
    select id from token_records where refresh_token_expired_at < now()
    order by refresh_token_expired_at limit $1 for update skip locked
  )
  delete from token_records t using expired where t.id = expired.id returning 1`;

const REMOVE_SUPERSEDED = `
  with expired as (
    select refresh_token_id from superseded_refresh_tokens where expired_at < now()
    order by expired_at limit $1 for update skip locked
  )
  delete from superseded_refresh_tokens s using expired where s.refresh_token_id = expired.refresh_token_id returning 1`;

const removeInBatches = async (database: Database, name: string, text: string): Promise<number> => {
  for (let removed = 0; ; ) {
    const rows = await database.query({ name, text, values: [BATCH] });
    removed += rows.length;
    if (rows.length < BATCH) return removed;
    await delay(PAUSE_MILLISECONDS);
  }
};

/** Deletes what no token can refer to any more; returns how many token records went. */
export const removeExpiredTokens = async (database: Database): Promise<number> => {
  const records = await removeInBatches(database, 'remove-expired-records', REMOVE_RECORDS);
  await removeInBatches(database, 'remove-expired-superseded', REMOVE_SUPERSEDED);
  return records;
};
