import { expect } from 'chai';
import { type AccountKind, bearer, type Device } from './auth-client.ts';
import { PASSWORD, uniqueFingerprint } from './builders.ts';
import type { HttpClient, HttpResponse } from './http-client.ts';
import { send } from './responses.ts';
import type { SoftwareAuthenticator } from './software-authenticator.ts';

/** An origin that development allows. */
export const PASSKEY_ORIGIN = 'http://localhost:5173';

type Access = Pick<Device, 'accessToken'>;
type SendRequest = HttpClient['send'];

const bodyOf = ({ status, body, text }: HttpResponse, expectedStatus = 200) => {
  expect(status, text).to.equal(expectedStatus);
  return body;
};

/** The passkey operations of one kind. Methods that return no response expect success. */
export const createPasskeyClient = (
  baseUrl: string,
  { path }: AccountKind,
  sendRequest: SendRequest = ({ method = 'GET', path, ...options }) => send(baseUrl, method, path, options),
) => {
  const authorized = (method: string, route: string, device: Access, body?: object) =>
    sendRequest({ method, path: path + route, headers: bearer(device), body });
  const anonymous = (route: string, fingerprint: string | undefined, body?: object) =>
    sendRequest({ method: 'POST', path: path + route, headers: { 'X-Fingerprint': fingerprint }, body });

  const creationOptions = (device: Access, currentPassword = PASSWORD) =>
    authorized('POST', '/passkeys/options', device, { currentPassword });
  const create = (device: Access, response: object, name = 'My phone') =>
    authorized('POST', '/passkeys', device, { response, name });
  const factorOptions = (device: Access) => authorized('POST', '/second-factor/options', device);
  const secondStepOptions = (challenge: string, fingerprint: string) =>
    anonymous('/sign-in/second-factor/options', fingerprint, { challenge });
  const signInOptions = (fingerprint: string | undefined) =>
    anonymous('/sign-in/passkey/options', fingerprint);
  const signIn = (response: object, fingerprint: string | undefined) =>
    anonymous('/sign-in/passkey', fingerprint, { response });

  return {
    creationOptions,
    create,
    rename: (device: Access, id: string, name: string) =>
      authorized('PATCH', `/passkeys/${id}`, device, { name }),
    remove: (device: Access, id: string, currentPassword = PASSWORD) =>
      authorized('DELETE', `/passkeys/${id}`, device, { currentPassword }),
    factorOptions,
    secondStepOptions,
    completeSignIn: (challenge: string, passkey: object, fingerprint: string) =>
      anonymous('/sign-in/second-factor', fingerprint, { challenge, passkey }),
    signInOptions,
    signIn,

    /** Adds a passkey of the authenticator. Returns its id. */
    addPasskey: async (
      device: Access,
      authenticator: SoftwareAuthenticator,
      name?: string,
      currentPassword?: string,
    ): Promise<string> => {
      const attestation = authenticator.create(bodyOf(await creationOptions(device, currentPassword)));
      return bodyOf(await create(device, attestation, name), 201).id;
    },
    /** Creates an assertion that confirms an operation of the signed-in user. */
    confirmation: async (device: Access, authenticator: SoftwareAuthenticator) =>
      authenticator.get(bodyOf(await factorOptions(device))),
    /** Signs in without a password. Returns the response. */
    signInWith: async (authenticator: SoftwareAuthenticator, fingerprint = uniqueFingerprint()) =>
      await signIn(authenticator.get(bodyOf(await signInOptions(fingerprint))), fingerprint),
  };
};

export type PasskeyClient = ReturnType<typeof createPasskeyClient>;
