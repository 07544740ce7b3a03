import type { Secrets } from '@platform/dev/data-dir';
import type { Request, TokenCarry } from './load/load.ts';
import { PLAN } from './plan.ts';
import { type SeededSession, sign } from './seed-sessions.ts';

// The requests of the scenarios.

export const BENCH_PASSWORD = 'Password of the benchmark';

type CustomerSecrets = Pick<Secrets, 'JWT_CUSTOMER_ACCESS_SECRET_KEY' | 'JWT_CUSTOMER_REFRESH_SECRET_KEY'>;

/** `GET /customers/auth/me` */
const meRequest = (
  { userId, accessId, fingerprint }: SeededSession,
  { JWT_CUSTOMER_ACCESS_SECRET_KEY }: CustomerSecrets,
): Request => {
  const token = sign({ userId, roles: ['CUSTOMER'] }, accessId, JWT_CUSTOMER_ACCESS_SECRET_KEY);
  const headers = { Authorization: `Bearer ${token}`, 'X-Fingerprint': fingerprint };
  return { method: 'GET', path: '/api/v1/customers/auth/me', headers };
};

export const REFRESH_CARRY = { from: 'cookie', name: 'CustomerRefreshToken' } as const;

const refreshRequest = (
  { userId, refreshId, sessionId, fingerprint }: SeededSession,
  { JWT_CUSTOMER_REFRESH_SECRET_KEY }: CustomerSecrets,
): Request => {
  const token = sign({ userId, roles: ['CUSTOMER'] }, refreshId, JWT_CUSTOMER_REFRESH_SECRET_KEY);
  const cookie = `${REFRESH_CARRY.name}=${token}`;
  const headers = { Cookie: cookie, 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId };
  return { method: 'GET', path: '/api/v1/customers/auth/refresh/token', headers };
};

/** Each sign-in uses another account, so that no limit per account applies. */
export const signInRequest = (email: string): Request => ({
  method: 'POST',
  path: '/api/v1/customers/auth/sign-in',
  headers: { 'Content-Type': 'application/json', 'X-Fingerprint': 'bench' },
  body: JSON.stringify({ email, password: BENCH_PASSWORD }),
});

/** A seeded platform: its secrets, sessions and accounts. */
export type LoadSource = {
  secrets: Secrets;
  adminHeaders: Record<string, string>;
  /** `count` unused sessions: a refresh invalidates the tokens that it was made with. */
  takeSessions: (count: number) => SeededSession[];
};

export type Workload = { requests: Request[]; carry?: TokenCarry };

/** `me` of one session, or of several. */
export const meWorkload = ({ takeSessions, secrets }: LoadSource, sessions = 1): Workload => ({
  requests: takeSessions(sessions).map((session) => meRequest(session, secrets)),
});

/** Chains of refreshes, by default one per connection: each presents the token that the previous one returned. */
export const refreshWorkload = (
  { takeSessions, secrets }: LoadSource,
  sessions: number = PLAN.connections,
): Workload => ({
  requests: takeSessions(sessions).map((session) => refreshRequest(session, secrets)),
  carry: REFRESH_CARRY,
});

/** Ten users and their total. */
export const usersListWorkload = ({ adminHeaders: headers }: LoadSource): Workload => ({
  requests: [{ method: 'GET', path: '/api/v1/users?page=1&perPage=10', headers }],
});
