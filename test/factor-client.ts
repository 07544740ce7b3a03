import {
  type AccountKind,
  accessHeaders,
  createAuthClient,
  type Device,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { createPasskeyClient, PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { type EnabledTotp, readChallenge } from '@platform/shared/testing/second-factor-client';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';

type AddedPasskey = { id: string; name: string; authenticator: SoftwareAuthenticator };
type Account = { email: string; password: string };

/**
 * Returns the code of the next time step. It is accepted after a confirmation, which uses the code of the
 * current step.
 */
export const nextTotpCode = ({ secret }: Pick<EnabledTotp, 'secret'>): string => totpCode(secret, 1);

const bodyOf = (response: HttpResponse, status = 200): HttpResponse['body'] => {
  if (response.status === status) return response.body;
  throw new Error(`${status} was expected, not ${formatStatus(response)}: ${response.text}`);
};

/** Sign-ins and account changes with second factors. Methods that return no response expect success. */
export const createFactorClient = (kind: AccountKind, send: HttpClient['send']) => {
  const auth = createAuthClient('', kind, send);
  const passkeys = createPasskeyClient('', kind, send);
  const getCreationOptions = async (device: Device) => bodyOf(await passkeys.creationOptions(device));

  return {
    kind,
    auth,
    /** Sends a request with the headers of a signed-in device. */
    as: (device: Device, method: string, route: string, body?: object): Promise<HttpResponse> =>
      send({ method, path: kind.path + route, headers: accessHeaders(device), body }),
    /** Sends a request of a sign-in. */
    from: (fingerprint: string, route: string, body?: object): Promise<HttpResponse> =>
      send({
        method: 'POST',
        path: `${kind.path}/sign-in${route}`,
        headers: { 'X-Fingerprint': fingerprint },
        body,
      }),
    setUpTotp: async (device: Device): Promise<string> =>
      String(bodyOf(await auth.setUpTotp(device, { currentPassword: PASSWORD }), 201).secret),
    confirmTotp: (device: Device, code: string) => auth.confirmTotp(device, { code }),
    /** Confirms with the code of the current time step. */
    enableTotp: auth.enableTotp,
    readState: async (device: Device) => bodyOf(await auth.secondFactor(device)),
    getCreationOptions,
    /** Adds a passkey on a new authenticator. */
    addPasskey: async (
      device: Device,
      { name = 'Laptop', hasCounter = true, password = PASSWORD } = {},
    ): Promise<AddedPasskey> => {
      const authenticator = createSoftwareAuthenticator(PASSKEY_ORIGIN, { hasCounter });
      return { id: await passkeys.addPasskey(device, authenticator, name, password), name, authenticator };
    },

    /** Signs in with the password of an account that has a factor. Returns the challenge. */
    openChallenge: async ({ email, password }: Account, fingerprint: string): Promise<string> =>
      readChallenge(await auth.signIn({ email, password }, fingerprint)),
    secondStep: (challenge: string, fingerprint: string, proof: object) =>
      auth.signInSecondFactor({ challenge, ...proof }, fingerprint),
    getSecondStepOptions: async (challenge: string, fingerprint: string) =>
      bodyOf(await passkeys.secondStepOptions(challenge, fingerprint)),
    getPasskeyOptions: async (fingerprint = uniqueFingerprint()) =>
      bodyOf(await passkeys.signInOptions(fingerprint)),
    signInWithPasskey: (fingerprint: string, response: object) => passkeys.signIn(response, fingerprint),
  };
};

export type FactorClient = ReturnType<typeof createFactorClient>;
