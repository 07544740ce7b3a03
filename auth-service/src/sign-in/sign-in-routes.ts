import { toUserBody } from '../accounts/account-mapper.ts';
import type { AuthOperations } from '../authentication/operations.ts';
import type { Kind } from '../kinds.ts';
import { requireProof } from '../second-factor/confirmation.ts';
import type { RefreshCookie } from '../sessions/refresh-token.ts';
import { type SignInDevice, toUserAgent } from '../sessions/session.ts';
import type { PasskeySignInService } from './passkey-sign-in-service.ts';
import type { ProviderSignInService } from './provider-sign-in-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import type { SignedIn } from './sign-in.ts';
import type { SignInService } from './sign-in-service.ts';

type SignInRequest = {
  headers: { 'X-Fingerprint': string };
  userAgent: string | undefined;
  context: SignInDevice['context'];
};

const toSignInDevice = ({ headers, userAgent, context }: SignInRequest): SignInDevice => ({
  fingerprint: headers['X-Fingerprint'],
  userAgent: toUserAgent(userAgent),
  context,
});

/** The response of every sign-in. */
const toSignInResponse = (
  kind: Kind,
  { accessToken, refreshToken, session, account }: SignedIn,
  refreshCookie: RefreshCookie,
) => ({
  status: 200 as const,
  caller: { userId: account.userId, sessionId: session.id },
  cookies: [refreshCookie(kind, refreshToken)],
  body: { token: accessToken, session, user: toUserBody(kind, account) },
});

type SignInServices = {
  passwordSignIn: SignInService;
  secondStep: SecondStepService;
  passkeySignIn: PasskeySignInService;
  providerSignIn: ProviderSignInService;
  refreshCookie: RefreshCookie;
};

export const signInRoutes = ({
  passwordSignIn,
  secondStep,
  passkeySignIn,
  providerSignIn,
  refreshCookie,
}: SignInServices) =>
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

    oidcSignIn: async ({ kind, path, body, language, ...request }) => {
      const provided = { ...path, ...body, language };
      const signedIn = await providerSignIn.completeSignIn(kind, provided, toSignInDevice(request));
      return toSignInResponse(kind, signedIn, refreshCookie);
    },
  }) satisfies Partial<AuthOperations>;
