import type { Database } from '@platform/shared/db/database';
import { removeInBatches } from './remove-in-batches.ts';

// A row that a sign-in or refresh holds just now is left for the next night. The session is locked before its record,
// because the delete changes it (sessions-store.ts of auth-service has the order of locks).
const REMOVE_RECORDS = `
  with expired as (
    select t.id from token_records t join sessions s on s.token_id = t.id
    where t.refresh_token_expired_at < now()
    order by t.refresh_token_expired_at limit $1 for update of s, t skip locked
  )
  delete from token_records t using expired where t.id = expired.id returning 1`;

// What no session points to; few, if any, once the others are gone.
const REMOVE_ORPHANED = `
  with expired as (
    select t.id from token_records t
    where t.refresh_token_expired_at < now() and not exists (select 1 from sessions s where s.token_id = t.id)
    order by t.refresh_token_expired_at limit $1 for update skip locked
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
  const remove = (name: string, text: string) => removeInBatches(database, { name, text, values: [] });
  const records = await remove('remove-expired-records', REMOVE_RECORDS);
  const orphaned = await remove('remove-orphaned-records', REMOVE_ORPHANED);
  await remove('remove-expired-superseded', REMOVE_SUPERSEDED);
  return records + orphaned;
};
