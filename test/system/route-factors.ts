import { type AccountKind, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createPasskeyClient, PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import type { Records, Role } from '@platform/shared/testing/records';
import { readChallenge } from '@platform/shared/testing/second-factor-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';

export type Target = { id?: string; body?: object };
export type TargetContext = {
  records: Records;
  gatewayUrl: string;
  /** The caller's, only if the route allows the caller. */
  device: Device | undefined;
  /** That the request sends. */
  fingerprint: string;
};
export type CreateTarget = (context: TargetContext) => Promise<Target> | Target;

const UNKNOWN = { id: '00000000-0000-4000-8000-000000000000', code: '000000', passkey: {} };
const confirmation = { currentPassword: PASSWORD };

/** The clients that set up second factors of a signed-in user. */
const createFactors = (gatewayUrl: string, kind: AccountKind) => ({
  auth: createAuthClient(gatewayUrl, kind),
  passkeys: createPasskeyClient(gatewayUrl, kind),
  authenticator: createSoftwareAuthenticator(PASSKEY_ORIGIN),
});

/** Routes that need a signed-in user with the factor. */
const createOwnTargets = (kind: AccountKind): Record<string, CreateTarget> => {
  const addPasskey = async ({ gatewayUrl, device }: TargetContext): Promise<string> => {
    const { passkeys, authenticator } = createFactors(gatewayUrl, kind);
    return device ? await passkeys.addPasskey(device, authenticator) : UNKNOWN.id;
  };
  const beginTotp = async ({ gatewayUrl, device }: TargetContext): Promise<string> => {
    if (!device) return UNKNOWN.code;
    const { body } = await createFactors(gatewayUrl, kind).auth.setUpTotp(device, confirmation);
    return totpCode(body.secret);
  };
  const enableTotp = async ({ gatewayUrl, device }: TargetContext): Promise<string> => {
    if (!device) return UNKNOWN.code;
    const { recoveryCodes } = await createFactors(gatewayUrl, kind).auth.enableTotp(device);
    return recoveryCodes[0] ?? '';
  };
  const attest = async ({ gatewayUrl, device }: TargetContext): Promise<object> => {
    const { passkeys, authenticator } = createFactors(gatewayUrl, kind);
    return device ? authenticator.create((await passkeys.creationOptions(device)).body) : UNKNOWN.passkey;
  };
  const confirmByRecoveryCode: CreateTarget = async (context) => ({
    body: { ...confirmation, recoveryCode: await enableTotp(context) },
  });
  return {
    'POST second-factor/options': async (context) => ({ id: await addPasskey(context) }),
    'POST second-factor/totp': () => ({ body: confirmation }),
    'POST second-factor/totp/confirm': async (context) => ({ body: { code: await beginTotp(context) } }),
    'DELETE second-factor/totp': confirmByRecoveryCode,
    'POST second-factor/recovery-codes': confirmByRecoveryCode,
    'POST passkeys/options': () => ({ body: confirmation }),
    'POST passkeys': async (context) => ({ body: { response: await attest(context), name: 'My phone' } }),
    'PATCH passkeys/{passkeyId}': async (context) => ({
      id: await addPasskey(context),
      body: { name: 'My key' },
    }),
    'DELETE passkeys/{passkeyId}': async (context) => ({ id: await addPasskey(context), body: confirmation }),
  };
};

/** Routes without a token, for a user who is not the caller. */
const createSignInTargets = (kind: AccountKind, role: Role): Record<string, CreateTarget> => {
  const openUser = async ({ records, gatewayUrl }: TargetContext) => {
    const user = await records.user([role], { isEmailVerified: true });
    const factors = createFactors(gatewayUrl, kind);
    return { ...factors, user, device: await factors.auth.openDevice(user) };
  };
  return {
    'POST sign-in/second-factor': async (context) => {
      const { auth, user, device } = await openUser(context);
      const { recoveryCodes } = await auth.enableTotp(device);
      const challenge = readChallenge(await auth.signIn(user, context.fingerprint));
      return { body: { challenge, recoveryCode: recoveryCodes[0] } };
    },
    'POST sign-in/second-factor/options': async (context) => {
      const { auth, user, device, passkeys, authenticator } = await openUser(context);
      await passkeys.addPasskey(device, authenticator);
      return { body: { challenge: readChallenge(await auth.signIn(user, context.fingerprint)) } };
    },
    'POST sign-in/passkey': async (context) => {
      const { device, passkeys, authenticator } = await openUser(context);
      await passkeys.addPasskey(device, authenticator);
      const { body } = await passkeys.signInOptions(context.fingerprint);
      return { body: { response: authenticator.get(body) } };
    },
  };
};

/** By the name of the route without the kind: `POST passkeys`. */
export const createFactorTargets = (kind: AccountKind, role: Role): Record<string, CreateTarget> => ({
  ...createOwnTargets(kind),
  ...createSignInTargets(kind, role),
  'POST email/change': () => ({ body: { ...confirmation, newEmail: uniqueEmail() } }),
  'POST email/change/check': () => ({ body: { code: UNKNOWN.code } }),
  'POST account/delete': () => ({ body: confirmation }),
});
