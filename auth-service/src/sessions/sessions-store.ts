import type { SignInMethod } from '@platform/shared/access/second-factor-requirement';
import { removeTokensOfUser } from '@platform/shared/access/user-tokens';
import { type Database, query } from '@platform/shared/db/database';
import { toClientSubnet } from '@platform/shared/http/client-address';
import type { AccountWithPassword } from '../accounts/account.ts';
import type { Device, ListedSession, Session, TokenPairIds } from './session.ts';

const OPEN = `
  select id, user_id, fingerprint, ip, created_at, updated_at, is_new_device
  from open_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

/**
 * Lock order of all statements that change sessions and token records: user, session (several by id), token record. A
 * sign-in needs this order (open_session in 20261204-second-factor.ts), so each deletion of a token record locks the
 * session first, although it changes the session only afterwards (`on delete set null`): the other order would cause
 * deadlocks. The nightly cleanup locks in the same order.
 */
const REMOVE_BY_ID = `
  with locked_sessions as (select token_id from sessions where token_id = $1 for update)
  delete from token_records t using locked_sessions s where t.id = s.token_id`;
const REMOVE_BY_SESSION = `
  with locked_sessions as (select token_id from sessions where id = $2 and user_id = $1 and token_id is not null for update)
  delete from token_records t using locked_sessions s where t.id = s.token_id returning 1`;

export const createSessionStore = (database: Database) => ({
  /**
   * Opens a session for the device, or replaces the tokens of its existing session; records the network.
   * Undefined when the user is blocked, or the password or the factors have changed since the account was read.
   */
  open: async (
    { userId, passwordHash, factorVersion }: AccountWithPassword,
    { fingerprint, ip }: Device,
    ids: TokenPairIds,
    methods: SignInMethod[],
  ): Promise<(Session & { isNewDevice: boolean }) | undefined> => {
    const [session] = await query<Session & { isNewDevice: boolean }>(database, {
      name: 'open-session',
      text: OPEN,
      values: [
        userId,
        passwordHash,
        fingerprint,
        ip,
        ids.accessTokenId,
        ids.accessTokenExpiredAt,
        ids.refreshTokenId,
        ids.refreshTokenExpiredAt,
        toClientSubnet(ip),
        factorVersion,
        methods,
      ],
    });
    return session;
  },

  /** The session stays for the device's next sign-in. */
  removeTokens: async (tokenId: string): Promise<void> => {
    await query(database, {
      name: 'remove-tokens',
      text: REMOVE_BY_ID,
      values: [tokenId],
    });
  },

  /** Removes the tokens of all sessions of the user, except those of one token record. */
  removeTokensOfUser: (userId: string, exceptTokenId?: string): Promise<void> =>
    removeTokensOfUser(database, userId, exceptTokenId),

  /** Only sessions with tokens. */
  listByUser: (userId: string): Promise<ListedSession[]> =>
    query<ListedSession>(database, {
      name: 'sessions-of-user',
      text: `select s.id, s.user_id, s.fingerprint, s.ip, s.created_at, s.updated_at, t.methods
        from sessions s join token_records t on t.id = s.token_id
        where s.user_id = $1 and t.refresh_token_expired_at > now() order by s.updated_at desc, s.id`,
      values: [userId],
    }),

  /** False when the user has no such session, or it has no tokens. */
  removeTokensOfSession: async (userId: string, sessionId: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'remove-tokens-of-session',
      text: REMOVE_BY_SESSION,
      values: [userId, sessionId],
    });
    return rows.length === 1;
  },

  /** By network too, because clients choose their fingerprint. */
  hasSignedInFrom: async (
    userId: string,
    { fingerprint, network }: { fingerprint: string; network: string },
  ): Promise<boolean> => {
    const rows = await query(database, {
      name: 'has-signed-in-from',
      text: `select 1 from sessions s join session_networks n on n.session_id = s.id
        where s.user_id = $1 and s.fingerprint = $2 and n.network = $3`,
      values: [userId, fingerprint, network],
    });
    return rows.length > 0;
  },
});
