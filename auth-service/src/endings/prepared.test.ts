import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { lockUser } from '@platform/shared/testing/hold-lock';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import {
  createSubject,
  expectOk,
  listPreparations,
  type Preparation,
  type Subject,
} from '../../testing/preparations.ts';
import { useProvider } from '../../testing/provider.ts';
import { expectFactorInvalid } from '../../testing/second-factor.ts';

const NEW_PASSWORD = 'A better horse 2';

/** Returns a session that is open afterwards, and the password. */
type Change = {
  needsApp?: true;
  needsNoApp?: true;
  /** The thing that it replaces instead of ending it. */
  replaces?: string;
  run: (subject: Subject) => Promise<{ device: Device; password?: string }>;
};

/** Whether the thing can be there before the change. */
const canPrecede = (
  [thing, { needsNoApp }]: [string, Preparation],
  { needsApp, replaces }: Change,
): boolean => !(needsNoApp && needsApp) && replaces !== thing;

describe('what was prepared before a change of password or factors', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const client = () => service().as('customer');

  const preparations = Object.entries(listPreparations(client, provider));
  const changePassword = (device: Device) =>
    client().resetPasswordMe({
      ...device,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });

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
    'a new app': {
      needsNoApp: true,
      replaces: 'an app',
      run: async ({ device }) => {
        await client().enableTotp(device);
        return { device };
      },
    },
    'a second step that is switched off': {
      needsNoApp: true,
      run: async ({ device, recoveryCodes: [recoveryCode] }) => {
        const body = { ...CONFIRMATION, isRequired: false, recoveryCode };
        expectOk(await client().secondFactorChange({ ...device, body }));
        return { device };
      },
    },
    // No change of factors, but a sign-in with the identity may wait for its second step.
    'an unlinked identity': {
      run: async ({ account, device }) => {
        const [identity] = await service().records.query<{ id: string }>(
          "insert into identities (user_id, provider, issuer, subject) values ($1::uuid, 'company', 'https://id.example.com', $1) returning id",
          [account.userId],
        );
        const call = { ...device, identity: identity?.id ?? '', body: CONFIRMATION };
        expectOk(await client().identityUnlink(call));
        return { device };
      },
    },
    'another address': {
      run: async ({ device }) => {
        const code = await client().requestEmailChangeCode(device, uniqueEmail());
        expectOk(await client().emailChangeCheck({ ...device, body: { code } }));
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

  /** These make no factor due, and take none away. */
  const KEEPING: Record<string, { ofAll: boolean; run: (subject: Subject) => Promise<unknown> }> = {
    'a new passkey where no second step is due': {
      ofAll: false,
      run: ({ device }) => client().addPasskey(device),
    },
    'a renamed passkey': {
      ofAll: true,
      run: async ({ device, otherPasskeyId: passkeyId }) =>
        expectOk(await client().passkeyRename({ ...device, passkeyId, body: { name: 'My key' } })),
    },
  };

  for (const [thing, preparation] of preparations) {
    const { needsSecondStep, prepare, error } = preparation;
    const secondStep = preparation.needsNoApp ? 'step' : 'app';

    it(`is completed without one: ${thing}`, async () => {
      const subject = await createSubject(client(), secondStep);
      const complete = await prepare(subject);
      expectOk(await complete(subject.device, PASSWORD));
    });

    for (const [change, { ofAll, run }] of Object.entries(KEEPING))
      if (ofAll || !needsSecondStep)
        it(`is completed after ${change}: ${thing}`, async () => {
          const subject = await createSubject(client(), ofAll ? secondStep : 'none');
          const complete = await prepare(subject);
          await run(subject);
          expectOk(await complete(subject.device, PASSWORD));
        });

    const endings = Object.entries(CHANGES).filter(([, each]) => canPrecede([thing, preparation], each));
    for (const [change, { needsNoApp, run }] of endings)
      it(`ends with ${change}: ${thing}`, async () => {
        const subject = await createSubject(client(), needsNoApp ? 'step' : secondStep);
        const complete = await prepare(subject);
        const { device, password = PASSWORD } = await run(subject);
        expect((await complete(device, password)).body.code).to.equal(error);
      });

    it(`ends with a change of the password that is committed first: ${thing}`, async () => {
      const subject = await createSubject(client(), secondStep);
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
