import { ALL_KINDS, type AuthClient, CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid } from '../../testing/second-factor.ts';

const readChallenge = ({ status, body, text }: HttpResponse): string => {
  expect(status, text).to.equal(200);
  return body.challenge;
};

describe('challenge for a passkey', () => {
  const service = useAuthService();

  const client = () => service().as('customer');
  type Owner = Awaited<ReturnType<AuthClient['openAccountWithPasskeyStep']>>;
  type Purpose = {
    open: (owner: Owner) => Promise<string>;
    /** Submits options that are valid except for the challenge. */
    submit: (owner: Owner, challenge: string) => Promise<HttpResponse>;
  };

  const PURPOSES: Record<string, Purpose> = {
    registration: {
      open: async ({ device }) =>
        readChallenge(await client().passkeyOptions({ ...device, body: CONFIRMATION })),
      submit: async ({ device }, challenge) => {
        const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
        const attestation = createSoftwareAuthenticator().create(body, { challenge });
        return await client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } });
      },
    },
    'sign-in': {
      open: async ({ device }) =>
        readChallenge(await client().signInPasskeyOptions({ fingerprint: device.fingerprint })),
      submit: async ({ device, authenticator }, challenge) => {
        const { body } = await client().signInPasskeyOptions({ fingerprint: device.fingerprint });
        return await client().signInPasskey({
          fingerprint: device.fingerprint,
          body: { response: authenticator.get(body, { challenge }) },
        });
      },
    },
    'second step': {
      open: async ({ account }) => (await client().startPasskeyStep(account)).options.challenge,
      submit: async ({ account, authenticator }, challenge) => {
        const started = await client().startPasskeyStep(account);
        const assertion = authenticator.get(started.options, { challenge });
        return await client().signInSecondFactor({
          fingerprint: started.fingerprint,
          body: { challenge: started.challenge, passkey: assertion },
        });
      },
    },
    confirmation: {
      open: async ({ device }) => readChallenge(await client().secondFactorOptions(device)),
      submit: async ({ device, authenticator }, challenge) => {
        const { body } = await client().secondFactorOptions(device);
        const passkey = authenticator.get(body, { challenge });
        return await client().recoveryCodesReplace({
          ...device,
          body: { currentPassword: PASSWORD, passkey },
        });
      },
    },
  };

  for (const [name, { open, submit }] of Object.entries(PURPOSES)) {
    it(`is valid for one ${name}, and for nothing else`, async () => {
      const owner = await client().openAccountWithPasskeyStep();
      for (const [other, { open: openOther }] of Object.entries(PURPOSES))
        if (other !== name) expectFactorInvalid(await submit(owner, await openOther(owner)));
    });

    it(`is valid for ${name} only in the session and on the device that requested it`, async () => {
      const owner = await client().openAccountWithPasskeyStep();
      const device = client().toDevice(await client().signInWithPasskey(owner.authenticator));
      for (const other of [{ ...owner, device }, await client().openAccountWithPasskeyStep()])
        expectFactorInvalid(await submit(owner, await open(other)));
    });

    it(`is valid for ${name} for five minutes`, async () => {
      const owner = await client().openAccountWithPasskeyStep();
      const challenge = await open(owner);
      await service().redis.passTime(301);
      expectFactorInvalid(await submit(owner, challenge));
    });
  }

  it('does not sign in another kind', async () => {
    const { authenticator } = await client().openAccountWithPasskeyStep();
    for (const other of ALL_KINDS.filter((each) => each !== CUSTOMER)) {
      const { body } = await service().as(other).signInPasskeyOptions({ fingerprint: 'device' });
      expectFactorInvalid(
        await client().signInPasskey({ fingerprint: 'device', body: { response: authenticator.get(body) } }),
      );
    }
    const { body } = await client().signInPasskeyOptions({ fingerprint: 'device' });
    expect(
      (await client().signInPasskey({ fingerprint: 'device', body: { response: authenticator.get(body) } }))
        .status,
    ).to.equal(200);
  });
});
