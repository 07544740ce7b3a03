import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useCodeService } from '../../testing/code-service.ts';
import {
  createAccountWithTotp,
  expectFactorInvalid,
  startSignIn,
  type WaitingSignIn,
  WRONG_CODE,
} from '../../testing/second-factor-account.ts';
import {
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  range,
} from '../../testing/sign-in-attempts.ts';

describe('sign-in throttle of second factors', () => {
  const service = useCodeService({ PASSWORD_QUEUE_LIMIT: '1000' });
  const client = () => service().client(CUSTOMER);
  const createAccount = () => createAccountWithTotp(service(), CUSTOMER);
  const finish = ({ challenge, fingerprint }: WaitingSignIn, proof: object = { totpCode: WRONG_CODE }) =>
    client().signInSecondFactor({ challenge, ...proof }, fingerprint);

  it('returns 429 for the sixth wrong attempt across two challenges, but not for the first step', async () => {
    const { account, recoveryCodes } = await createAccount();
    const first = await startSignIn(service(), CUSTOMER, account);
    const second = await startSignIn(service(), CUSTOMER, account);
    for (const waiting of [first, first, first, second, second]) expectFactorInvalid(await finish(waiting));
    expectThrottled(await finish(second), 1);
    await startSignIn(service(), CUSTOMER, account);
    await endDelays(service());
    client().toDevice(await finish(second, { recoveryCode: recoveryCodes[0] }));
  });

  it('counts second factors separately from passwords; only the second factor clears both counts', async () => {
    const { account, secret } = await createAccount();
    const { email } = account;
    for (const _ of range(FREE_ATTEMPTS - 1)) {
      expectFactorInvalid(await finish(await startSignIn(service(), CUSTOMER, account)));
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    }
    const waiting = await startSignIn(service(), CUSTOMER, account);
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
        range(FREE_ATTEMPTS).map(() => startSignIn(service(), CUSTOMER, account)),
      );
      expect(new Set(waiting.map(({ challenge }) => challenge)).size).to.equal(FREE_ATTEMPTS);
    }
    for (const _ of range(FREE_ATTEMPTS))
      expectFactorInvalid(await finish(await startSignIn(service(), CUSTOMER, account)));
  });
});

describe('throttle of second factors of the own account', () => {
  const service = useCodeService();
  const client = () => service().client(CUSTOMER);

  it('returns 429 after five wrong codes, which no correct password clears', async () => {
    const { device, secret } = await createAccountWithTotp(service(), CUSTOMER);
    const currentPassword = PASSWORD;
    const remove = (proof: object) => client().removeTotp(device, { currentPassword, ...proof });
    const change = { currentPassword, newPassword: PASSWORD };
    for (const _ of range(FREE_ATTEMPTS)) {
      expect((await client().changePassword(device, change)).status).to.equal(204);
      expectFactorInvalid(await remove({ totpCode: WRONG_CODE }));
    }
    expectThrottled(await remove({ totpCode: WRONG_CODE }), 1);
    expect((await client().changePassword(device, change)).status).to.equal(204);
    await endDelays(service());
    expect((await remove({ totpCode: totpCode(secret, 1) })).status).to.equal(204);
  });

  it('returns 429 after five wrong codes of a confirmation', async () => {
    const { device, account } = await (async () => {
      const created = await createAccountWithTotp(service(), CUSTOMER);
      const proof = { recoveryCode: created.recoveryCodes[0] };
      await client().removeTotp(created.device, { currentPassword: PASSWORD, ...proof });
      return created;
    })();
    const { body } = await client().setUpTotp(device, { currentPassword: account.password });
    for (const _ of range(FREE_ATTEMPTS))
      expectFactorInvalid(await client().confirmTotp(device, { code: WRONG_CODE }));
    expectThrottled(await client().confirmTotp(device, { code: totpCode(body.secret, 1) }), 1);
    await endDelays(service());
    expect((await client().confirmTotp(device, { code: totpCode(body.secret, 1) })).status).to.equal(200);
  });
});
