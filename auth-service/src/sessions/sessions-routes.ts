import type { components } from '@platform/openapi/types/auth';
import { toClientSubnet } from '@platform/shared/http/client-address';
import { toProfileBody, toUserBody } from '../accounts/account-mapper.ts';
import type { Kind } from '../kinds.ts';
import type { AuthOperations, KindOperations, KindRequest } from '../operations.ts';
import { type AuthCaller, requireSameSession, type Session, type SessionIdentifiers } from './session.ts';
import { clearRefreshCookie, type RefreshCookie } from './session-tokens.ts';
import type { SessionService } from './sessions-service.ts';
import type { SignInService } from './sign-in-service.ts';

const toSessionBody = (session: Session): components['schemas']['Session'] => ({
  ...session,
  createdAt: session.createdAt.toISOString(),
  updatedAt: session.updatedAt.toISOString(),
});

type SessionListOperation = 'listSessions' | 'endSession' | 'endOtherSessions';

type Headers = { 'X-Fingerprint': string; 'X-Session-Id'?: string };
const toSessionIdentifiers = (headers: Headers): SessionIdentifiers => ({
  fingerprint: headers['X-Fingerprint'],
  sessionId: headers['X-Session-Id'],
});

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const sessionRoutes = <K extends Kind>(
  kind: K,
  { signIn }: SignInService,
  sessions: SessionService,
  refreshCookie: RefreshCookie,
) => ({
  signIn: async ({ body, headers, context }: KindRequest<'signIn'>) => {
    const { address: ip, requestId } = context;
    const device = {
      fingerprint: headers['X-Fingerprint'],
      ip,
      network: toClientSubnet(ip),
      requestId,
    };
    const { accessToken, refreshToken, session, account } = await signIn(kind, body, device);
    return {
      status: 200 as const,
      caller: { userId: account.userId, sessionId: session.id },
      cookies: [refreshCookie(kind, refreshToken)],
      body: { token: accessToken, session: toSessionBody(session), user: toUserBody(kind, account) },
    };
  },

  me: async ({ caller, headers }: KindRequest<'me'>) => {
    const { account, session } = caller;
    requireSameSession(session, toSessionIdentifiers(headers));
    return {
      status: 200 as const,
      body: {
        user: toUserBody(kind, account),
        profile: toProfileBody(kind, account),
        session: toSessionBody(session),
      },
    };
  },

  signOut: async ({ caller, headers }: KindRequest<'signOut'>) => {
    await sessions.signOut(caller, toSessionIdentifiers(headers));
    return { status: 204 as const, cookies: [clearRefreshCookie(kind)] };
  },

  refreshToken: async ({ caller, headers }: KindRequest<'refreshToken'>) => {
    const { accessToken, refreshToken, userId, sessionId } = await sessions.refresh(
      caller,
      toSessionIdentifiers(headers),
    );
    return {
      status: 200 as const,
      caller: { userId, sessionId },
      cookies: [refreshCookie(kind, refreshToken)],
      body: { token: accessToken },
    };
  },
});

export const sessionListRoutes = (sessions: SessionService): Pick<KindOperations, SessionListOperation> => ({
  listSessions: async ({ caller }) => {
    const list = await sessions.listSessions(caller);
    return {
      status: 200,
      body: {
        data: list.map((session) => ({
          ...toSessionBody(session),
          isCurrent: session.id === caller.session.id,
        })),
      },
    };
  },

  endSession: async ({ caller, path }) => {
    await sessions.endSession(caller, path.sessionId);
    return { status: 204 };
  },

  endOtherSessions: async ({ caller }) => {
    await sessions.endOtherSessions(caller);
    return { status: 204 };
  },
});

const toUniversalBody = <K extends Kind>(kind: K, { account, session }: AuthCaller) => ({
  kind,
  user: toUserBody(kind, account),
  profile: toProfileBody(kind, account),
  roles: toUserBody(kind, account).roles,
  session: toSessionBody(session),
});

const UNIVERSAL_BODIES = {
  customer: (caller: AuthCaller) => toUniversalBody('customer', caller),
  employee: (caller: AuthCaller) => toUniversalBody('employee', caller),
  administrator: (caller: AuthCaller) => toUniversalBody('administrator', caller),
};

export const universalMeRoute = (): Pick<AuthOperations, 'universalMe'> => ({
  universalMe: async ({ caller }) => ({ status: 200, body: UNIVERSAL_BODIES[caller.kind](caller) }),
});
