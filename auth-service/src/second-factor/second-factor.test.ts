import { CONFIRMATION, PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid, expectWrongPassword, WRONG_CODE } from '../../testing/second-factor.ts';

const NO_FACTOR = { totp: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false };

describe('second factor', () => {
  const service = useAuthService();

  const actionsOf = async (userId: string): Promise<string[]> =>
    (await service().records.auditOf(userId)).map(({ action }) => action);
  const changesMailedTo = async (email: string): Promise<string[]> =>
    (await service().mails.outboxFor(email)).flatMap((mail) => ('change' in mail ? [mail.change] : []));

  const client = () => service().as('customer');
  const stateOf = async (device: Device) => (await client().secondFactor(device)).body;
  const createDevice = async () => {
    const account = await service().as('customer').createVerifiedAccount();
    return { account, device: await client().openDevice(account) };
  };
  const setUp = async (device: Device): Promise<{ secret: string; otpauthUrl: string }> => {
    const { status, body, text } = await client().totpSetUp({
      ...device,
      body: { currentPassword: PASSWORD },
    });
    expect(status, text).to.equal(201);
    return body;
  };

  it('enables an authenticator app after a correct code, audited and mailed', async () => {
    const { account, device } = await createDevice();
    expect(await stateOf(device)).to.deep.equal(NO_FACTOR);
    const { secret, otpauthUrl } = await setUp(device);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    const { protocol, host, pathname, searchParams } = new URL(otpauthUrl);
    expect({ protocol, host }).to.deep.equal({ protocol: 'otpauth:', host: 'totp' });
    expect(decodeURIComponent(pathname)).to.equal(`/Marketplace:${account.email}`);
    expect(searchParams.get('secret')).to.equal(secret);
    expect(searchParams.get('issuer')).to.equal('Marketplace');
    expect(await stateOf(device)).to.deep.equal(NO_FACTOR);

    const { status, body, text } = await client().totpConfirm({
      ...device,
      body: { code: totpCode(secret) },
    });
    expect(status, text).to.equal(200);
    expect(new Set(body.recoveryCodes).size).to.equal(10);
    for (const code of body.recoveryCodes) expect(code).to.match(/^[a-hjkmnp-tv-z2-9]{10}$/);
    const state = await stateOf(device);
    expect(Date.parse(state.totp.enabledAt)).to.be.closeTo(Date.now(), 60_000);
    expect(state).to.deep.equal({ totp: state.totp, passkeys: [], recoveryCodesLeft: 10, isRequired: true });
    expect(await actionsOf(account.userId)).to.deep.equal(['TOTP_ENABLED']);
    expect(await changesMailedTo(account.email)).to.deep.equal(['totp-enabled']);
  });

  it('stores neither the secret nor the recovery codes as text', async () => {
    const { account, secret, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const rows = await service().records.query(
      `select to_jsonb(f)::text as stored from totp_factors f where user_id = $1
            union all select to_jsonb(c)::text from recovery_codes c where user_id = $1`,
      [account.userId],
    );
    expect(rows).to.have.length(11);
    const stored = JSON.stringify([rows, await service().redis.dump()]);
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.to.include(text);
  });

  it('replaces a pending secret, which does not count as a factor', async () => {
    const { account, device } = await createDevice();
    const first = await setUp(device);
    const second = await setUp(device);
    expect(second.secret).not.to.equal(first.secret);
    await client().openDevice(account);
    expectFactorInvalid(await client().totpConfirm({ ...device, body: { code: totpCode(first.secret) } }));
    expect(
      (await client().totpConfirm({ ...device, body: { code: totpCode(second.secret) } })).status,
    ).to.equal(200);
  });

  it('does not count a pending secret as a factor', async () => {
    const { account, device } = await createDevice();
    const { secret } = await setUp(device);
    const confirmation = { currentPassword: PASSWORD, totpCode: totpCode(secret) };
    expectFactorInvalid(await client().recoveryCodesReplace({ ...device, body: confirmation }));
    expectFactorInvalid(await client().totpRemove({ ...device, body: confirmation }));
    await client().openDevice(account);
    expect((await client().accountDelete({ ...device, body: CONFIRMATION })).status).to.equal(204);
  });

  it('needs the current password to set up, and a pending secret to confirm', async () => {
    const { device } = await createDevice();
    expectWrongPassword(await client().totpSetUp({ ...device, body: { currentPassword: WRONG_PASSWORD } }));
    expectFactorInvalid(await client().totpConfirm({ ...device, body: { code: WRONG_CODE } }));
    expectError(
      await client().totpConfirm({ ...device, body: { code: '12345' } }),
      400,
      'VALIDATION_FAILED',
      '/body/code',
    );
    expect(await stateOf(device)).to.deep.equal(NO_FACTOR);
  });

  it('lets a change without a factor pass while wrong codes are delayed, because it guesses nothing', async () => {
    const { device } = await createDevice();
    await setUp(device);
    for (let tries = 0; tries < 5; tries += 1)
      expectFactorInvalid(await client().totpConfirm({ ...device, body: { code: WRONG_CODE } }));
    const delayed = { ...CONFIRMATION, recoveryCode: 'aaaaa-aaaaa' };
    expectError(await client().accountDelete({ ...device, body: delayed }), 429, 'RATE_LIMITED');
    expect((await client().accountDelete({ ...device, body: CONFIRMATION })).status).to.equal(204);
  });

  it('returns 409 for another set-up or confirmation while enabled', async () => {
    const { device, secret } = await service().as('customer').openAccountWithTotp();
    const again = await client().totpSetUp({ ...device, body: { currentPassword: PASSWORD } });
    expectError(again, 409, 'SECOND_FACTOR_ENABLED');
    expectError(
      await client().totpConfirm({ ...device, body: { code: totpCode(secret, 1) } }),
      409,
      'SECOND_FACTOR_ENABLED',
    );
  });

  it('enables the app once for concurrent confirmations; one returns recovery codes', async () => {
    const { account, device } = await createDevice();
    const { secret } = await setUp(device);
    const code = totpCode(secret);
    const responses = await Promise.all(
      [1, 2, 3, 4].map(() => client().totpConfirm({ ...device, body: { code } })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
    expect((await stateOf(device)).recoveryCodesLeft).to.equal(10);
    expect(await actionsOf(account.userId)).to.deep.equal(['TOTP_ENABLED']);
  });

  it('ends the other sessions, and adds the method to the current one', async () => {
    const { account, device } = await createDevice();
    const other = await client().openDevice(account);
    await client().enableTotp(device);
    await client().expectSignedOut(other);
    const current = await client().expectSignedIn(device);
    const { body } = await client().listSessions(current);
    expect(body.data.map(({ methods }: { methods: string[] }) => methods)).to.deep.equal([
      ['password', 'totp'],
    ]);
  });

  it('disables the app with password and code; the recovery codes go too', async () => {
    const { account, device, secret } = await service().as('customer').openAccountWithTotp();
    const confirmation = { currentPassword: PASSWORD, totpCode: totpCode(secret, 1) };
    expect((await client().totpRemove({ ...device, body: confirmation })).status).to.equal(204);
    expect(await stateOf(device)).to.deep.equal(NO_FACTOR);
    await client().openDevice(account);
    expect(await actionsOf(account.userId)).to.deep.equal(['TOTP_ENABLED', 'TOTP_DISABLED']);
    expect(await changesMailedTo(account.email)).to.deep.equal(['totp-enabled', 'totp-disabled']);
    await client().enableTotp(device);
  });

  it('ends the other sessions when the app is disabled', async () => {
    const { account, device, secret, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const { challenge, fingerprint } = await service().as('customer').startSignIn(account);
    const signedIn = await client().signInSecondFactor({
      fingerprint,
      body: { challenge, totpCode: totpCode(secret, 1) },
    });
    const other = client().toDevice(signedIn);
    const confirmation = { currentPassword: PASSWORD, recoveryCode: recoveryCodes[0] };
    expect((await client().totpRemove({ ...device, body: confirmation })).status).to.equal(204);
    await client().expectSignedOut(other);
    await client().expectSignedIn(device);
  });

  it('rejects a removal without a valid factor, and changes nothing', async () => {
    const { device, secret, usedCode } = await service().as('customer').openAccountWithTotp();
    const currentPassword = PASSWORD;
    const remove = (body: object) => client().totpRemove({ ...device, body });
    const missing = await remove({ currentPassword });
    expectError(missing, 403, 'FACTOR_REQUIRED');
    expect(missing.body.factors).to.deep.equal(['totp', 'recovery-code']);
    const withoutFactor = await client().recoveryCodesReplace({ ...device, body: { currentPassword } });
    expectError(withoutFactor, 403, 'FACTOR_REQUIRED');
    // Without the password, the response reveals no factor.
    expectWrongPassword(await remove({ currentPassword: WRONG_PASSWORD }));
    expectError(
      await remove({ currentPassword, totpCode: WRONG_CODE, recoveryCode: 'x' }),
      400,
      'VALIDATION_FAILED',
      '/body',
    );
    expectFactorInvalid(await remove({ currentPassword, totpCode: WRONG_CODE }));
    expectFactorInvalid(await remove({ currentPassword, totpCode: usedCode }));
    expectFactorInvalid(await remove({ currentPassword, recoveryCode: 'aaaa-bbbb' }));
    const totp = totpCode(secret, 1);
    expectWrongPassword(await remove({ currentPassword: WRONG_PASSWORD, totpCode: totp }));
    expect((await stateOf(device)).recoveryCodesLeft).to.equal(10);
  });

  it('replaces the recovery codes; the old ones are invalid', async () => {
    const { account, device, secret, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const currentPassword = PASSWORD;
    const replaced = await client().recoveryCodesReplace({
      ...device,
      body: {
        currentPassword,
        totpCode: totpCode(secret, 1),
      },
    });
    expect(replaced.status, replaced.text).to.equal(200);
    const renewed: string[] = replaced.body.recoveryCodes;
    expect(new Set([...renewed, ...recoveryCodes]).size).to.equal(20);
    const remove = (recoveryCode: string | undefined) =>
      client().totpRemove({ ...device, body: { currentPassword, recoveryCode } });
    expectFactorInvalid(await remove(recoveryCodes[0]));
    expect((await remove(renewed[0])).status).to.equal(204);
    expect(await actionsOf(account.userId)).to.deep.equal([
      'TOTP_ENABLED',
      'RECOVERY_CODES_REPLACED',
      'RECOVERY_CODE_USED',
      'TOTP_DISABLED',
    ]);
    expect(await changesMailedTo(account.email)).to.deep.equal([
      'totp-enabled',
      'recovery-codes-replaced',
      'recovery-code-used',
      'totp-disabled',
    ]);
  });
});
