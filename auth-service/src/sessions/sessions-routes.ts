import type { components } from '@platform/openapi/types/auth';
import { toProfileBody, toUserBody } from '../accounts/account-mapper.ts';
import { toSignInDevice } from '../client-context.ts';
import type { SignedIn } from '../feature-types.ts';
import type { Kind } from '../kinds.ts';
import type { AuthOperations, KindOperations, KindRequest } from '../operations.ts';
import { requireProof } from '../second-factor/second-factor.ts';
import type { SecondStepService } from './second-step-service.ts';
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

/** The response of every operation that opens a session. */
export const toSignInResponse = <K extends Kind>(
  kind: K,
  { accessToken, refreshToken, session, account }: SignedIn,
  refreshCookie: RefreshCookie,
) => ({
  status: 200 as const,
  caller: { userId: account.userId, sessionId: session.id },
  cookies: [refreshCookie(kind, refreshToken)],
  body: { token: accessToken, session: toSessionBody(session), user: toUserBody(kind, account) },
});

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const sessionRoutes = <K extends Kind>(
  kind: K,
  { signIn }: SignInService,
  { completeSignIn }: SecondStepService,
  sessions: SessionService,
  refreshCookie: RefreshCookie,
) => ({
  signIn: async (request: KindRequest<'signIn'>) =>
    toSignInResponse(kind, await signIn(kind, request.body, toSignInDevice(request)), refreshCookie),

  signInSecondFactor: async (request: KindRequest<'signInSecondFactor'>) => {
    const { challenge, ...fields } = request.body;
    const step = { challenge, proof: requireProof(fields) };
    const signedIn = await completeSignIn(kind, step, toSignInDevice(request));
    return toSignInResponse(kind, signedIn, refreshCookie);
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
        data: list.map(({ methods, ...session }) => ({
          ...toSessionBody(session),
          methods,
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

const toUniversalBody = <K extends Kind>(kind: K, { account, session }: AuthCaller) => {
  const user = toUserBody(kind, account);
  return {
    kind,
    user,
    profile: toProfileBody(kind, account),
    roles: user.roles,
    session: toSessionBody(session),
  };
};

const UNIVERSAL_BODIES = {
  customer: (caller: AuthCaller) => toUniversalBody('customer', caller),
  employee: (caller: AuthCaller) => toUniversalBody('employee', caller),
  administrator: (caller: AuthCaller) => toUniversalBody('administrator', caller),
};

export const universalMeRoute = (): Pick<AuthOperations, 'universalMe'> => ({
  universalMe: async ({ caller }) => ({ status: 200, body: UNIVERSAL_BODIES[caller.kind](caller) }),
});
