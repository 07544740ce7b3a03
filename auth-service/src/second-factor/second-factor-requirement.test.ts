import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid, WRONG_CODE } from '../../testing/second-factor.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('second factor required of ADMIN', () => {
  const service = useAuthService({ SECOND_FACTOR_REQUIRED_FOR: 'ADMIN,ARBITER' });
  const client = () => service().as('administrator');

  const expectEnrolmentRequired = (response: HttpResponse): void =>
    expectError(response, 403, 'SECOND_FACTOR_ENROLMENT_REQUIRED');
  const register = (device: Device) =>
    send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
      headers: bearer(device),
      body: { email: uniqueEmail(), password: PASSWORD },
    });
  const changePassword = (device: Device) =>
    client().resetPasswordMe({ ...device, body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } });

  it('allows only own factors and sessions, me, refresh and verification before enrolment', async () => {
    const account = await service().as('administrator').createAccount();
    const device = await client().openDevice(account);
    for (const response of [await register(device), await changePassword(device)])
      expectEnrolmentRequired(response);
    expect((await client().listSessions(device)).status).to.equal(200);
    expect((await client().me(device)).status).to.equal(200);
    expect((await client().universalMe(device)).status).to.equal(200);
    expect((await client().secondFactor(device)).status).to.equal(200);
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    expect((await client().verificationEmailCheck(device)).body).to.deep.equal({ verified: false });
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: WRONG_CODE } }),
      400,
      'CODE_INVALID',
    );
    const refreshed = await client().refreshed(device);
    expect((await client().signOut(refreshed)).status).to.equal(204);
  });

  it('checks the token first, and the contract last', async () => {
    const device = await client().openDevice(await service().as('administrator').createVerifiedAccount());
    expectEnrolmentRequired(await client().resetPasswordMe({ ...device, body: {} }));
    expectEnrolmentRequired(
      await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
        headers: bearer(device),
        body: {},
      }),
    );
    expectError(await client().accountExport({ accessToken: 'x' }), 401, 'TOKEN_INVALID');
  });

  it('allows everything once a factor is enabled, and after each sign-in with it', async () => {
    const account = await service().as('administrator').createVerifiedAccount();
    const device = await client().openDevice(account);
    const { secret } = await client().enableTotp(device);
    expect((await register(device)).status).to.equal(201);
    const { challenge, fingerprint } = await service().as('administrator').startSignIn(account);
    const body = { challenge, totpCode: totpCode(secret, 1) };
    const second = client().toDevice(await client().signInSecondFactor({ fingerprint, body }));
    expect((await changePassword(second)).status).to.equal(204);
    expect((await client().listSessions(second)).status).to.equal(200);
  });

  for (const kind of [ADMINISTRATOR, CUSTOMER])
    it(`keeps the last factor, also in a session of ${kind.plural}`, async () => {
      const account = await service().as(kind).createVerifiedAccount();
      const device = await service().as(kind).openDevice(account);
      const { secret } = await service().as(kind).enableTotp(device);
      if (kind === CUSTOMER) await service().records.giveRole(account.userId, 'ADMIN');
      const body = { currentPassword: PASSWORD, totpCode: totpCode(secret, 1) };
      const removal = await service()
        .as(kind)
        .totpRemove({ ...device, body });
      expectError(removal, 409, 'SECOND_FACTOR_NEEDED');
      expect((await service().as(kind).listSessions(device)).status).to.equal(200);
      expect((await service().as(kind).secondFactor(device)).body.totp).to.be.an('object');
    });

  it('keeps the last passkey', async () => {
    const device = await client().openDevice(await service().as('administrator').createVerifiedAccount());
    const { passkeyId, authenticator } = await client().addPasskey(device);
    const passkey = await client().createAssertion(device, authenticator);
    const removal = await client().passkeyDelete({
      ...device,
      passkeyId,
      body: { ...CONFIRMATION, passkey },
    });
    expectError(removal, 409, 'SECOND_FACTOR_NEEDED');
  });

  it('is not asked of a role to which the operation is refused anyway', async () => {
    const arbiter = await service().records.user(['ARBITER']);
    expectError(await register(await client().openDevice(arbiter)), 403, 'WORKSPACE_FORBIDDEN');
  });

  it('does not affect other roles, or a confirmation that failed', async () => {
    const customer = service().as('customer');
    const other = await customer.createDevice();
    expect((await customer.listSessions(other)).status).to.equal(200);
    const operator = await service().records.user(['OPERATOR']);
    expect((await client().listSessions(await client().openDevice(operator))).status).to.equal(200);

    const device = await client().openDevice(await service().as('administrator').createVerifiedAccount());
    expectEnrolmentRequired(await register(device));
    await client().totpSetUp({ ...device, body: { currentPassword: PASSWORD } });
    expectFactorInvalid(await client().totpConfirm({ ...device, body: { code: WRONG_CODE } }));
    expectEnrolmentRequired(await register(device));
  });

  it('counts a first passkey, which ends the other sessions and comes with recovery codes', async () => {
    const account = await service().as('administrator').createVerifiedAccount();
    const device = await client().openDevice(account);
    const other = await client().openDevice(account);
    const authenticator = createSoftwareAuthenticator();
    const { body: options } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    const body = { response: authenticator.create(options), name: 'Phone' };
    const created = await client().passkeyCreate({ ...device, body });
    expect(created.status, created.text).to.equal(201);
    expect(created.body.recoveryCodes).to.have.lengthOf(10);
    await client().expectSignedOut(other);
    expect((await register(device)).status).to.equal(201);
    const { challenge, fingerprint } = await client().startSignIn(account);
    const step = { challenge, recoveryCode: created.body.recoveryCodes[0] };
    client().toDevice(await client().signInSecondFactor({ fingerprint, body: step }));
    // A second passkey proves nothing, and there are codes already.
    const added = await client().addPasskey(device);
    expect(added).not.to.have.property('recoveryCodes');
  });

  it('says that a second step is due before the first factor, and cannot be switched', async () => {
    const device = await client().openDevice(await service().as('administrator').createVerifiedAccount());
    expect((await client().secondFactor(device)).body.isRequired).to.equal(true);
    const change = (isRequired: boolean) =>
      client().secondFactorChange({ ...device, body: { isRequired, ...CONFIRMATION } });
    expectError(await change(true), 409, 'SECOND_FACTOR_MISSING');
    expectError(await change(false), 409, 'SECOND_FACTOR_NEEDED');
  });
});
