import type { Database } from '@platform/shared/db/database';
import { removeInBatches } from './remove-in-batches.ts';

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

/** Deletes what no token can refer to any more; returns how many token records went. */
export const removeExpiredTokens = async (database: Database): Promise<number> => {
  const records = await removeInBatches(database, {
    name: 'remove-expired-records',
    text: REMOVE_RECORDS,
    values: [],
  });
  await removeInBatches(database, {
    name: 'remove-expired-superseded',
    text: REMOVE_SUPERSEDED,
    values: [],
  });
  return records;
};
