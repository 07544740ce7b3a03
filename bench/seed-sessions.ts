import { createHash, randomUUID } from 'node:crypto';
import { hashRefreshJti } from '@platform/auth-service/sessions/refresh-token';
import type { Secrets } from '@platform/dev/data-dir';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTokenKeys, hashTokenId, signToken } from '@platform/shared/tokens/tokens';
import { bulkLoad } from './bulk-load.ts';

// Sessions of the customers in seed-users.ts. The ids are derived from the row number, so that tokens can be
// signed without a lookup.

const LIFETIME_SECONDS = 7_200;
/** As Postgres casts an MD5 to a UUID. */
export const md5Of = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const md5Uuid = (name: string) => `md5('${name}' || n)::uuid`;

/** Two of five users are customers with sessions; few have a platform role, too (seed-users.ts). */
const USER_OF_SESSION = "md5('user' || (5 * ((n - 1) % $2::bigint / 2) + 1 + (n - 1) % 2))::uuid";

/** Expired records are spread over the table; their expiry lies within the last day. */
const TOKEN_RECORDS = `
  insert into token_records
    (id, user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
  select ${md5Uuid('token')}, ${USER_OF_SESSION}, ${md5Uuid('access')}, expires, ${md5Uuid('refresh')}, expires
  from (select n, now() + make_interval(secs => case when $3::bigint > 0 and n % $3::bigint = 0
      then -1 - 86400.0 * (1 - n / $1::float8) else ${LIFETIME_SECONDS} end) as expires
    from generate_series(1, $1::bigint) n) as numbered`;

const SESSIONS = `
  insert into sessions (id, user_id, token_id, fingerprint, ip)
  select ${md5Uuid('session')}, ${USER_OF_SESSION}, ${md5Uuid('token')}, 'device-' || n, '127.0.0.1'
  from generate_series(1, $1::bigint) n`;

/**
 * Each session with its token record, distributed evenly over the customers. @param expiredEvery one in this
 * many has expired; 0: none
 */
export const seedSessions = (
  url: string,
  users: number,
  sessions: number,
  expiredEvery = 0,
): Promise<void> => {
  const values = [sessions, Math.floor((users * 2) / 5)];
  return bulkLoad(
    url,
    ['token_records', 'sessions'],
    [[[TOKEN_RECORDS, [...values, expiredEvery]]], [[SESSIONS, values]]],
  );
};

/** The id of a user with many sessions: the first one of seed-users.ts. */
export const CROWDED_USER = md5Of('user1');
const CROWDED_SESSIONS = 1_000;

const CROWDED = `
  with tokens as (
    insert into token_records
      (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at, user_agent)
    select $1, gen_random_uuid(), at, gen_random_uuid(), at, 'Mozilla/5.0 (bench)'
    from generate_series(1, $2::bigint) n, (select now() + interval '2 hours' as at) times returning id
  ) insert into sessions (user_id, token_id, fingerprint, ip) select $1, id, id, '127.0.0.1' from tokens`;

export const seedCrowdedUser = async (url: string): Promise<void> => {
  await queryDatabase(url, CROWDED, [CROWDED_USER, CROWDED_SESSIONS]);
};

type SessionRow = {
  number: number;
  userId: string;
  email: string;
  tokenId: string;
  /** The `jti` of each token, as soon as it is registered. */
  accessId: string;
  refreshId: string;
  sessionId: string;
};

export type SeededSession = SessionRow & { fingerprint: string };

const toKey = (secret: string) => createTokenKeys({ current: secret, previous: [] })[0];

/** Returns `count` usable sessions from all over the table: no blocked users, no expired tokens. */
export const pickSessions = async (
  url: string,
  sessions: number,
  count: number,
): Promise<SeededSession[]> => {
  const rows = await queryDatabase<SessionRow>(
    url,
    `select n::int as number, u.id as "userId", u.email, t.id as "tokenId", t.access_token_id as "accessId",
       t.refresh_token_id as "refreshId", ${md5Uuid('session')} as "sessionId"
     from generate_series(1, $1::bigint, greatest(1, $1::bigint / ($2::bigint * 11 / 10))) n
     join token_records t on t.id = ${md5Uuid('token')} join users u on u.id = t.user_id
     where not u.is_blocked and t.refresh_token_expired_at > now() limit $2`,
    [sessions, count],
  );
  if (rows.length < count) throw new Error(`${count} sessions are needed, ${rows.length} were found`);
  return rows.map((row) => ({ ...row, fingerprint: `device-${row.number}` }));
};

/** Makes the tokens of these sessions valid. The services store keyed hashes of the token ids. */
export const registerTokens = async (
  url: string,
  sessions: readonly SeededSession[],
  { JWT_CUSTOMER_ACCESS_SECRET_KEY }: Secrets,
): Promise<void> => {
  const accessKey = toKey(JWT_CUSTOMER_ACCESS_SECRET_KEY);
  await queryDatabase(
    url,
    `update token_records t set access_token_id = access, refresh_token_id = refresh
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as tokens (record, access, refresh) where t.id = record`,
    [
      sessions.map(({ tokenId }) => tokenId),
      sessions.map(({ accessId }) => hashTokenId(accessKey, accessId)),
      sessions.map(({ refreshId }) => hashRefreshJti(refreshId)),
    ],
  );
};

/** Signs a token as the services do. */
export const sign = (payload: object, jti: string, secret: string): string =>
  signToken(payload, { key: toKey(secret), jti, lifetimeSeconds: LIFETIME_SECONDS });

/** Creates an administrator with a session. @returns the request headers */
export const createAdministrator = async (
  url: string,
  { JWT_ADMIN_ACCESS_SECRET_KEY }: { JWT_ADMIN_ACCESS_SECRET_KEY: string },
): Promise<Record<string, string>> => {
  const [userId, jti] = [randomUUID(), randomUUID()];
  const insert = (text: string, values: readonly unknown[]) => queryDatabase(url, text, values);
  await insert(
    `with u as (insert into users (id, email, password_hash) values ($1, $2, '-') returning id, created_at)
     insert into user_roles (user_id, role, user_created_at) select id, 'ADMIN', created_at from u`,
    [userId, `bench-${userId}@example.com`],
  );
  await insert(
    `with token as (
       insert into token_records
         (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
       values ($1, $2, now() + interval '2 hours', gen_random_uuid(), now() + interval '2 hours') returning id
     ) insert into sessions (user_id, token_id, fingerprint, ip) select $1, id, 'bench', '127.0.0.1' from token`,
    [userId, hashTokenId(toKey(JWT_ADMIN_ACCESS_SECRET_KEY), jti)],
  );
  const payload = { userId, roles: ['ADMIN'], platformRole: 'ADMIN' };
  return { Authorization: `Bearer ${sign(payload, jti, JWT_ADMIN_ACCESS_SECRET_KEY)}` };
};

/** Gives the first customers with sessions a password. @returns their e-mail addresses */
export const setPasswords = async (url: string, passwordHash: string, count: number): Promise<string[]> => {
  const rows = await queryDatabase<{ email: string }>(
    url,
    `update users set password_hash = $1 where id in (
       select md5('user' || (5 * (n / 2) + 1 + n % 2))::uuid from generate_series(0, $2::int * 11 / 10) n)
     and not is_blocked returning email`,
    [passwordHash, count],
  );
  return rows.map(({ email }) => email).slice(0, count);
};
