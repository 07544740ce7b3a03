import { toProfileBody, toUserBody } from '../accounts/account-mapper.ts';
import { requireProof } from '../accounts/confirmation.ts';
import type { Kind } from '../kinds.ts';
import type { AuthOperations } from '../operations.ts';
import type { SecondStepService } from './second-step-service.ts';
import {
  type AuthCaller,
  clearRefreshCookie,
  type RefreshCookie,
  requireSameSession,
  type SessionIdentifiers,
  type SignInDevice,
} from './session.ts';
import { toSignInResponse } from './session-mapper.ts';
import type { SessionService } from './sessions-service.ts';
import type { PasskeySignInService, SignInService } from './sign-in-service.ts';

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
const toSignInDevice = ({ headers, context }: { headers: Headers } & Pick<SignInDevice, 'context'>) => ({
  fingerprint: headers['X-Fingerprint'],
  context,
});

type SignInServices = {
  passwordSignIn: SignInService;
  secondStep: SecondStepService;
  passkeySignIn: PasskeySignInService;
  refreshCookie: RefreshCookie;
};

export const signInRoutes = ({ passwordSignIn, secondStep, passkeySignIn, refreshCookie }: SignInServices) =>
  ({
    signIn: async ({ kind, body, ...request }) => {
      const signedIn = await passwordSignIn.signIn(kind, body, toSignInDevice(request));
      return toSignInResponse(kind, signedIn, refreshCookie);
    },

    signInSecondFactorOptions: async ({ kind, body, headers }) => ({
      status: 200,
      body: await secondStep.createPasskeyOptions(kind, body.challenge, headers['X-Fingerprint']),
    }),

    signInSecondFactor: async ({ kind, body, ...request }) => {
      const step = { challenge: body.challenge, proof: requireProof(body) };
      const signedIn = await secondStep.completeSignIn(kind, step, toSignInDevice(request));
      return toSignInResponse(kind, signedIn, refreshCookie);
    },

    signInPasskeyOptions: async ({ kind, headers }) => ({
      status: 200,
      body: await passkeySignIn.createOptions(kind, headers['X-Fingerprint']),
    }),

    signInPasskey: async ({ kind, body, ...request }) => {
      const signedIn = await passkeySignIn.signIn(kind, body.response, toSignInDevice(request));
      return toSignInResponse(kind, signedIn, refreshCookie);
    },
  }) satisfies Partial<AuthOperations>;

export const sessionRoutes = (sessions: SessionService, refreshCookie: RefreshCookie) =>
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
      const { accessToken, refreshToken, userId, sessionId } = await sessions.refresh(
        caller,
        toSessionIdentifiers(headers),
      );
      return {
        status: 200,
        caller: { userId, sessionId },
        cookies: [refreshCookie(kind, refreshToken)],
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
