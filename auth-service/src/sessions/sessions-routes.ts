import { toProfileBody, toUserBody } from '../accounts/account-mapper.ts';
import type { AuthCaller } from '../authentication/callers.ts';
import type { AuthOperations } from '../authentication/operations.ts';
import type { Kind } from '../kinds.ts';
import type { RefreshMetrics } from './refresh-metrics-adapter.ts';
import { clearRefreshCookie, toRefreshCookie } from './refresh-token.ts';
import { requireSameSession, type SessionIdentifiers } from './session.ts';
import type { SessionService } from './sessions-service.ts';

const toMeBody = <K extends Kind>(kind: K, { account, session }: AuthCaller) => ({
  user: toUserBody(kind, account),
  profile: toProfileBody(kind, account),
  session,
});

/**
 * Only responses to requests that send the fingerprint contain it, because a stolen token must not be
 * sufficient to refresh the session.
 */
const withoutFingerprint = <Session extends { fingerprint: string }>({
  fingerprint: _,
  ...session
}: Session) => session;

const toUniversalBodyOf = <K extends Kind>(kind: K, caller: AuthCaller) => {
  const { session, ...body } = toMeBody(kind, caller);
  return { kind, ...body, roles: body.user.roles, session: withoutFingerprint(session) };
};
/** Each kind has a separate case, so that the compiler relates the kind to its body. */
const toUniversalBody = (caller: AuthCaller) => {
  switch (caller.kind) {
    case 'customer':
      return toUniversalBodyOf('customer', caller);
    case 'employee':
      return toUniversalBodyOf('employee', caller);
    case 'administrator':
      return toUniversalBodyOf('administrator', caller);
  }
};

type Headers = { 'X-Fingerprint': string; 'X-Session-Id'?: string };
const toSessionIdentifiers = (headers: Headers): SessionIdentifiers => ({
  fingerprint: headers['X-Fingerprint'],
  sessionId: headers['X-Session-Id'],
});

export const sessionRoutes = (sessions: SessionService, metrics: RefreshMetrics) =>
  ({
    me: async ({ kind, caller, headers }) => {
      requireSameSession(caller.session, toSessionIdentifiers(headers));
      return { status: 200, body: toMeBody(kind, caller) };
    },

    universalMe: async ({ caller }) => ({ status: 200, body: toUniversalBody(caller) }),

    readSession: async ({ kind, caller }) => {
      const { account, session } = await caller.getCaller();
      return { status: 200, body: { user: toUserBody(kind, account), session: withoutFingerprint(session) } };
    },

    signOut: async ({ kind, caller, headers }) => {
      await sessions.signOut(caller, toSessionIdentifiers(headers));
      return { status: 204, cookies: [clearRefreshCookie(kind)] };
    },

    refreshToken: async ({ kind, caller, headers }) => {
      const { accessToken, userId, sessionId, ...refresh } = await sessions.refresh(
        caller,
        toSessionIdentifiers(headers),
      );
      metrics.countRotated(kind);
      return {
        status: 200,
        caller: { userId, sessionId },
        cookies: [toRefreshCookie(kind, refresh)],
        body: { token: accessToken },
      };
    },

    listSessions: async ({ caller }) => {
      const list = await sessions.listSessions(caller);
      const data = list.map((session) => ({
        ...withoutFingerprint(session),
        isCurrent: session.id === caller.session.id,
      }));
      return { status: 200, body: { data } };
    },

    endSession: async ({ caller, path }) => {
      await sessions.endSession(caller, path.sessionId);
      return { status: 204 };
    },

    endOtherSessions: async ({ caller }) => {
      await sessions.endOtherSessions(caller);
      return { status: 204 };
    },
  }) satisfies Partial<AuthOperations>;
