import { type Database, query } from '../../db/database.ts';

// The statement selects by user, in order to delete records without a session, too. The count makes Postgres
// lock all sessions first. The lock order is that of sessions-store.ts in auth-service: user, sessions by id,
// token records.
const REMOVE_BY_USER = `
  with locked_sessions as (
    select 1 from sessions where user_id = $1 and token_id is distinct from $2 and token_id is not null
    order by id for update
  )
  delete from token_records where user_id = $1 and id is distinct from $2 and (select count(*) from locked_sessions) >= 0`;

/**
 * Deletes the tokens of all sessions of the user, except those of one token record. The caller has either
 * locked the user or locks no user. The sessions are kept for the next sign-in of each device.
 */
export const removeTokensOfUser = async (
  database: Database,
  userId: string,
  exceptTokenId?: string,
): Promise<void> => {
  await query(database, {
    name: 'remove-tokens-of-user',
    text: REMOVE_BY_USER,
    values: [userId, exceptTokenId],
  });
};
