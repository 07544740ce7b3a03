import { CONFIRMATION, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import type { RunningAuthService } from './auth-service.ts';
import { newPerson, redirectTo, type useProvider, visit } from './provider.ts';

type Client = ReturnType<RunningAuthService['as']>;
type Provider = ReturnType<ReturnType<typeof useProvider>>;

/** `app`: the second step is due by an app. `step`: by the switch. `none`: it is not due. */
type SecondStep = 'app' | 'step' | 'none';

/** An account with two passkeys. */
export type Subject = {
  account: TestAccount;
  device: Device;
  authenticator: SoftwareAuthenticator;
  otherPasskeyId: string;
  recoveryCodes: string[];
};
type Completion = (device: Device, currentPassword: string) => Promise<HttpResponse>;
/** `error` is the response once it has ended. Only an account without an app can prepare one. */
export type Preparation = {
  needsNoApp?: true;
  needsSecondStep?: true;
  prepare: (subject: Subject) => Promise<Completion>;
  error: string;
};

export const expectOk = ({ status, body, text }: HttpResponse) => {
  expect(status, text).to.be.within(200, 204);
  return body;
};

export const createSubject = async (client: Client, secondStep: SecondStep): Promise<Subject> => {
  const { account, device } = await client.openVerifiedAccount();
  const { authenticator } = await client.addPasskey(device);
  const { passkeyId: otherPasskeyId } = await client.addPasskey(device);
  const recoveryCodes = {
    app: async () => (await client.enableTotp(device)).recoveryCodes,
    step: () => client.enableSecondStep(device),
    none: async () => [],
  };
  return { account, device, authenticator, otherPasskeyId, recoveryCodes: await recoveryCodes[secondStep]() };
};

/** Everything that one request prepares for another. */
export const listPreparations = (
  client: () => Client,
  provider: () => Provider,
): Record<string, Preparation> => ({
  'a second step': {
    needsSecondStep: true,
    prepare: async ({ account, authenticator }) => {
      const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
      const passkey = authenticator.get(options);
      return () => client().signInSecondFactor({ fingerprint, body: { challenge, passkey } });
    },
    error: 'CHALLENGE_INVALID',
  },
  'options of a new passkey': {
    prepare: async ({ device }) => {
      const options = expectOk(await client().passkeyOptions({ ...device, body: CONFIRMATION }));
      const response = createSoftwareAuthenticator().create(options);
      return (holder) => client().passkeyCreate({ ...holder, body: { response, name: 'My phone' } });
    },
    error: 'SECOND_FACTOR_INVALID',
  },
  'options of a confirmation': {
    needsSecondStep: true,
    prepare: async ({ device, authenticator }) => {
      const passkey = await client().createAssertion(device, authenticator);
      return (holder, currentPassword) =>
        client().recoveryCodesReplace({ ...holder, body: { currentPassword, passkey } });
    },
    error: 'SECOND_FACTOR_INVALID',
  },
  'an app': {
    needsNoApp: true,
    prepare: async ({ device }) => {
      const { secret } = expectOk(await client().totpSetUp({ ...device, body: CONFIRMATION }));
      return (holder) => client().totpConfirm({ ...holder, body: { code: totpCode(secret) } });
    },
    error: 'SECOND_FACTOR_INVALID',
  },
  'a link': {
    prepare: async ({ device }) => {
      provider().misbehave({ claims: newPerson() });
      const body = { ...redirectTo('company'), ...CONFIRMATION };
      const authorization = await client().identityAuthorize({ ...device, provider: 'company', body });
      const callbackUrl = await visit(authorization);
      return (holder) => client().identityLink({ ...holder, identity: 'company', body: { callbackUrl } });
    },
    error: 'OIDC_STATE_INVALID',
  },
  'a change of address': {
    prepare: async ({ device }) => {
      const code = await client().requestEmailChangeCode(device, uniqueEmail());
      return (holder) => client().emailChangeCheck({ ...holder, body: { code } });
    },
    error: 'CODE_INVALID',
  },
});
