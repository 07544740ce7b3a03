import { type Database, query } from '../db/database.ts';

// By user, to delete records without a session too; the count makes Postgres lock all sessions first. The lock order is
// that of sessions-store.ts in auth-service: user, session (several by id), token record.
const REMOVE_BY_USER = `
  with locked_sessions as (
    select 1 from sessions where user_id = $1 and token_id is distinct from $2 and token_id is not null
    order by id for update
  )
  delete from token_records where user_id = $1 and id is distinct from $2 and (select count(*) from locked_sessions) >= 0`;

/**
 * Removes the tokens of all sessions of the user, except those of one token record. The caller has locked the user, or
 * locks none. The sessions stay for the next sign-in of each device.
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
