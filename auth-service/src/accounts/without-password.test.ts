import { bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { holdLock, lockUser } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import {
  expectFactorInvalid,
  expectPasswordMissing,
  expectWrongPassword,
  WRONG_CODE,
} from '../../testing/second-factor.ts';
import {
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  extendDelays,
  FREE_ATTEMPTS,
  range,
} from '../../testing/sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';

const expectStatus = ({ status, text }: HttpResponse, expected: number): void => {
  expect(status, text).to.equal(expected);
};

type Operation = {
  name: string;
  run: (device: Device, confirmation: object, passkeyId: string) => Promise<HttpResponse>;
  confirmed: number;
  /** The status after a recent sign-in, without any other proof. */
  recent: number;
};

describe('account without a password', () => {
  const service = useAuthService();
  const update = (text: string, userId: string) => service().records.query(text, [userId]);
  const removePassword = (userId: string) =>
    update('update users set password_hash = null where id = $1', userId);
  const ageSignIn = (userId: string, seconds = 301) =>
    update(
      `update token_records set authenticated_at = now() - interval '${seconds} s' where user_id = $1`,
      userId,
    );

  const client = () => service().as('customer');

  /** Creates an account with two passkeys, whose second step is due. */
  const createAccount = async () => {
    const owner = await client().openAccountWithPasskeyStep();
    const other = createSoftwareAuthenticator();
    const { passkeyId: otherId } = await client().addPasskey(owner.device, { authenticator: other });
    const { userId } = owner.account;
    return { ...owner, userId, otherId };
  };
  const createWithoutPassword = async () => {
    const created = await createAccount();
    await removePassword(created.userId);
    return created;
  };
  const prove = async (device: Device, authenticator: SoftwareAuthenticator) => ({
    passkey: await client().createAssertion(device, authenticator),
  });

  const request = (method: string, route: string, device: Device, body: object) =>
    send(service().url, method, CUSTOMER.path + route, { headers: bearer(device), body });
  const change = (device: Device, confirmation: object) =>
    client().resetPasswordMe({ ...device, body: { newPassword: NEW_PASSWORD, ...confirmation } });
  const removePasskey = (device: Device, confirmation: object, id: string) =>
    request('DELETE', `/passkeys/${id}`, device, confirmation);
  const deleteAccount = (device: Device, confirmation: object) =>
    request('POST', '/account/delete', device, confirmation);

  const OPERATIONS: Operation[] = [
    { name: 'a password change', run: change, confirmed: 204, recent: 204 },
    {
      name: 'an e-mail change',
      run: (device, confirmation) =>
        request('POST', '/email/change', device, { newEmail: uniqueEmail(), ...confirmation }),
      confirmed: 200,
      recent: 200,
    },
    {
      name: 'the set-up of an authenticator app',
      run: (device, confirmation) => client().totpSetUp({ ...device, body: confirmation }),
      confirmed: 201,
      recent: 201,
    },
    {
      name: 'the registration of a passkey',
      run: (device, confirmation) => request('POST', '/passkeys/options', device, confirmation),
      confirmed: 200,
      recent: 200,
    },
    // These need a second factor while a second step is due.
    {
      name: 'the end of the second step',
      run: (device, confirmation) =>
        client().secondFactorChange({ ...device, body: { isRequired: false, ...confirmation } }),
      confirmed: 200,
      recent: 403,
    },
    { name: 'the removal of a passkey', run: removePasskey, confirmed: 204, recent: 403 },
    { name: 'the deletion of the account', run: deleteAccount, confirmed: 204, recent: 403 },
  ];

  for (const { name, run, confirmed, recent } of OPERATIONS) {
    it(`confirms ${name} with a second factor in place of the password`, async () => {
      const { userId, device, authenticator, otherId } = await createAccount();
      await ageSignIn(userId);
      expectPasswordMissing(await run(device, {}, otherId));
      expectPasswordMissing(await run(device, { currentPassword: '' }, otherId));
      expectPasswordMissing(await run(device, await prove(device, authenticator), otherId));
      await removePassword(userId);
      // A refresh does not count as a sign-in.
      const refreshed = await client().refreshed(device);
      expectError(await run(refreshed, {}, otherId), 403, 'REAUTHENTICATION_REQUIRED');
      expectWrongPassword(await run(refreshed, { currentPassword: PASSWORD }, otherId));
      expectFactorInvalid(await run(refreshed, { totpCode: WRONG_CODE }, otherId));
      expectStatus(await run(refreshed, await prove(refreshed, authenticator), otherId), confirmed);
    });

    it(`needs ${recent === 403 ? 'a factor' : 'no proof'} for ${name} shortly after the sign-in`, async () => {
      const { userId, device, otherId } = await createWithoutPassword();
      await ageSignIn(userId, 240);
      expectWrongPassword(await run(device, { currentPassword: PASSWORD }, otherId));
      expectFactorInvalid(await run(device, { totpCode: WRONG_CODE }, otherId));
      expectStatus(await run(device, {}, otherId), recent);
    });
  }

  it('needs a proof to remove the app and to replace the recovery codes', async () => {
    const { userId, device } = await createWithoutPassword();
    await ageSignIn(userId);
    const refreshed = await client().refreshed(device);
    for (const [method, route] of [
      ['DELETE', '/second-factor/totp'],
      ['POST', '/second-factor/recovery-codes'],
    ] as const)
      expectError(await request(method, route, refreshed, {}), 403, 'REAUTHENTICATION_REQUIRED');
  });

  it('deletes itself without a factor only shortly after the sign-in', async () => {
    const { account, device } = await client().openVerifiedAccount();
    await removePassword(account.userId);
    await ageSignIn(account.userId);
    expectError(await deleteAccount(device, {}), 403, 'REAUTHENTICATION_REQUIRED');
    const { body } = await send(service().url, 'GET', `${CUSTOMER.path}/account/export`, {
      headers: bearer(device),
    });
    expect(body.hasPassword).to.equal(false);
    await ageSignIn(account.userId, 0);
    expectStatus(await deleteAccount(device, {}), 204);
  });

  it('switches an authenticator app off with a factor alone', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const { secret, recoveryCodes } = await client().enableTotp(device);
    await removePassword(account.userId);
    expectError(await client().totpRemove({ ...device, body: {} }), 403, 'FACTOR_REQUIRED');
    await ageSignIn(account.userId);
    const [recoveryCode] = recoveryCodes;
    expectStatus(await client().recoveryCodesReplace({ ...device, body: { recoveryCode } }), 200);
    expectStatus(await client().totpRemove({ ...device, body: { totpCode: totpCode(secret, 1) } }), 204);
  });

  it('changes nothing when a password is set during the request', async () => {
    const { userId, device } = await createWithoutPassword();
    const text = "update users set password_hash = '!' where id = $1";
    const lock = await holdLock(service().databaseUrl, text, [userId]);
    const changing = change(device, {});
    await lock.commitWhenWaiting(1);
    expectWrongPassword(await changing);
  });

  it('keeps the passkey that signs in alone, not one without user verification', async () => {
    const { account, device, passkeyId } = await client().openAccountWithPasskey();
    const key = createSoftwareAuthenticator();
    const { body: options } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    const response = key.create(options, { userVerified: false });
    const { body: added } = await client().passkeyCreate({ ...device, body: { response, name: 'Key' } });
    await removePassword(account.userId);
    expectError(await removePasskey(device, {}, passkeyId), 409, 'LAST_SIGN_IN_METHOD');
    expectStatus(await client().signInWithPasskey(key), 200);
    expectStatus(await removePasskey(device, {}, passkeyId), 204);
    expectError(await removePasskey(device, {}, added.id), 409, 'LAST_SIGN_IN_METHOD');
  });

  it('keeps the last way to sign in, also of two removals at once', async () => {
    const { account, device, passkeyId } = await client().openAccountWithPasskey();
    const { userId } = account;
    const { passkeyId: otherId } = await client().addPasskey(device);
    await removePassword(userId);
    const lock = await lockUser(service().databaseUrl, userId);
    const removals = [passkeyId, otherId].map((id) => removePasskey(device, {}, id));
    await lock.releaseWhenWaiting(2);
    const statuses = (await Promise.all(removals)).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([204, 409]);
    const [{ id } = { id: '' }] = await client().listPasskeys(device);
    expectError(await removePasskey(device, {}, id), 409, 'LAST_SIGN_IN_METHOD');
    // A provider that is not configured lets nobody in.
    await update(
      "insert into identities (user_id, provider, issuer, subject) values ($1::uuid, 'company', 'https://id.example.com', $1)",
      userId,
    );
    expectError(await removePasskey(device, {}, id), 409, 'LAST_SIGN_IN_METHOD');
  });

  it('signs in with a passkey, and with no password', async () => {
    const { account, authenticator } = await createWithoutPassword();
    const device = client().toDevice(await client().signInWithPasskey(authenticator));
    expectStatus(await change(device, {}), 204);
    await removePassword(account.userId);
    for (const password of [PASSWORD, 'null', 'deleted'])
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email: account.email, password }));
  });

  it('lists no password for a session that was signed in with a removed passkey', async () => {
    const { authenticator, passkeyId } = await client().openAccountWithPasskey();
    const device = client().toDevice(await client().signInWithPasskey(authenticator));
    expectStatus(await removePasskey(device, { currentPassword: PASSWORD }, passkeyId), 204);
    expect(await client().readMethods(device)).to.deep.equal([]);
  });

  it('counts passwords and wrong factors, and lets neither block a recent sign-in', async () => {
    const { account, userId, device } = await createWithoutPassword();
    await ageSignIn(userId);
    for (const _ of range(FREE_ATTEMPTS)) {
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, account));
      expectFactorInvalid(await change(device, { totpCode: WRONG_CODE }));
    }
    await extendDelays(service());
    expectThrottled(await attemptSignIn(service(), CUSTOMER, account));
    expectThrottled(await change(device, { totpCode: WRONG_CODE }));
    await ageSignIn(userId, 0);
    expectStatus(await change(device, {}), 204);
    await endDelays(service());
  });

  it('gets a password by a reset with a code, which ends the sessions', async () => {
    const { account, device } = await createWithoutPassword();
    const code = await service().as('customer').requestResetCode(account.email);
    expectStatus(
      await client().resetPasswordEmailCode({
        body: { email: account.email, code, newPassword: NEW_PASSWORD },
      }),
      204,
    );
    await client().expectSignedOut(device);
    await client().startSignIn({ ...account, password: NEW_PASSWORD });
  });
});
