import type { handledOperations as AuthOperations } from '@platform/openapi/types/auth';
import { expect } from 'chai';
import { PASSWORD, uniqueFingerprint } from './builders.ts';
import type { ContractClient } from './contract-client.ts';
import type { Device, TestAccount } from './device.ts';
import type { HttpResponse } from './http-client.ts';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from './software-authenticator.ts';
import { totpCode } from './totp.ts';

type Access = Pick<Device, 'accessToken'>;
type Credentials = Pick<TestAccount, 'email' | 'password'>;
type OpenAccount = { account: TestAccount; device: Device };
export type EnabledTotp = { secret: string; usedCode: string; recoveryCodes: string[] };
/** A sign-in whose second step is missing. */
export type StartedSignIn = { challenge: string; fingerprint: string };
type NewPasskey = { authenticator?: SoftwareAuthenticator; name?: string; currentPassword?: string };
type AddedPasskey = { passkeyId: string; authenticator: SoftwareAuthenticator };
type ListedPasskey = { id: string; name: string; createdAt: string; lastUsedAt: string | null };

const bodyOf = ({ status, body, text }: HttpResponse, expectedStatus = 200) => {
  expect(status, text).to.equal(expectedStatus);
  return body;
};

/** Reads the challenge of a sign-in that needs a second factor. */
export const readChallenge = ({ status, body, text }: HttpResponse): string => {
  expect({ status, code: body.code }, text).to.deep.equal({ status: 401, code: 'SECOND_FACTOR_REQUIRED' });
  return body.challenge;
};

/** Several requests with second factors, each of which must succeed. */
export const createFactorFlows = (
  operations: ContractClient<AuthOperations>,
  openVerifiedAccount: () => Promise<OpenAccount>,
) => {
  const enableTotp = async (device: Access, currentPassword = PASSWORD): Promise<EnabledTotp> => {
    const { secret } = bodyOf(await operations.totpSetUp({ ...device, body: { currentPassword } }), 201);
    const usedCode = totpCode(secret);
    const { recoveryCodes } = bodyOf(await operations.totpConfirm({ ...device, body: { code: usedCode } }));
    return { secret, usedCode, recoveryCodes };
  };
  const addPasskey = async (device: Access, passkey: NewPasskey = {}): Promise<AddedPasskey> => {
    const { authenticator = createSoftwareAuthenticator(), name = 'My phone' } = passkey;
    const { currentPassword = PASSWORD } = passkey;
    const options = bodyOf(await operations.passkeyOptions({ ...device, body: { currentPassword } }));
    const body = { response: authenticator.create(options), name };
    return { passkeyId: bodyOf(await operations.passkeyCreate({ ...device, body }), 201).id, authenticator };
  };
  const enableSecondStep = async (device: Access, currentPassword = PASSWORD): Promise<string[]> => {
    const body = { isRequired: true, currentPassword };
    return bodyOf(await operations.secondFactorChange({ ...device, body })).recoveryCodes;
  };
  const openAccountWithPasskey = async (passkey?: NewPasskey): Promise<OpenAccount & AddedPasskey> => {
    const opened = await openVerifiedAccount();
    return { ...opened, ...(await addPasskey(opened.device, passkey)) };
  };
  const startSignIn = async (
    { email, password }: Credentials,
    fingerprint = uniqueFingerprint(),
    headers: Record<string, string | undefined> = {},
  ): Promise<StartedSignIn> => {
    const response = await operations.signIn({ fingerprint, body: { email, password }, headers });
    return { challenge: readChallenge(response), fingerprint };
  };

  return {
    /**
     * Each code is accepted once. This uses the code of the current time step, so the next proof needs
     * `totpCode(secret, 1)`.
     */
    enableTotp,
    openAccountWithTotp: async (): Promise<OpenAccount & EnabledTotp> => {
      const opened = await openVerifiedAccount();
      return { ...opened, ...(await enableTotp(opened.device)) };
    },
    /** Adds a passkey, by default on a new authenticator. */
    addPasskey,
    /** Without a second step, which a passkey alone does not make due. */
    openAccountWithPasskey,
    /** Makes the second step due for an account with a passkey. Returns the recovery codes. */
    enableSecondStep,
    openAccountWithPasskeyStep: async (passkey?: NewPasskey) => {
      const opened = await openAccountWithPasskey(passkey);
      return { ...opened, recoveryCodes: await enableSecondStep(opened.device) };
    },
    listPasskeys: async (device: Access): Promise<ListedPasskey[]> =>
      bodyOf(await operations.secondFactor(device)).passkeys,
    /** Creates an assertion that confirms an operation of the signed-in user. */
    createAssertion: async (device: Access, authenticator: SoftwareAuthenticator) =>
      authenticator.get(bodyOf(await operations.secondFactorOptions(device))),
    /** Sends the correct password of an account whose second step is due. */
    startSignIn,
    /** As `startSignIn`, with the options for a passkey. */
    startPasskeyStep: async (account: Credentials, fingerprint?: string) => {
      const started = await startSignIn(account, fingerprint);
      const { challenge } = started;
      const call = { fingerprint: started.fingerprint, body: { challenge } };
      return { ...started, options: bodyOf(await operations.signInSecondFactorOptions(call)) };
    },
    /** Signs in without a password. Returns the response, which may be an error. */
    signInWithPasskey: async (authenticator: SoftwareAuthenticator, fingerprint = uniqueFingerprint()) => {
      const options = bodyOf(await operations.signInPasskeyOptions({ fingerprint }));
      return await operations.signInPasskey({ fingerprint, body: { response: authenticator.get(options) } });
    },
    /** How the session of the device was signed in. */
    readMethods: async (device: Access): Promise<string[]> => {
      const { data } = bodyOf(await operations.listSessions(device));
      return data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).methods;
    },
  };
};
