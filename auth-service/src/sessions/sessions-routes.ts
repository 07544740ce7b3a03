import { toProfileBody, toUserBody } from '../accounts/account-mapper.ts';
import { requireProof } from '../accounts/confirmation.ts';
import type { Kind } from '../kinds.ts';
import type { AuthOperations, KindOperations, KindRequest } from '../operations.ts';
import type { SecondStepService } from './second-step-service.ts';
import {
  type AuthCaller,
  clearRefreshCookie,
  type RefreshCookie,
  requireSameSession,
  type SessionIdentifiers,
  type SignedIn,
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

const toUniversalBodyOf = <K extends Kind>(kind: K, caller: AuthCaller) => {
  const body = toMeBody(kind, caller);
  return { kind, ...body, roles: body.user.roles };
};
/** One by one, so that the compiler relates each kind to its body. */
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
  signIn: SignInService;
  secondStep: SecondStepService;
  passkeySignIn: PasskeySignInService;
  refreshCookie: RefreshCookie;
};

/** The bodies differ by kind, so compose.ts compares them with the document. */
export const signInRoutes = <K extends Kind>(kind: K, services: SignInServices) => {
  const { signIn, secondStep, passkeySignIn, refreshCookie } = services;

  const toResponse = (signedIn: SignedIn) => toSignInResponse(kind, signedIn, refreshCookie);

  return {
    signIn: async (request: KindRequest<'signIn'>) =>
      toResponse(await signIn.signIn(kind, request.body, toSignInDevice(request))),

    signInSecondFactorOptions: async ({ body, headers }: KindRequest<'signInSecondFactorOptions'>) => ({
      status: 200 as const,
      body: await secondStep.createPasskeyOptions(kind, body.challenge, headers['X-Fingerprint']),
    }),

    signInSecondFactor: async (request: KindRequest<'signInSecondFactor'>) => {
      const step = { challenge: request.body.challenge, proof: requireProof(request.body) };
      return toResponse(await secondStep.completeSignIn(kind, step, toSignInDevice(request)));
    },

    signInPasskeyOptions: async ({ headers }: KindRequest<'signInPasskeyOptions'>) => ({
      status: 200 as const,
      body: await passkeySignIn.createOptions(kind, headers['X-Fingerprint']),
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
    requireSameSession(caller.session, toSessionIdentifiers(headers));
    return { status: 200 as const, body: toMeBody(kind, caller) };
  },

  readSession: async ({ caller }: KindRequest<'readSession'>) => {
    const { account, session } = await caller.getCaller();
    return { status: 200 as const, body: { user: toUserBody(kind, account), session } };
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

export const sessionListRoutes = (sessions: SessionService) =>
  ({
    listSessions: async ({ caller }) => {
      const list = await sessions.listSessions(caller);
      const data = list.map((session) => ({ ...session, isCurrent: session.id === caller.session.id }));
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
  }) satisfies Partial<KindOperations>;

export const universalMeRoute = (): Pick<AuthOperations, 'universalMe'> => ({
  universalMe: async ({ caller }) => ({ status: 200, body: toUniversalBody(caller) }),
});
