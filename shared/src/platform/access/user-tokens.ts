import { type Database, query } from '../../db/database.ts';

// Ending a session takes power from its user, so the caller has locked the user: then no change that begins
// with the lock on its user, such as each of an ADMIN, is committed afterwards. Both functions require it.

// The statement selects by user, in order to delete records without a session, too. The count makes Postgres
// lock all sessions first. The lock order is that of sessions-store.ts in auth-service: user, sessions by id,
// token records.
const REMOVE_BY_USER = `
  with locked_sessions as (
    select 1 from sessions where user_id = $1 and token_id <> all($2)
    order by id for update
  )
  delete from token_records where user_id = $1 and id <> all($2) and (select count(*) from locked_sessions) >= 0
  returning refresh_token_expired_at > now() as was_open`;

const REMOVE_BY_SESSION = `
  with locked_sessions as (select token_id from sessions where id = $2 and user_id = $1 and token_id is not null for update)
  delete from token_records t using locked_sessions s
  where t.id = s.token_id and t.refresh_token_expired_at > now() returning 1`;

/**
 * Deletes the tokens of all sessions of the user, except those of the given token records, and returns how many of
 * them were signed in. The sessions are kept for the next sign-in of each device.
 */
export const removeTokensOfUser = async (
  database: Database,
  userId: string,
  exceptTokenIds: readonly (string | undefined)[] = [],
): Promise<number> => {
  const values = [userId, exceptTokenIds.filter((id) => id !== undefined)];
  const statement = { name: 'remove-tokens-of-user', text: REMOVE_BY_USER, values };
  return (await query<{ wasOpen: boolean }>(database, statement)).filter(({ wasOpen }) => wasOpen).length;
};

/** Returns false if the user has no such session, or it is not signed in. */
export const removeTokensOfSession = async (
  database: Database,
  userId: string,
  sessionId: string,
): Promise<boolean> => {
  const values = [userId, sessionId];
  const statement = { name: 'remove-tokens-of-session', text: REMOVE_BY_SESSION, values };
  return (await query(database, statement)).length === 1;
};
