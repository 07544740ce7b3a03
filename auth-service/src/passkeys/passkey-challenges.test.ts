import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { ALL_KINDS } from '../../testing/auth-service.ts';
import { useCodeService } from '../../testing/code-service.ts';
import { createPasskeyUsers } from '../../testing/passkey-service.ts';
import { expectFactorInvalid } from '../../testing/second-factor-account.ts';

const readChallenge = ({ status, body, text }: HttpResponse): string => {
  expect(status, text).to.equal(200);
  return body.challenge;
};

describe('challenge for a passkey', () => {
  const service = useCodeService();

  const { passkeys, client, addOwner, startSecondStep } = createPasskeyUsers(service, CUSTOMER);
  type Owner = Awaited<ReturnType<typeof addOwner>>;
  type Purpose = {
    open: (owner: Owner) => Promise<string>;
    /** Submits options that are valid except for the challenge. */
    submit: (owner: Owner, challenge: string) => Promise<HttpResponse>;
  };

  const PURPOSES: Record<string, Purpose> = {
    registration: {
      open: async ({ device }) => readChallenge(await passkeys().creationOptions(device)),
      submit: async ({ device }, challenge) => {
        const { body } = await passkeys().creationOptions(device);
        const attestation = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(body, { challenge });
        return await passkeys().create(device, attestation);
      },
    },
    'sign-in': {
      open: async ({ device }) => readChallenge(await passkeys().signInOptions(device.fingerprint)),
      submit: async ({ device, authenticator }, challenge) => {
        const { body } = await passkeys().signInOptions(device.fingerprint);
        return await passkeys().signIn(authenticator.get(body, { challenge }), device.fingerprint);
      },
    },
    'second step': {
      open: async ({ account }) => (await startSecondStep(account)).options.challenge,
      submit: async ({ account, authenticator }, challenge) => {
        const started = await startSecondStep(account);
        const assertion = authenticator.get(started.options, { challenge });
        return await passkeys().completeSignIn(started.challenge, assertion, started.fingerprint);
      },
    },
    confirmation: {
      open: async ({ device }) => readChallenge(await passkeys().factorOptions(device)),
      submit: async ({ device, authenticator }, challenge) => {
        const { body } = await passkeys().factorOptions(device);
        const passkey = authenticator.get(body, { challenge });
        return await client().replaceRecoveryCodes(device, { currentPassword: PASSWORD, passkey });
      },
    },
  };

  for (const [name, { open, submit }] of Object.entries(PURPOSES)) {
    it(`is valid for one ${name}, and for nothing else`, async () => {
      const owner = await addOwner();
      for (const [other, { open: openOther }] of Object.entries(PURPOSES))
        if (other !== name) expectFactorInvalid(await submit(owner, await openOther(owner)));
    });

    it(`is valid for ${name} only in the session and on the device that requested it`, async () => {
      const owner = await addOwner();
      const device = client().toDevice(await passkeys().signInWith(owner.authenticator));
      for (const other of [{ ...owner, device }, await addOwner()])
        expectFactorInvalid(await submit(owner, await open(other)));
    });

    it(`is valid for ${name} for five minutes`, async () => {
      const owner = await addOwner();
      const challenge = await open(owner);
      await service().redis.passTime(301);
      expectFactorInvalid(await submit(owner, challenge));
    });
  }

  it('does not sign in another kind', async () => {
    const { authenticator } = await addOwner();
    for (const other of ALL_KINDS.filter((each) => each !== CUSTOMER)) {
      const { body } = await createPasskeyUsers(service, other).passkeys().signInOptions('device');
      expectFactorInvalid(await passkeys().signIn(authenticator.get(body), 'device'));
    }
    const { body } = await passkeys().signInOptions('device');
    expect((await passkeys().signIn(authenticator.get(body), 'device')).status).to.equal(200);
  });
});
