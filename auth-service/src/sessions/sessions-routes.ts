import type { components } from '@platform/openapi/types/auth';
import { toProfileBody, toUserBody } from '../accounts/account-mapper.ts';
import { forEachKind, type Kind } from '../kinds.ts';
import type { AuthOperations, KindOperations, KindRequest } from '../operations.ts';
import type { AssertionService } from '../passkeys/assertions-service.ts';
import { requireProof } from '../second-factor/second-factor.ts';
import type { PasskeySignInService } from './passkey-sign-in-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import {
  type AuthCaller,
  requireSameSession,
  type Session,
  type SessionIdentifiers,
  type SignedIn,
  type SignInDevice,
} from './session.ts';
import { clearRefreshCookie, type RefreshCookie } from './session-tokens.ts';
import type { SessionService } from './sessions-service.ts';
import type { SignInService } from './sign-in-service.ts';

const toSessionBody = (session: Session): components['schemas']['Session'] => ({
  ...session,
  createdAt: session.createdAt.toISOString(),
  updatedAt: session.updatedAt.toISOString(),
});

type Headers = { 'X-Fingerprint': string; 'X-Session-Id'?: string };
const toSessionIdentifiers = (headers: Headers): SessionIdentifiers => ({
  fingerprint: headers['X-Fingerprint'],
  sessionId: headers['X-Session-Id'],
});
const toSignInDevice = ({ headers, context }: { headers: Headers } & Pick<SignInDevice, 'context'>) => ({
  fingerprint: headers['X-Fingerprint'],
  context,
});

type SignInServices = {
  signIn: SignInService;
  secondStep: SecondStepService;
  passkeySignIn: PasskeySignInService;
  assertions: AssertionService;
  refreshCookie: RefreshCookie;
};

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const signInRoutes = <K extends Kind>(kind: K, services: SignInServices) => {
  const { signIn, secondStep, passkeySignIn, assertions, refreshCookie } = services;

  const toResponse = ({ accessToken, refreshToken, session, account }: SignedIn) => ({
    status: 200 as const,
    caller: { userId: account.userId, sessionId: session.id },
    cookies: [refreshCookie(kind, refreshToken)],
    body: { token: accessToken, session: toSessionBody(session), user: toUserBody(kind, account) },
  });

  return {
    signIn: async (request: KindRequest<'signIn'>) =>
      toResponse(await signIn.signIn(kind, request.body, toSignInDevice(request))),

    signInSecondFactorOptions: async ({ body, headers }: KindRequest<'signInSecondFactorOptions'>) => {
      const found = await secondStep.findChallenge(kind, body.challenge, headers['X-Fingerprint']);
      const ceremony = { purpose: 'second-step', owner: found.owner } as const;
      return { status: 200 as const, body: await assertions.createFactorOptions(found.userId, ceremony) };
    },

    signInSecondFactor: async (request: KindRequest<'signInSecondFactor'>) => {
      const step = { challenge: request.body.challenge, proof: requireProof(request.body) };
      return toResponse(await secondStep.completeSignIn(kind, step, toSignInDevice(request)));
    },

    signInPasskeyOptions: async ({ headers }: KindRequest<'signInPasskeyOptions'>) => ({
      status: 200 as const,
      body: await assertions.createSignInOptions(kind, headers['X-Fingerprint']),
    }),

    signInPasskey: async (request: KindRequest<'signInPasskey'>) =>
      toResponse(await passkeySignIn.signIn(kind, request.body.response, toSignInDevice(request))),
  };
};

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const sessionRoutes = <K extends Kind>(
  kind: K,
  sessions: SessionService,
  refreshCookie: RefreshCookie,
) => ({
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

type SessionListOperation = 'listSessions' | 'endSession' | 'endOtherSessions';

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

const toUniversalBodyOf = forEachKind((kind) => (caller: AuthCaller) => toUniversalBody(kind, caller));

export const universalMeRoute = (): Pick<AuthOperations, 'universalMe'> => ({
  universalMe: async ({ caller }) => ({ status: 200, body: toUniversalBodyOf[caller.kind](caller) }),
});
