import type { SignInMethod } from '@platform/shared/access/caller';
import { removeTokensOfUser } from '@platform/shared/access/user-tokens';
import { type Database, query } from '@platform/shared/db/database';
import { toClientSubnet } from '@platform/shared/http/client-address';
import type { AccountWithPassword } from '../accounts/account.ts';
import type { ListedSession, ProviderSession, Session, SignInDevice, TokenPairIds } from './session.ts';

/** A roaming device must not add rows without limit. */
const NETWORKS_PER_SESSION = 20;

/**
 * Lock order of all statements that change sessions and token records: user, session (several by id), token record. A sign-in
 * needs this order (`open`), so each deletion of a token record locks the session first, although it changes the session only
 * afterwards (`on delete set null`): the other order would cause deadlocks. The nightly cleanup locks in the same order.
 */
const REMOVE_BY_ID = `
  with locked_sessions as (select token_id from sessions where token_id = $1 for update)
  delete from token_records t using locked_sessions s where t.id = s.token_id`;
const REMOVE_BY_SESSION = `
  with locked_sessions as (select token_id from sessions where id = $2 and user_id = $1 and token_id is not null for update)
  delete from token_records t using locked_sessions s where t.id = s.token_id returning 1`;

const toProviderColumns = ({ issuer, subject, sessionId, authenticatedAt }: ProviderSession) => ({
  providerIssuer: issuer,
  providerSubject: subject,
  providerSession: sessionId ?? null,
  authenticatedAt: authenticatedAt === undefined ? null : new Date(authenticatedAt * 1_000),
});

const REMOVE_OF_PROVIDER = (column: 'provider_subject' | 'provider_session') => `
  with ended as (
    select id from token_records where provider_issuer = $1 and ${column} = $2
  ), locked_sessions as (
    select 1 from sessions where token_id in (select id from ended) order by id for update
  )
  delete from token_records where id in (select id from ended) and (select count(*) from locked_sessions) >= 0
  returning user_id`;

const COLUMNS = ['id', 'userId', 'fingerprint', 'ip', 'createdAt', 'updatedAt'];

export const createSessionStore = (database: Database) => {
  const now = () => database.fn.now();

  /** Keeps the newest networks of the session. */
  const recordNetwork = async (sessionId: string, network: string): Promise<void> => {
    await database('session_networks')
      .insert({ sessionId, network })
      .onConflict(['sessionId', 'network'])
      .merge({ lastSeen: now() });
    const networks = () => database('session_networks').where({ sessionId });
    const old = networks().orderBy('lastSeen', 'desc').offset(NETWORKS_PER_SESSION).select('network');
    await networks().whereIn('network', old).delete();
  };

  return {
    /**
     * In a transaction: opens a session for the device, or replaces the tokens of its existing session. Undefined when the user is
     * blocked, or the password or the factors have changed since the account was read. `isNewDevice`: the account had sessions
     * before, and none from this fingerprint that is not forgotten.
     */
    open: async (
      { userId, passwordHash, factorVersion }: AccountWithPassword,
      { fingerprint, context: { address } }: SignInDevice,
      { accessTokenId, accessTokenExpiredAt, refreshTokenId, refreshTokenExpiredAt }: TokenPairIds,
      methods: SignInMethod[],
      provider?: ProviderSession,
    ): Promise<{ session: Session; isNewDevice: boolean } | undefined> => {
      const user = await database('users')
        .where({ id: userId, passwordHash, factorVersion, isBlocked: false })
        .forNoKeyUpdate()
        .first('sessionsForgotten');
      if (!user) return undefined;
      const device = { userId, fingerprint };
      const existing = await database('sessions').where(device).first('tokenId');
      const expiry = { accessTokenExpiredAt, refreshTokenExpiredAt };
      const [token] = await database('token_records').insert(
        {
          userId,
          accessTokenId,
          refreshTokenId,
          ...expiry,
          methods,
          authenticatedAt: now(),
          ...(provider && toProviderColumns(provider)),
        },
        ['id'],
      );
      const change = { tokenId: token.id, ip: address };
      const [session] = await database('sessions')
        .insert({ ...device, ...change }, COLUMNS)
        .onConflict(['userId', 'fingerprint'])
        .merge({ ...change, updatedAt: now() });
      if (existing?.tokenId) await database('token_records').where({ id: existing.tokenId }).delete();
      await recordNetwork(session.id, toClientSubnet(address));
      const others = database('sessions').where({ userId }).whereNot({ id: session.id });
      const hadSessions = user.sessionsForgotten || (await others.first('id')) !== undefined;
      return { session, isNewDevice: !existing && hadSessions };
    },

    /** The session stays for the device's next sign-in. */
    removeTokens: async (tokenId: string): Promise<void> => {
      await query(database, { name: 'remove-tokens', text: REMOVE_BY_ID, values: [tokenId] });
    },

    /** Removes the tokens of all sessions of the user, except those of one token record. */
    removeTokensOfUser: (userId: string, exceptTokenId?: string): Promise<void> =>
      removeTokensOfUser(database, userId, exceptTokenId),

    /** Of a user who is locked; in contrast to the above, their devices and networks are no longer known. */
    forgetSessionsOfUser: async (userId: string, exceptTokenId?: string): Promise<void> => {
      await removeTokensOfUser(database, userId, exceptTokenId);
      const others = database('sessions').where({ userId });
      if (exceptTokenId !== undefined) others.whereRaw('token_id is distinct from ?', [exceptTokenId]);
      if ((await others.delete()) > 0)
        await database('users').where({ id: userId }).update({ sessionsForgotten: true });
    },

    /** False when the user has no such session, or it has no tokens. */
    removeTokensOfSession: async (userId: string, sessionId: string): Promise<boolean> => {
      const values = [userId, sessionId];
      const statement = { name: 'remove-tokens-of-session', text: REMOVE_BY_SESSION, values };
      return (await query(database, statement)).length === 1;
    },

    /** Removes the tokens of the sessions that the provider has opened. Returns the users, each once. */
    removeTokensOfProvider: async (
      issuer: string,
      by: { sessionId: string } | { subject: string },
    ): Promise<string[]> => {
      const [column, value] =
        'sessionId' in by
          ? (['provider_session', by.sessionId] as const)
          : (['provider_subject', by.subject] as const);
      const rows = await query<{ userId: string }>(database, {
        name: `remove-tokens-of-${column}`,
        text: REMOVE_OF_PROVIDER(column),
        values: [issuer, value],
      });
      return [...new Set(rows.map(({ userId }) => userId))];
    },

    /** Only sessions with tokens. */
    listByUser: async (userId: string): Promise<ListedSession[]> =>
      await database('sessions as s')
        .join('token_records as t', 't.id', 's.tokenId')
        .where('s.userId', userId)
        .where('t.refreshTokenExpiredAt', '>', now())
        .orderBy([{ column: 's.updatedAt', order: 'desc' }, 's.id'])
        .select(...COLUMNS.map((column) => `s.${column}`), 't.methods'),

    /** By network too, because clients choose their fingerprint. */
    hasSignedInFrom: async (userId: string, fingerprint: string, network: string): Promise<boolean> => {
      const known = await database('sessions as s')
        .join('session_networks as n', 'n.sessionId', 's.id')
        .where({ 's.userId': userId, 's.fingerprint': fingerprint, 'n.network': network })
        .first('s.id');
      return known !== undefined;
    },
  };
};
