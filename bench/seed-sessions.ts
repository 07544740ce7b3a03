import { randomUUID } from 'node:crypto';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTokenKeys, signToken } from '@platform/shared/tokens/tokens';
import { bulkLoad } from './bulk-load.ts';
import type { Request } from './load/requests.ts';

// Sessions of the customers in market-data.ts, so made that number n tells all of its ids: a token of any of them can be
// signed without a look at the database.

const LIFETIME_SECONDS = 7_200;
const md5Uuid = (name: string) => `md5('${name}' || n)::uuid`;

/** Two of five users are customers that have sessions: no platform role is theirs (see market-data.ts). */
const USER_OF_SESSION = "md5('user' || (5 * ((n - 1) % $2::bigint / 2) + 1 + (n - 1) % 2))::uuid";

const TOKEN_RECORDS = `
  insert into token_records
    (id, user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
  select ${md5Uuid('token')}, ${USER_OF_SESSION}, ${md5Uuid('access')}, now() + interval '${LIFETIME_SECONDS} s',
    ${md5Uuid('refresh')}, now() + interval '${LIFETIME_SECONDS} s'
  from generate_series(1, $1::bigint) n`;

const SESSIONS = `
  insert into sessions (id, user_id, token_id, fingerprint, ip)
  select ${md5Uuid('session')}, ${USER_OF_SESSION}, ${md5Uuid('token')}, 'device-' || n, '127.0.0.1'
  from generate_series(1, $1::bigint) n`;

/** Evenly over the customers, each session with its token record. */
export const buildSessions = (url: string, users: number, sessions: number): Promise<void> => {
  const values = [sessions, Math.floor((users * 2) / 5)];
  return bulkLoad(
    url,
    ['token_records', 'sessions'],
    [
      [TOKEN_RECORDS, values],
      [SESSIONS, values],
    ],
  );
};

type SessionRow = {
  number: number;
  userId: string;
  email: string;
  accessId: string;
  refreshId: string;
  sessionId: string;
};

/** One session that can be used. */
export type MarketSession = SessionRow & { fingerprint: string };

/** So many of them, from all over the table; blocked users are left out. */
export const pickSessions = async (
  url: string,
  sessions: number,
  count: number,
): Promise<MarketSession[]> => {
  const rows = await queryDatabase<SessionRow>(
    url,
    `select n::int as number, u.id as "userId", u.email, t.access_token_id as "accessId",
       t.refresh_token_id as "refreshId", ${md5Uuid('session')} as "sessionId"
     from generate_series(1, $1::bigint, greatest(1, $1::bigint / ($2::bigint * 11 / 10))) n
     join token_records t on t.id = ${md5Uuid('token')} join users u on u.id = t.user_id
     where not u.is_blocked limit $2`,
    [sessions, count],
  );
  if (rows.length < count) throw new Error(`${count} sessions were asked for, ${rows.length} found`);
  return rows.map((row) => ({ ...row, fingerprint: `device-${row.number}` }));
};

type CustomerSecrets = { JWT_CUSTOMER_ACCESS_SECRET_KEY: string; JWT_CUSTOMER_REFRESH_SECRET_KEY: string };

const sign = (payload: object, jti: string, secret: string): string => {
  const [key] = createTokenKeys({ current: secret, previous: [] });
  return signToken(payload, { key, jti, lifetimeSeconds: LIFETIME_SECONDS });
};

export const meRequest = (
  { userId, accessId, fingerprint }: MarketSession,
  { JWT_CUSTOMER_ACCESS_SECRET_KEY }: CustomerSecrets,
): Request => {
  const token = sign({ userId, roles: ['CUSTOMER'] }, accessId, JWT_CUSTOMER_ACCESS_SECRET_KEY);
  const headers = { Authorization: `Bearer ${token}`, 'X-Fingerprint': fingerprint };
  return { method: 'GET', path: '/api/v1/customers/auth/me', headers };
};

export const REFRESH_CARRY = { from: 'cookie', name: 'CustomerRefreshToken' } as const;

export const refreshRequest = (
  { userId, refreshId, sessionId, fingerprint }: MarketSession,
  { JWT_CUSTOMER_REFRESH_SECRET_KEY }: CustomerSecrets,
): Request => {
  const token = sign({ userId, roles: ['CUSTOMER'] }, refreshId, JWT_CUSTOMER_REFRESH_SECRET_KEY);
  const cookie = `${REFRESH_CARRY.name}=${token}`;
  const headers = { Cookie: cookie, 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId };
  return { method: 'GET', path: '/api/v1/customers/auth/refresh/token', headers };
};

/** A new administrator, signed in. @returns the headers of the requests */
export const createAdministrator = async (
  url: string,
  { JWT_ADMIN_ACCESS_SECRET_KEY }: { JWT_ADMIN_ACCESS_SECRET_KEY: string },
): Promise<Record<string, string>> => {
  const [userId, jti] = [randomUUID(), randomUUID()];
  const insert = (text: string, values: readonly unknown[]) => queryDatabase(url, text, values);
  await insert('insert into users (id, email, password_hash) values ($1, $2, $3)', [
    userId,
    `bench-${userId}@example.com`,
    '-',
  ]);
  await insert("insert into user_roles (user_id, role) values ($1, 'ADMIN')", [userId]);
  await insert(
    `with token as (
       insert into token_records
         (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
       values ($1, $2, now() + interval '2 hours', gen_random_uuid(), now() + interval '2 hours') returning id
     ) insert into sessions (user_id, token_id, fingerprint, ip) select $1, id, 'bench', '127.0.0.1' from token`,
    [userId, jti],
  );
  const payload = { userId, roles: ['ADMIN'], platformRole: 'ADMIN' };
  return { Authorization: `Bearer ${sign(payload, jti, JWT_ADMIN_ACCESS_SECRET_KEY)}` };
};

/** The customers with sessions get a password, of the production cost; a list of their e-mails. */
export const givePasswords = async (url: string, passwordHash: string, count: number): Promise<string[]> => {
  const rows = await queryDatabase<{ email: string }>(
    url,
    `update users set password_hash = $1 where id in (
       select md5('user' || (5 * (n / 2) + 1 + n % 2))::uuid from generate_series(0, $2::int * 11 / 10) n)
     and not is_blocked returning email`,
    [passwordHash, count],
  );
  return rows.map(({ email }) => email).slice(0, count);
};
