import { type Database, query } from '@platform/shared/db/database';
import { toClientSubnet } from '@platform/shared/network/client-address';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { removeTokensOfSession, removeTokensOfUser } from '@platform/shared/platform/access/user-tokens';
import type { AccountWithPassword } from '../accounts/account.ts';
import type { Session } from '../authentication/callers.ts';
import type { ListedSession, ProviderSession, SignInDevice } from './session.ts';
import type { TokenPairIds } from './tokens.ts';

/** Limits the rows that a roaming device can add. */
const NETWORKS_PER_SESSION = 20;

/**
 * All statements that change sessions and token records lock in this order: the user, the sessions (several
 * by id), the token record. A sign-in needs this order (`open`). Each end of a session locks the user, so that
 * it waits for the changes that the session is making (see `user-tokens.ts`). Therefore each deletion of a token record
 * locks the session first, although it changes the session only afterwards (`on delete set null`). The other
 * order would cause deadlocks. The nightly cleanup locks in the same order.
 */
const REMOVE_BY_ID = `
  with locked_user as (
    select 1 from users where id = (select user_id from token_records where id = $1) for no key update
  ), locked_sessions as (
    select token_id from sessions where token_id = $1 and (select count(*) from locked_user) >= 0 for update
  )
  delete from token_records t using locked_sessions s where t.id = s.token_id`;

const REMOVE_OF_PROVIDER = (column: 'provider_subject' | 'provider_session') => `
  with ended as (
    select id, user_id from token_records where provider_issuer = $1 and ${column} = $2
  ), locked_users as (
    select 1 from users where id in (select user_id from ended) order by id for no key update
  ), locked_sessions as (
    select 1 from sessions where token_id in (select id from ended) and (select count(*) from locked_users) >= 0
    order by id for update
  )
  delete from token_records where id in (select id from ended) and (select count(*) from locked_sessions) >= 0
  returning user_id`;

/** A new session, the id of its token record, and what was known before. */
type OpenedSession = {
  session: Session;
  tokenId: string;
  isNewDevice: boolean;
  hasSignedInBefore: boolean;
};

const COLUMNS = ['id', 'userId', 'fingerprint', 'ip', 'createdAt', 'updatedAt'];

/**
 * Also locks the user, like `for no key update`. `u.id = $1` keeps Postgres from finding the user by the hash, which
 * thousands of imported users without a password share.
 */
const SIGN_IN_UNCHANGED_USER = `
  update users u set last_sign_in_at = now()
  from (select id, last_sign_in_at from users where id = $1 for no key update) before
  where u.id = $1 and u.id = before.id and u.password_hash is not distinct from $2 and u.factor_version = $3 and not u.is_blocked
  returning before.last_sign_in_at is not null as has_signed_in_before`;

// This is a separate statement, because it must see what the holder of the user's lock has changed.
const OPEN = `
  with device as (
    select id, token_id from sessions where user_id = $1 and fingerprint = $2 for update
  ), token as (
    insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at, methods,
      provider_issuer, provider_subject, provider_session, authenticated_at, user_agent, stays_signed_in)
    select $1, $5, $6, $7, $8, $9, $10, $11, $12, case when $10::text is null then now() else to_timestamp($13) end,
      $14, $15
    where (select count(*) from device) >= 0 returning id
  ), opened as (
    insert into sessions (user_id, fingerprint, token_id, ip) select $1, $2, id, $3 from token
    on conflict (user_id, fingerprint) do update set token_id = excluded.token_id, ip = excluded.ip, updated_at = now()
    returning id, user_id, token_id, fingerprint, ip, created_at, updated_at
  ), replaced as (
    delete from token_records where id = (select token_id from device)
  ), network as (
    insert into session_networks (session_id, network) select id, $4 from opened
    on conflict (session_id, network) do update set last_seen = now()
  ), forgotten as (
    delete from session_networks where session_id = (select id from device) and network in (
      select network from session_networks where session_id = (select id from device) and network <> $4
      order by last_seen desc offset ${NETWORKS_PER_SESSION - 1})
  )
  select *, not exists (select from session_networks where session_id = (select id from device)) as is_new_device
  from opened`;

export const createSessionStore = (database: Database) => {
  const now = () => database.fn.now();

  return {
    /**
     * Opens a session for the device, or replaces the tokens of its existing session. Must run in a
     * transaction. Returns undefined if the user is blocked, or the password, the factors or the platform
     * role have changed since the account was read.
     */
    open: async (
      { userId, passwordHash, factorVersion }: AccountWithPassword,
      { fingerprint, userAgent, staySignedIn, context: { address } }: SignInDevice,
      {
        accessTokenId,
        accessTokenExpiredAt,
        refreshTokenId,
        refreshTokenExpiredAt,
      }: Omit<TokenPairIds, 'stayingExpiredAt'>,
      methods: SignInMethod[],
      provider?: ProviderSession,
    ): Promise<OpenedSession | undefined> => {
      const unchanged = { text: SIGN_IN_UNCHANGED_USER, values: [userId, passwordHash, factorVersion] };
      const [signedIn] = await query<Pick<OpenedSession, 'hasSignedInBefore'>>(database, {
        name: 'sign-in-unchanged-user',
        ...unchanged,
      });
      if (!signedIn) return undefined;
      const { issuer = null, subject = null, sessionId = null, authenticatedAt = null } = provider ?? {};
      const device = [userId, fingerprint, address, toClientSubnet(address)];
      const tokens = [accessTokenId, accessTokenExpiredAt, refreshTokenId, refreshTokenExpiredAt, methods];
      const proof = [issuer, subject, sessionId, authenticatedAt];
      const values = [...device, ...tokens, ...proof, userAgent, staySignedIn];
      const statement = { name: 'open-session', text: OPEN, values };
      const [opened] = await query<Session & Omit<OpenedSession, 'session' | 'hasSignedInBefore'>>(
        database,
        statement,
      );
      if (!opened) throw new Error('No session was opened');
      const { tokenId, isNewDevice, ...session } = opened;
      return { session, tokenId, isNewDevice, ...signedIn };
    },

    /**
     * Whether no device with this fingerprint has signed in to the account, from any network, or the account
     * has forgotten it.
     */
    isNewDevice: async (userId: string, fingerprint: string): Promise<boolean> =>
      (await database('sessions as s')
        .join('session_networks as n', 'n.sessionId', 's.id')
        .where({ userId, fingerprint })
        .first('s.id')) === undefined,

    /** Keeps the session for the device's next sign-in. */
    removeTokens: async (tokenId: string): Promise<void> => {
      await query(database, { name: 'remove-tokens', text: REMOVE_BY_ID, values: [tokenId] });
    },

    /**
     * Deletes the tokens of all sessions of the user, except for one token record, and returns how many were
     * signed in. The caller holds the lock on the user.
     */
    removeTokensOfUser: (userId: string, exceptTokenId?: string): Promise<number> =>
      removeTokensOfUser(database, userId, [exceptTokenId]),

    /**
     * This does what `removeTokensOfUser` does, and also forgets devices and networks.
     * @param openTokenId a token record whose session stays open although its device is forgotten
     */
    forgetSessionsOfUser: async (
      userId: string,
      exceptTokenId?: string,
      openTokenId?: string,
    ): Promise<number> => {
      const kept = [exceptTokenId, openTokenId].filter((id) => id !== undefined);
      const ended = await removeTokensOfUser(database, userId, kept);
      if (openTokenId !== undefined && openTokenId !== exceptTokenId) {
        const open = database('sessions').where({ userId, tokenId: openTokenId }).select('id');
        await database('sessionNetworks').whereIn('sessionId', open).delete();
      }
      const others = database('sessions')
        .where({ userId })
        .whereRaw('coalesce(token_id <> all(?), true)', [kept]);
      if ((await others.delete()) > 0)
        // Release 1.1.0 reads this column, beside this release or after a rollback.
        await database('users').where({ id: userId }).update({ sessionsForgotten: true });
      return ended;
    },

    /** Like `removeTokensOfUser`. Returns false if the user has no such session, or it is not signed in. */
    removeTokensOfSession: (userId: string, sessionId: string): Promise<boolean> =>
      removeTokensOfSession(database, userId, sessionId),

    /** Deletes the tokens of the sessions that the provider has opened. Returns each affected user once. */
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

    /** Returns only sessions that have tokens. */
    listByUser: async (userId: string): Promise<ListedSession[]> =>
      await database('sessions as s')
        .join('token_records as t', 't.id', 's.tokenId')
        .where('s.userId', userId)
        .where('t.refreshTokenExpiredAt', '>', now())
        .orderBy([{ column: 's.updatedAt', order: 'desc' }, 's.id'])
        .select(
          ...COLUMNS.map((column) => `s.${column}`),
          't.methods',
          't.userAgent',
          't.createdAt as signedInAt',
          't.refreshedAt',
          't.staysSignedIn',
        ),
  };
};

export type SessionStore = ReturnType<typeof createSessionStore>;
