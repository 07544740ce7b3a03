import type { Secrets } from '@platform/dev/data-dir';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';
import type { Request, TokenCarry } from './load/load.ts';
import { PLAN } from './plan.ts';
import { type SeededSession, sign } from './seed-sessions.ts';

// The requests of the scenarios.

export const BENCH_PASSWORD = 'Password of the benchmark';

type CustomerSecrets = Pick<Secrets, 'JWT_CUSTOMER_ACCESS_SECRET_KEY' | 'JWT_CUSTOMER_REFRESH_SECRET_KEY'>;

const signAccessToken = (
  { userId, accessId }: SeededSession,
  { JWT_CUSTOMER_ACCESS_SECRET_KEY }: CustomerSecrets,
): string => sign({ userId, roles: ['CUSTOMER'] }, accessId, JWT_CUSTOMER_ACCESS_SECRET_KEY);

/** `GET /customers/auth/me` */
const meRequest = (session: SeededSession, secrets: CustomerSecrets): Request => {
  const token = signAccessToken(session, secrets);
  const headers = { Authorization: `Bearer ${token}`, 'X-Fingerprint': session.fingerprint };
  return { method: 'GET', path: '/api/v1/customers/auth/me', headers };
};

/** `POST /internal/v1/introspect` by the test service. */
export const introspectRequest = (token: string, fingerprint?: string): Request => ({
  method: 'POST',
  path: '/internal/v1/introspect',
  headers: {
    Authorization: basicAuth(SERVICE.name, SERVICE.secret),
    'Content-Type': 'application/x-www-form-urlencoded',
  },
  body: new URLSearchParams({ token, ...(fingerprint !== undefined && { fingerprint }) }).toString(),
});

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

/** Each sign-in uses a different account, so that no limit per account applies. */
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
  /** Takes `count` unused sessions, because a refresh invalidates the tokens that it was made with. */
  takeSessions: (count: number) => SeededSession[];
};

export type Workload = { requests: Request[]; carry?: TokenCarry };

/** `me` of one session, or of several. */
export const meWorkload = ({ takeSessions, secrets }: LoadSource, sessions = 1): Workload => ({
  requests: takeSessions(sessions).map((session) => meRequest(session, secrets)),
});

/** `me` and the introspection of the same sessions. */
export const introspectionWorkloads = ({ takeSessions, secrets }: LoadSource, count: number) => {
  const sessions = takeSessions(count);
  return {
    me: { requests: sessions.map((session) => meRequest(session, secrets)) },
    introspection: {
      requests: sessions.map((session) =>
        introspectRequest(signAccessToken(session, secrets), session.fingerprint),
      ),
    },
  };
};

/**
 * Chains of refreshes, by default one per connection. Each presents the token that the previous one returned.
 */
export const refreshWorkload = (
  { takeSessions, secrets }: LoadSource,
  sessions: number = PLAN.connections,
): Workload => ({
  requests: takeSessions(sessions).map((session) => refreshRequest(session, secrets)),
  carry: REFRESH_CARRY,
});

/** Ten users and the total. */
export const usersListWorkload = ({ adminHeaders: headers }: LoadSource): Workload => ({
  requests: [{ method: 'GET', path: '/api/v1/users?page=1&perPage=10', headers }],
});
