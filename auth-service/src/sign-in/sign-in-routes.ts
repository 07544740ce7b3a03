import { toUserBody } from '../accounts/account-mapper.ts';
import type { AuthOperations } from '../authentication/operations.ts';
import type { Kind } from '../kinds.ts';
import { requireStepProof } from '../second-factor/confirmation.ts';
import { toRefreshCookie } from '../sessions/refresh-token.ts';
import { type SignInDevice, toRequestingDevice } from '../sessions/session.ts';
import type { EmailCodeSignInService } from './email-code-sign-in-service.ts';
import type { PasskeySignInService } from './passkey-sign-in-service.ts';
import type { ProviderSignInService } from './provider-sign-in-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import type { SignedIn } from './sign-in.ts';
import type { ListSignInMethods } from './sign-in-methods.ts';
import type { SignInService } from './sign-in-service.ts';

type SignInRequest = {
  headers: { 'X-Fingerprint': string };
  userAgent: string | undefined;
  context: SignInDevice['context'];
};

/** @param staySignedIn the choice in the body of a first step */
const toSignInDevice = (request: SignInRequest, staySignedIn = false): SignInDevice => ({
  ...toRequestingDevice(request),
  fingerprint: request.headers['X-Fingerprint'],
  staySignedIn,
});

/** The response of every sign-in. */
const toSignInResponse = <K extends Kind>(
  kind: K,
  { accessToken, session, account, removedByProof, ...refresh }: SignedIn,
) => ({
  status: 200 as const,
  caller: { userId: account.userId, sessionId: session.id },
  cookies: [toRefreshCookie(kind, refresh)],
  body: {
    token: accessToken,
    session,
    user: toUserBody(kind, account),
    ...(removedByProof && { removedByProof }),
  },
});

type SignInServices = {
  listMethods: ListSignInMethods;
  passwordSignIn: SignInService;
  emailCodeSignIn: EmailCodeSignInService;
  secondStep: SecondStepService;
  passkeySignIn: PasskeySignInService;
  providerSignIn: ProviderSignInService;
};

export const signInRoutes = ({
  listMethods,
  passwordSignIn,
  emailCodeSignIn,
  secondStep,
  passkeySignIn,
  providerSignIn,
}: SignInServices) =>
  ({
    signInMethods: ({ kind }) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=60' },
      body: listMethods(kind),
    }),

    signIn: async ({ kind, body, ...request }) => {
      const signedIn = await passwordSignIn.signIn(kind, body, toSignInDevice(request, body.staySignedIn));
      return toSignInResponse(kind, signedIn);
    },

    signInEmailCodeSend: async ({ kind, body, ...request }) => ({
      status: 200,
      body: await emailCodeSignIn.sendCode(kind, body.email, toRequestingDevice(request)),
    }),

    signInEmailCode: async ({ kind, body, ...request }) => {
      const device = toSignInDevice(request, body.staySignedIn);
      return toSignInResponse(kind, await emailCodeSignIn.signIn(kind, body, device));
    },

    signInSecondFactorOptions: async ({ kind, body, headers }) => ({
      status: 200,
      body: await secondStep.createPasskeyOptions(kind, body.challenge, headers['X-Fingerprint']),
    }),

    signInSecondFactorEmailCode: async ({ kind, body, ...request }) => ({
      status: 200,
      body: await secondStep.sendEmailCode(kind, body.challenge, toSignInDevice(request)),
    }),

    signInSecondFactor: async ({ kind, body, ...request }) => {
      const step = { challenge: body.challenge, proof: requireStepProof(body) };
      const signedIn = await secondStep.completeSignIn(kind, step, toSignInDevice(request));
      return toSignInResponse(kind, signedIn);
    },

    signInPasskeyOptions: async ({ kind, headers }) => ({
      status: 200,
      body: await passkeySignIn.createOptions(kind, headers['X-Fingerprint']),
    }),

    signInPasskey: async ({ kind, body, ...request }) => {
      const device = toSignInDevice(request, body.staySignedIn);
      const signedIn = await passkeySignIn.signIn(kind, body.response, device);
      return toSignInResponse(kind, signedIn);
    },

    oidcSignIn: async ({ kind, path, body, language, timeZone, ...request }) => {
      const provided = { ...path, ...body, preferences: { language, timeZone } };
      const signedIn = await providerSignIn.completeSignIn(kind, provided, toSignInDevice(request));
      return toSignInResponse(kind, signedIn);
    },
  }) satisfies Partial<AuthOperations>;
