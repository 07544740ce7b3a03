import { CONFIRMATION, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import {
  expectChallengeInvalid,
  expectFactorInvalid,
  expectWrongPassword,
} from '../../testing/second-factor.ts';

describe('switch of the second step', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const change = (device: Device, isRequired: boolean, proof: object = {}) =>
    client().secondFactorChange({ ...device, body: { isRequired, ...CONFIRMATION, ...proof } });
  const stateOf = async (device: Device) => (await client().secondFactor(device)).body;
  const actionsOf = async (userId: string): Promise<string[]> =>
    (await service().records.auditOf(userId)).map(({ action }) => action);
  const changesMailedTo = async (email: string): Promise<string[]> =>
    (await service().mails.outboxFor(email)).flatMap((mail) => ('change' in mail ? [mail.change] : []));

  it('makes each factor due with a passkey, gives recovery codes and ends the other sessions', async () => {
    const { account, device } = await client().openAccountWithPasskey();
    const other = await client().openDevice(account);
    const { status, body, text } = await change(device, true);
    expect(status, text).to.equal(200);
    const { recoveryCodes, ...state } = body;
    expect(recoveryCodes).to.have.lengthOf(10);
    expect(state).to.deep.include({ totp: null, recoveryCodesLeft: 10, isRequired: true });
    expect(await stateOf(device)).to.deep.equal(state);
    await client().expectSignedOut(other);
    const { challenge, fingerprint } = await client().startSignIn(account);
    const step = { challenge, recoveryCode: recoveryCodes[0] };
    client().toDevice(await client().signInSecondFactor({ fingerprint, body: step }));
    expect(await actionsOf(account.userId)).to.include('SECOND_STEP_ENABLED');
    expect(await changesMailedTo(account.email)).to.include('second-step-enabled');
  });

  it('needs an authenticator app or a passkey, and the current password', async () => {
    const { device } = await client().openVerifiedAccount();
    expectError(await change(device, true), 409, 'SECOND_FACTOR_MISSING');
    expect((await change(device, false)).status).to.equal(200);
    await client().addPasskey(device);
    expectWrongPassword(await change(device, true, { currentPassword: WRONG_PASSWORD }));
    expect((await stateOf(device)).isRequired).to.equal(false);
  });

  it('changes and ends nothing when it is already on', async () => {
    const { account, device, authenticator } = await client().openAccountWithPasskeyStep();
    const other = client().toDevice(await client().signInWithPasskey(authenticator));
    const records = await actionsOf(account.userId);
    const { status, body } = await change(device, true);
    expect(status).to.equal(200);
    expect(body).to.deep.equal(await stateOf(device));
    await client().expectSignedIn(other);
    expect(await actionsOf(account.userId)).to.deep.equal(records);
  });

  it('is switched off with a factor, which ends challenges, recovery codes and other sessions', async () => {
    const { account, device, recoveryCodes } = await client().openAccountWithPasskeyStep();
    const missing = await change(device, false);
    expectError(missing, 403, 'FACTOR_REQUIRED');
    expect(missing.body.factors).to.deep.equal(['passkey', 'recovery-code']);
    expectFactorInvalid(await change(device, false, { recoveryCode: 'aaaaabbbbb' }));
    const { challenge, fingerprint } = await client().startSignIn(account);
    const { status, body, text } = await change(device, false, { recoveryCode: recoveryCodes[0] });
    expect(status, text).to.equal(200);
    expect(body)
      .to.include({ recoveryCodesLeft: 0, isRequired: false })
      .and.not.have.property('recoveryCodes');
    const step = { challenge, recoveryCode: recoveryCodes[1] };
    expectChallengeInvalid(await client().signInSecondFactor({ fingerprint, body: step }));
    await client().openDevice(account);
    expect(await changesMailedTo(account.email)).to.include('second-step-disabled');
  });

  it('returns 409 while an authenticator app needs it, which leaves the switch as it was', async () => {
    const { device, secret, recoveryCodes } = await client().openAccountWithTotp();
    const needed = await change(device, false, { totpCode: totpCode(secret, 1) });
    expectError(needed, 409, 'SECOND_FACTOR_NEEDED');
    await client().addPasskey(device);
    expect((await change(device, true)).body).to.include({ isRequired: true, recoveryCodesLeft: 10 });
    const body = { ...CONFIRMATION, recoveryCode: recoveryCodes[0] };
    expect((await client().totpRemove({ ...device, body })).status).to.equal(204);
    expect(await stateOf(device)).to.include({ isRequired: false, recoveryCodesLeft: 0 });
  });

  it('keeps its recovery codes when an app is added, and stays on when the app is removed', async () => {
    const { device, recoveryCodes } = await client().openAccountWithPasskeyStep();
    const { body: setUp } = await client().totpSetUp({ ...device, body: CONFIRMATION });
    const confirmed = await client().totpConfirm({ ...device, body: { code: totpCode(setUp.secret) } });
    expect({ status: confirmed.status, body: confirmed.body }).to.deep.equal({ status: 200, body: {} });
    const body = { ...CONFIRMATION, recoveryCode: recoveryCodes[0] };
    expect((await client().totpRemove({ ...device, body })).status).to.equal(204);
    expect(await stateOf(device)).to.include({ isRequired: true, recoveryCodesLeft: 9 });
  });

  it('is off after the last factor is removed, which takes a factor and ends the other sessions', async () => {
    const { account, device, authenticator, passkeyId } = await client().openAccountWithPasskeyStep();
    const other = client().toDevice(await client().signInWithPasskey(authenticator));
    const remove = (proof: object) =>
      client().passkeyDelete({ ...device, passkeyId, body: { ...CONFIRMATION, ...proof } });
    expectError(await remove({}), 403, 'FACTOR_REQUIRED');
    const passkey = await client().createAssertion(device, authenticator);
    expect((await remove({ passkey })).status).to.equal(204);
    const nothing = { totp: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false };
    expect(await stateOf(device)).to.deep.equal(nothing);
    await client().expectSignedOut(other);
    // Another passkey does not bring it back.
    await client().addPasskey(device);
    await client().openDevice(account);
  });

  it('is needed for new recovery codes', async () => {
    const { device, recoveryCodes } = await client().openAccountWithPasskeyStep();
    const replace = (proof: object) =>
      client().recoveryCodesReplace({ ...device, body: { ...CONFIRMATION, ...proof } });
    expect((await replace({ recoveryCode: recoveryCodes[0] })).body.recoveryCodes).to.have.lengthOf(10);
    const { device: other } = await client().openAccountWithPasskey();
    const rejected = await client().recoveryCodesReplace({ ...other, body: CONFIRMATION });
    expectError(rejected, 409, 'SECOND_FACTOR_MISSING');
  });

  it('gives recovery codes once for concurrent switches', async () => {
    const { account, device } = await client().openAccountWithPasskey();
    // A third password check of one user at a time is rejected.
    const responses = await Promise.all([1, 2].map(() => change(device, true)));
    expect(responses.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(responses.filter(({ body }) => body.recoveryCodes)).to.have.lengthOf(1);
    const switches = (await actionsOf(account.userId)).filter((action) => action === 'SECOND_STEP_ENABLED');
    expect(switches).to.have.lengthOf(1);
  });

  it('leaves the password enough for the deletion of an account with a passkey alone', async () => {
    const { device } = await client().openAccountWithPasskey();
    expect((await client().accountDelete({ ...device, body: CONFIRMATION })).status).to.equal(204);
  });
});
