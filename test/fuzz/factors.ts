import { createAuthClient } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import type { Identity } from './fixture.ts';

/** The values of the placeholders of a request. An object replaces the whole string. */
export type Values = Record<string, unknown>;

const createPreparations = (gatewayUrl: string, { kind, email, device }: Identity) => {
  const client = createAuthClient(gatewayUrl, kind);
  const authenticator = createSoftwareAuthenticator();
  const challenge = async () =>
    readChallenge(
      await client.signIn({ fingerprint: device.fingerprint, body: { email, password: PASSWORD } }),
    );
  const recoveryCode = async () => (await client.enableTotp(device)).recoveryCodes[0];
  const passkeyId = async () => (await client.addPasskey(device, { authenticator })).passkeyId;

  const preparations: Record<string, () => Promise<Values>> = {
    TotpConfirm: async () => {
      const { body } = await client.totpSetUp({ ...device, body: { currentPassword: PASSWORD } });
      return { code: totpCode(body.secret) };
    },
    TotpRemove: async () => ({ recoveryCode: await recoveryCode() }),
    RecoveryCodesReplace: async () => ({ recoveryCode: await recoveryCode() }),
    SecondFactorOptions: async () => ({ passkeyId: await passkeyId() }),
    SecondFactorChange: async () => ({ passkeyId: await passkeyId() }),
    PasskeyCreate: async () => {
      const { body } = await client.passkeyOptions({ ...device, body: CONFIRMATION });
      return { response: authenticator.create(body) };
    },
    PasskeyRename: async () => ({ passkeyId: await passkeyId() }),
    PasskeyDelete: async () => ({ passkeyId: await passkeyId() }),
    SignInSecondFactor: async () => ({ recoveryCode: await recoveryCode(), challenge: await challenge() }),
    SignInSecondFactorOptions: async () => {
      await passkeyId();
      await client.enableSecondStep(device);
      return { challenge: await challenge() };
    },
    SignInPasskey: async () => {
      await passkeyId();
      const { body } = await client.signInPasskeyOptions({ fingerprint: device.fingerprint });
      return { response: authenticator.get(body) };
    },
  };
  return preparations;
};

/** Operations that need or change a second factor of the caller, so that each request needs a new user. */
export const NEEDS_FACTOR =
  /(?:TotpConfirm|TotpRemove|RecoveryCodesReplace|SecondFactorOptions|SecondFactorChange|PasskeyCreate|PasskeyRename|PasskeyDelete|SignInSecondFactor|SignInPasskey)$/;

/** Operations that need a factor, because a password alone does not confirm them. */
export const NEEDS_PROOF = /(?:TotpRemove|RecoveryCodesReplace|SignInSecondFactor)$/;

/** Sets up the second factors that a request needs. Returns the values of its placeholders. */
export const prepareFactors = async (gatewayUrl: string, id: string, identity: Identity): Promise<Values> =>
  (await createPreparations(gatewayUrl, identity)[id.replace(identity.kind.kind, '')]?.()) ?? {};
