import {
  type AccountKind,
  bearer,
  type Device,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import {
  createPasskeyClient,
  PASSKEY_ORIGIN,
  type PasskeyClient,
} from '@platform/shared/testing/passkey-client';
import type { AuditRow } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { createVerifiedAccount, type RunningAuthService } from './auth-service.ts';

type Service = Pick<RunningAuthService, 'url' | 'records' | 'client'>;

type OpenAccount = { account: TestAccount; device: Device };
type PasskeyOwner = OpenAccount & { authenticator: SoftwareAuthenticator; passkeyId: string };

type ListedPasskey = { id: string; name: string; createdAt: string; lastUsedAt: string | null };

/** The passkey operations of one kind that tests use. */
export const createPasskeyUsers = (service: () => Service, kind: AccountKind) => {
  const passkeys = (): PasskeyClient => createPasskeyClient(service().url, kind);
  const client = () => service().client(kind);

  const openAccount = async (): Promise<OpenAccount> => {
    const account = await createVerifiedAccount(service(), kind);
    return { account, device: await client().openDevice(account) };
  };
  const addOwner = async (
    authenticator = createSoftwareAuthenticator(PASSKEY_ORIGIN),
  ): Promise<PasskeyOwner> => {
    const { account, device } = await openAccount();
    const passkeyId = await passkeys().addPasskey(device, authenticator);
    return { account, device, authenticator, passkeyId };
  };
  const list = async (device: Device): Promise<ListedPasskey[]> => {
    const headers = bearer(device);
    const { status, body, text } = await send(service().url, 'GET', `${kind.path}/second-factor`, {
      headers,
    });
    expect(status, text).to.equal(200);
    return body.passkeys;
  };
  /** Signs in with the correct password. Returns the challenge of the second step. */
  const startSignIn = async (account: TestAccount, fingerprint = uniqueFingerprint()) => {
    const response = await client().signIn(account, fingerprint);
    expectError(response, 401, 'SECOND_FACTOR_REQUIRED');
    expect(response.body.factors).to.include('passkey');
    return { challenge: String(response.body.challenge), fingerprint };
  };

  return {
    kind,
    passkeys,
    client,
    openAccount,
    addOwner,
    list,
    startSignIn,
    /** Returns valid options of the second step. */
    startSecondStep: async (account: TestAccount, fingerprint?: string) => {
      const started = await startSignIn(account, fingerprint);
      const { status, body, text } = await passkeys().secondStepOptions(
        started.challenge,
        started.fingerprint,
      );
      expect(status, text).to.equal(200);
      return { ...started, options: body };
    },
    /** The audit records of the user with these actions, oldest first. */
    auditOf: async (userId: string, ...actions: string[]): Promise<AuditRow[]> =>
      (await service().records.auditOf(userId)).filter(({ action }) => actions.includes(action)),
    methodsOf: async (device: Device): Promise<string[]> => {
      const { body } = await send(service().url, 'GET', `${kind.path}/sessions`, { headers: bearer(device) });
      return body.data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).methods;
    },
  };
};

/** Assertions that a sign-in without a password rejects, by their defect. */
export const FORGED_ASSERTIONS: [string, Parameters<SoftwareAuthenticator['get']>[1]][] = [
  ['of another origin', { origin: 'https://example.com' }],
  ['of another RP id', { rpId: 'example.com' }],
  ['in a frame of another origin', { crossOrigin: true }],
  ['without a present user', { userPresent: false }],
  ['without a verified user', { userVerified: false }],
  ['with the type of a registration', { type: 'webauthn.create' }],
  ['for a challenge that was never issued', { challenge: 'A'.repeat(43) }],
  ['without a user handle', { userHandle: null }],
  ['with the user handle of another user', { userHandle: 'AAAAAAAAQACAAAAAAAAAAA' }],
  ['with a tampered signature', { tamperSignature: true }],
];
