import { randomUUID } from 'node:crypto';
import type { CookieChange } from '@platform/shared/http/operations';
import {
  type Json,
  type Kind,
  type MockSession,
  type MockSessions,
  REFRESH_SECONDS,
} from './mock-sessions.ts';

export type MockRequest = {
  path: Record<string, string>;
  query: Json;
  headers: Record<string, string>;
  body: Json | undefined;
  caller: MockSession | undefined;
};
export type MockResponse = { status: number; body?: unknown; cookies?: CookieChange[] };
type SessionHandler = (kind: Kind, example: Json, request: MockRequest) => MockResponse;

// Without Secure, so that every browser stores it from http://localhost; other ports of the host are the same site.
const COOKIE = { httpOnly: true, sameSite: 'lax', path: '/' } as const;

/** With the e-mail of the request; a passkey names none. */
const toUser = (kind: Kind, example: Json, email: unknown = example['email']): Json => {
  const user: Json = { ...example, email };
  if (kind !== 'administrator') return user;
  const [role = 'ADMIN'] = /^(?:operator|arbiter)(?=@)/.exec(String(email)) ?? [];
  return { ...user, roles: [role.toUpperCase()], platformRole: role.toUpperCase() };
};

const openSession = (userId: unknown, fingerprint: string | undefined): Json => {
  const now = new Date().toISOString();
  return { id: randomUUID(), userId, fingerprint, ip: '127.0.0.1', createdAt: now, updatedAt: now };
};

const createTokenHandlers = (sessions: MockSessions, cookies: Partial<Record<Kind, string>>) => {
  const toCookie = (kind: Kind, value?: string): CookieChange[] => {
    const options = value === undefined ? COOKIE : { ...COOKIE, maxAge: REFRESH_SECONDS * 1_000 };
    return [{ name: cookies[kind] ?? '', options, ...(value !== undefined && { value }) }];
  };
  const signIn: SessionHandler = (kind, example, { body = {}, headers }) => {
    const user = toUser(kind, example['user'] as Json, body['email']);
    const session = openSession(user['id'], headers['X-Fingerprint']);
    const { accessToken: token, refreshToken } = sessions.open(kind, user, session);
    return { status: 200, body: { ...example, token, session, user }, cookies: toCookie(kind, refreshToken) };
  };
  const refresh: SessionHandler = (kind, example, { caller }) => {
    if (!caller) throw new Error('A refresh needs a refresh token');
    const { accessToken: token, refreshToken } = sessions.issueTokens(caller);
    return { status: 200, body: { ...example, token }, cookies: toCookie(kind, refreshToken) };
  };
  const end: SessionHandler = (kind, _example, { caller }) => {
    if (caller) sessions.end(caller);
    return { status: 204, cookies: toCookie(kind) };
  };
  return {
    SignIn: signIn,
    SignInSecondFactor: signIn,
    SignInPasskey: signIn,
    OidcSignIn: signIn,
    RefreshToken: refresh,
    SignOut: end,
    AccountDelete: end,
  };
};

/** The mock's provider signs in everybody, without a page. */
const authorize: SessionHandler = (_kind, example, { body = {} }) => ({
  status: 200,
  body: { ...example, authorizationUrl: `${body['redirectUri']}?code=mock&state=mock` },
});

/** What a code in a mail changes: the address, or whether it is verified. */
const EMAIL_HANDLERS: Record<string, SessionHandler> = {
  VerificationEmailCodeCheck: (_kind, example, { caller }) => {
    if (caller) caller.user = { ...caller.user, isEmailVerified: true };
    return { status: 200, body: { ...example, verified: true } };
  },
  VerificationEmailCheck: (_kind, example, { caller }) => ({
    status: 200,
    body: { ...example, verified: caller?.user['isEmailVerified'] === true },
  }),
  EmailChange: (_kind, example, { caller, body = {} }) => {
    if (caller) caller.newEmail = body['newEmail'];
    return { status: 200, body: example };
  },
  EmailChangeCheck: (_kind, example, { caller }) => {
    if (!caller) return { status: 200, body: example };
    const email = caller.newEmail ?? caller.user['email'];
    caller.user = { ...caller.user, email, isEmailVerified: true };
    return { status: 200, body: { user: caller.user } };
  },
};

/** The operations that change the session, by the end of their ids. */
export const createSessionHandlers = (
  sessions: MockSessions,
  cookies: Partial<Record<Kind, string>>,
): Record<string, SessionHandler> => ({
  ...createTokenHandlers(sessions, cookies),
  ...EMAIL_HANDLERS,
  OidcAuthorize: authorize,
  IdentityAuthorize: authorize,
});
