import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { StartedSignIn } from '@platform/shared/testing/factor-flows';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid, WRONG_CODE } from '../../testing/second-factor.ts';
import {
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  range,
} from '../../testing/sign-in-attempts.ts';

describe('sign-in throttle of second factors', () => {
  const service = useAuthService({ PASSWORD_QUEUE_LIMIT: '1000' });
  const client = () => service().as('customer');
  const createAccount = () => service().as('customer').openAccountWithTotp();
  const finish = ({ challenge, fingerprint }: StartedSignIn, proof: object = { totpCode: WRONG_CODE }) =>
    client().signInSecondFactor({ fingerprint, body: { challenge, ...proof } });

  it('returns 429 for the sixth wrong attempt across two challenges, but not for the first step', async () => {
    const { account, recoveryCodes } = await createAccount();
    const first = await service().as('customer').startSignIn(account);
    const second = await service().as('customer').startSignIn(account);
    for (const waiting of [first, first, first, second, second]) expectFactorInvalid(await finish(waiting));
    expectThrottled(await finish(second), 1);
    await service().as('customer').startSignIn(account);
    await endDelays(service());
    client().toDevice(await finish(second, { recoveryCode: recoveryCodes[0] }));
  });

  it('counts second factors separately from passwords; only the second factor clears both counts', async () => {
    const { account, secret } = await createAccount();
    const { email } = account;
    for (const _ of range(FREE_ATTEMPTS - 1)) {
      expectFactorInvalid(await finish(await service().as('customer').startSignIn(account)));
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    }
    const waiting = await service().as('customer').startSignIn(account);
    expectFactorInvalid(await finish(waiting));
    expectThrottled(await finish(waiting), 1);
    expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, account), 1);
    await endDelays(service());
    client().toDevice(await finish(waiting, { totpCode: totpCode(secret, 1) }));
    for (const _ of range(FREE_ATTEMPTS))
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
  });

  it('counts every correct password of concurrent sign-ins as no attempt', async () => {
    const { account } = await createAccount();
    for (const _ of range(2)) {
      const waiting = await Promise.all(
        range(FREE_ATTEMPTS).map(() => service().as('customer').startSignIn(account)),
      );
      expect(new Set(waiting.map(({ challenge }) => challenge)).size).to.equal(FREE_ATTEMPTS);
    }
    for (const _ of range(FREE_ATTEMPTS))
      expectFactorInvalid(await finish(await service().as('customer').startSignIn(account)));
  });
});

describe('throttle of second factors of the own account', () => {
  const service = useAuthService();
  const client = () => service().as('customer');

  it('returns 429 after five wrong codes, which no correct password clears', async () => {
    const { device, secret } = await service().as('customer').openAccountWithTotp();
    let currentPassword = PASSWORD;
    const remove = (proof: object) => client().totpRemove({ ...device, body: { currentPassword, ...proof } });
    const changePassword = async () => {
      const body = { currentPassword, newPassword: `${currentPassword}!` };
      expect((await client().resetPasswordMe({ ...device, body })).status).to.equal(204);
      currentPassword = body.newPassword;
    };
    for (const _ of range(FREE_ATTEMPTS)) {
      await changePassword();
      expectFactorInvalid(await remove({ totpCode: WRONG_CODE }));
    }
    expectThrottled(await remove({ totpCode: WRONG_CODE }), 1);
    await changePassword();
    await endDelays(service());
    expect((await remove({ totpCode: totpCode(secret, 1) })).status).to.equal(204);
  });

  it('returns 429 after five wrong factors of a proof, which count with those of other operations', async () => {
    const administrator = service().as(ADMINISTRATOR);
    const { device, secret } = await administrator.openAccountWithTotp();
    const body = { currentPassword: PASSWORD, totpCode: WRONG_CODE };
    for (const _ of range(FREE_ATTEMPTS - 1))
      expectFactorInvalid(await administrator.administratorProve({ ...device, body }));
    expectFactorInvalid(await administrator.totpRemove({ ...device, body }));
    const right = { ...device, body: { ...body, totpCode: totpCode(secret, 1) } };
    expectThrottled(await administrator.administratorProve(right), 1);
    await endDelays(service());
    expect((await administrator.administratorProve(right)).status).to.equal(204);
  });

  it('returns 429 after five wrong codes of a confirmation', async () => {
    const { device, account } = await (async () => {
      const created = await service().as('customer').openAccountWithTotp();
      const proof = { recoveryCode: created.recoveryCodes[0] };
      await client().totpRemove({ ...created.device, body: { currentPassword: PASSWORD, ...proof } });
      return created;
    })();
    const { body } = await client().totpSetUp({ ...device, body: { currentPassword: account.password } });
    for (const _ of range(FREE_ATTEMPTS))
      expectFactorInvalid(await client().totpConfirm({ ...device, body: { code: WRONG_CODE } }));
    expectThrottled(await client().totpConfirm({ ...device, body: { code: totpCode(body.secret, 1) } }), 1);
    await endDelays(service());
    expect(
      (await client().totpConfirm({ ...device, body: { code: totpCode(body.secret, 1) } })).status,
    ).to.equal(200);
  });
});
