import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { lockUser } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider, visit } from '../../testing/provider.ts';
import { expectFactorInvalid } from '../../testing/second-factor.ts';

const NEW_PASSWORD = 'A better horse 2';

/** An account with two passkeys; only one without an app can prepare one. */
type Subject = {
  account: TestAccount;
  device: Device;
  authenticator: SoftwareAuthenticator;
  otherPasskeyId: string;
  recoveryCodes: string[];
};
type Completion = (device: Device, currentPassword: string) => Promise<HttpResponse>;
type Preparation = { needsNoApp?: true; prepare: (subject: Subject) => Promise<Completion>; error: string };
/** Returns a session that is open afterwards, and the password. */
type Change = { needsApp?: true; run: (subject: Subject) => Promise<{ device: Device; password?: string }> };

const expectOk = ({ status, body, text }: HttpResponse) => {
  expect(status, text).to.be.within(200, 204);
  return body;
};

describe('what was prepared before a change of password or factors', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const client = () => service().as('customer');

  const setUp = async (hasApp: boolean): Promise<Subject> => {
    const { account, device } = await client().openVerifiedAccount();
    const { authenticator } = await client().addPasskey(device);
    const { passkeyId: otherPasskeyId } = await client().addPasskey(device);
    const recoveryCodes = hasApp
      ? (await client().enableTotp(device)).recoveryCodes
      : await client().enableSecondStep(device);
    return { account, device, authenticator, otherPasskeyId, recoveryCodes };
  };
  const changePassword = (device: Device) =>
    client().resetPasswordMe({
      ...device,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });

  const PREPARATIONS: Record<string, Preparation> = {
    'a second step': {
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
  };

  const CHANGES: Record<string, Change> = {
    'a change of the password': {
      run: async ({ device }) => {
        expectOk(await changePassword(device));
        return { device, password: NEW_PASSWORD };
      },
    },
    'a reset by code': {
      run: async ({ account: { email }, recoveryCodes, ...subject }) => {
        const code = await client().requestResetCode(email);
        const body = { email, code, newPassword: NEW_PASSWORD };
        expectOk(await client().resetPasswordEmailCode({ body }));
        const signedIn = await client().signInWithPasskey(subject.authenticator);
        return { device: client().toDevice(signedIn), password: NEW_PASSWORD };
      },
    },
    'a new passkey': {
      run: async ({ device }) => {
        await client().addPasskey(device);
        return { device };
      },
    },
    'a deleted passkey': {
      run: async ({ device, otherPasskeyId: passkeyId, recoveryCodes: [recoveryCode] }) => {
        const body = { ...CONFIRMATION, recoveryCode };
        expectOk(await client().passkeyDelete({ ...device, passkeyId, body }));
        return { device };
      },
    },
    'a removed app': {
      needsApp: true,
      run: async ({ device, recoveryCodes: [recoveryCode] }) => {
        expectOk(await client().totpRemove({ ...device, body: { ...CONFIRMATION, recoveryCode } }));
        return { device };
      },
    },
    'new recovery codes': {
      needsApp: true,
      run: async ({ device, recoveryCodes: [recoveryCode] }) => {
        expectOk(await client().recoveryCodesReplace({ ...device, body: { ...CONFIRMATION, recoveryCode } }));
        return { device };
      },
    },
  };

  for (const [thing, { needsNoApp, prepare, error }] of Object.entries(PREPARATIONS)) {
    it(`is completed without one: ${thing}`, async () => {
      const subject = await setUp(!needsNoApp);
      const complete = await prepare(subject);
      expectOk(await complete(subject.device, PASSWORD));
    });

    for (const [change, { needsApp, run }] of Object.entries(CHANGES))
      if (!(needsNoApp && needsApp))
        it(`ends with ${change}: ${thing}`, async () => {
          const subject = await setUp(!needsNoApp);
          const complete = await prepare(subject);
          const { device, password = PASSWORD } = await run(subject);
          expect((await complete(device, password)).body.code).to.equal(error);
        });

    it(`ends with a change of the password that is committed first: ${thing}`, async () => {
      const subject = await setUp(!needsNoApp);
      const complete = await prepare(subject);
      const lock = await lockUser(service().databaseUrl, subject.account.userId);
      const change = changePassword(subject.device);
      await lock.untilWaiting(1);
      const completion = complete(subject.device, PASSWORD);
      await lock.releaseWhenWaiting(2);
      expectOk(await change);
      const replaced = thing === 'options of a confirmation' ? 'CURRENT_PASSWORD_WRONG' : error;
      expect((await completion).body.code).to.equal(replaced);
    });
  }

  it('no longer has the version that the mail of its code names: a change of address', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const newEmail = uniqueEmail();
    await client().requestEmailChangeCode(device, newEmail);
    const readVersion = async () => {
      const text = 'select factor_version as "factorVersion" from users where id = $1';
      return (await service().records.query<{ factorVersion: number }>(text, [account.userId]))[0];
    };
    const { holder } = await service().mails.storedCodeFor(newEmail);
    expect(holder).to.deep.equal({ id: account.userId, ...(await readVersion()) });
    expectOk(await changePassword(device));
    expect(holder).not.to.include(await readVersion());
  });

  it('is not completed by another session: an app', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const other = await client().openDevice(account);
    const { secret } = expectOk(await client().totpSetUp({ ...device, body: CONFIRMATION }));
    const body = { code: totpCode(secret) };
    expectFactorInvalid(await client().totpConfirm({ ...other, body }));
    expectOk(await client().totpConfirm({ ...device, body }));
  });

  it('expires after 600 seconds: an app', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const { secret } = expectOk(await client().totpSetUp({ ...device, body: CONFIRMATION }));
    const body = { code: totpCode(secret) };
    const passTime = (seconds: number) =>
      service().records.query(
        'update totp_factors set created_at = created_at - make_interval(secs => $2) where user_id = $1',
        [account.userId, seconds],
      );
    await passTime(600);
    expectFactorInvalid(await client().totpConfirm({ ...device, body }));
    await passTime(-60);
    expectOk(await client().totpConfirm({ ...device, body }));
  });
});
