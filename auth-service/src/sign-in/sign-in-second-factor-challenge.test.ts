import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { StartedSignIn } from '@platform/shared/testing/factor-flows';
import { expectError, send } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectChallengeInvalid, expectFactorInvalid, WRONG_CODE } from '../../testing/second-factor.ts';
import { endDelays } from '../../testing/sign-in-attempts.ts';

describe('challenge of a sign-in with a second factor', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const createWaiting = async () => {
    const created = await service().as('customer').openAccountWithTotp();
    return { ...created, waiting: await service().as('customer').startSignIn(created.account) };
  };
  const finish = ({ challenge, fingerprint }: StartedSignIn, proof: object) =>
    client().signInSecondFactor({ fingerprint, body: { challenge, ...proof } });

  it('fails on another device, which uses up its attempts', async () => {
    const { waiting, secret } = await createWaiting();
    const proof = { totpCode: totpCode(secret, 1) };
    for (let tries = 0; tries < 4; tries += 1)
      expectChallengeInvalid(await finish({ ...waiting, fingerprint: uniqueFingerprint() }, proof));
    expectFactorInvalid(await finish(waiting, { totpCode: WRONG_CODE }));
    expectChallengeInvalid(await finish(waiting, proof));
  });

  it('is invalid like an unknown one in any other form', async () => {
    const { waiting } = await createWaiting();
    const { challenge, fingerprint } = waiting;
    for (const other of ['', ' ', 'x', `${challenge} `, `${challenge}=`, 'ü', 'x'.repeat(100_000), 7]) {
      const body = { challenge: other, totpCode: WRONG_CODE };
      expectChallengeInvalid(await client().signInSecondFactor({ fingerprint, body }));
      expectChallengeInvalid(
        await client().signInSecondFactorOptions({ fingerprint, body: { challenge: other } }),
      );
    }
    expectFactorInvalid(await finish(waiting, { totpCode: WRONG_CODE }));
  });

  it('has no options of a passkey for an account without one', async () => {
    const { challenge, fingerprint } = (await createWaiting()).waiting;
    const path = `${CUSTOMER.path}/sign-in/second-factor/options`;
    const headers = { 'X-Fingerprint': fingerprint };
    expectError(
      await send(service().url, 'POST', path, { headers, body: { challenge } }),
      404,
      'PASSKEY_NOT_FOUND',
    );
  });

  it('works once, also with another proof', async () => {
    const { account, waiting, secret, recoveryCodes } = await createWaiting();
    const device = client().toDevice(await finish(waiting, { totpCode: totpCode(secret, 1) }));
    const [recoveryCode] = recoveryCodes;
    expectChallengeInvalid(await finish(waiting, { recoveryCode }));
    client().toDevice(await finish(await service().as('customer').startSignIn(account), { recoveryCode }));
    await client().expectSignedIn(device);
  });

  it('expires after 300 s', async () => {
    const [first, second] = [await createWaiting(), await createWaiting()];
    await service().redis.passTime(290);
    client().toDevice(await finish(first.waiting, { recoveryCode: first.recoveryCodes[0] }));
    await service().redis.passTime(10);
    expectChallengeInvalid(await finish(second.waiting, { recoveryCode: second.recoveryCodes[0] }));
    expectChallengeInvalid(await finish({ ...second.waiting, challenge: 'x' }, { totpCode: WRONG_CODE }));
  });

  it('allows five attempts', async () => {
    const { account, waiting, recoveryCodes } = await createWaiting();
    for (let tries = 0; tries < 5; tries += 1)
      expectFactorInvalid(await finish(waiting, { totpCode: WRONG_CODE }));
    await endDelays(service());
    const [recoveryCode] = recoveryCodes;
    expectChallengeInvalid(await finish(waiting, { recoveryCode }));
    await endDelays(service());
    client().toDevice(await finish(await service().as('customer').startSignIn(account), { recoveryCode }));
  });

  it('fails after a change of factors', async () => {
    const { waiting, device, secret } = await createWaiting();
    const confirmation = { currentPassword: PASSWORD, totpCode: totpCode(secret, 1) };
    const replaced = await client().recoveryCodesReplace({ ...device, body: confirmation });
    expect(replaced.status, replaced.text).to.equal(200);
    const [recoveryCode] = replaced.body.recoveryCodes;
    expectChallengeInvalid(await finish(waiting, { recoveryCode }));
  });

  it('returns USER_BLOCKED while the user is blocked', async () => {
    const { account, waiting, recoveryCodes } = await createWaiting();
    const proof = { recoveryCode: recoveryCodes[0] };
    await service().records.block(account.userId);
    expectError(await finish(waiting, proof), 401, 'USER_BLOCKED');
    expectError(await client().signIn({ fingerprint: 'device', body: account }), 401, 'USER_BLOCKED');
    await service().records.block(account.userId, false);
    client().toDevice(await finish(waiting, proof));
  });

  it('returns 403 when the platform role was removed', async () => {
    const { account, recoveryCodes } = await service().as('administrator').openAccountWithTotp();
    const { challenge, fingerprint } = await service().as('administrator').startSignIn(account);
    await service().records.query('delete from user_roles where user_id = $1', [account.userId]);
    const client = service().as('administrator');
    const body = { challenge, recoveryCode: recoveryCodes[0] };
    expectError(await client.signInSecondFactor({ fingerprint, body }), 403, 'PLATFORM_ROLE_INVALID');
  });
});
