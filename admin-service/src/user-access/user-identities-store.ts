import type { Database } from '@platform/shared/db/database';
import { removeTokensOfSession } from '@platform/shared/platform/access/user-tokens';
import type { GuessedSecret } from '@platform/shared/platform/mail/mail';

/** Changes require that the caller has locked the user. */
export const createUserIdentityStore = (database: Database) => ({
  /** Returns its provider; undefined if the user has no such identity. */
  remove: async (userId: string, id: string): Promise<string | undefined> =>
    (await database('identities').where({ userId, id }).delete(['provider']))[0]?.provider,

  /** Ends the sessions that the provider has opened. */
  endSessions: async (userId: string, provider: string): Promise<void> => {
    const sessions = await database('sessions as s')
      .join('token_records as t', 't.id', 's.tokenId')
      .where('s.userId', userId)
      .whereRaw('? = any(t.methods)', [`oidc:${provider}`])
      .orderBy('s.id')
      .pluck('s.id');
    for (const session of sessions) await removeTokensOfSession(database, userId, session);
  },

  /** Whether the user can still sign in: with a password, another identity, or a passkey alone. */
  hasSignInMethod: async (id: string): Promise<boolean> => {
    const owned = (table: string) => database(table).where({ userId: id }).select('userId');
    const user = database('users')
      .where({ id })
      .where((either) =>
        either
          .whereRaw('user_has_password(users.id)')
          .orWhereExists(owned('passkeys').where({ verifiesUser: true }))
          .orWhereExists(owned('identities')),
      );
    return (await user.first('id')) !== undefined;
  },

  /**
   * `address`: what toPausedAddress returns. False if the account is not paused. The next failure is the first
   * one.
   */
  endPause: async (userId: string, address: string | null, secret: GuessedSecret): Promise<boolean> => {
    const ofAccount = { subject: userId, secret, scope: 'account' };
    const ofAddress = { subject: address, secret, scope: 'email' };
    // auth-service locks the two in this order, too, so that neither waits for the other.
    const counters = address !== null && secret === 'code' ? [ofAddress, ofAccount] : [ofAccount];
    const isPaused = (counter: object) =>
      database('failed_guesses').where(counter).where('waitsUntil', '>', database.fn.now()).first('subject');
    const paused = [];
    for (const counter of counters) paused.push(await isPaused(counter));
    if (!paused.some(Boolean)) return false;
    for (const counter of counters) await database('failed_guesses').where(counter).delete();
    return true;
  },
});

export type UserIdentityStore = ReturnType<typeof createUserIdentityStore>;
