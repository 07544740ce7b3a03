import type { Database } from '@platform/shared/db/database';
import { removeTokensOfSession } from '@platform/shared/platform/access/user-tokens';
import type { UserSession } from './user.ts';

export const createUserSessionStore = (database: Database) => ({
  /** The sessions that are signed in, the latest sign-in first. */
  listByUser: async (userId: string): Promise<UserSession[]> =>
    await database('sessions as s')
      .join('token_records as t', 't.id', 's.tokenId')
      .where('s.userId', userId)
      .where('t.refreshTokenExpiredAt', '>', database.fn.now())
      .orderBy([
        { column: 't.createdAt', order: 'desc' },
        { column: 's.id', order: 'desc' },
      ])
      .select(
        's.id',
        's.ip',
        't.userAgent',
        't.methods',
        's.createdAt',
        't.createdAt as signedInAt',
        't.refreshedAt',
        't.staysSignedIn',
      ),

  /** Returns false if the user has no such session, or it is not signed in. */
  removeTokens: (userId: string, sessionId: string): Promise<boolean> =>
    removeTokensOfSession(database, userId, sessionId),
});

export type UserSessionStore = ReturnType<typeof createUserSessionStore>;
