import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { holdLock, lockUser } from '@platform/shared/testing/hold-lock';
import { countDeadlocks, countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectChallengeInvalid } from '../../testing/second-factor.ts';

describe('races of sign-ins with a second factor', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  /** Begins to confirm an app, which waits for the lock on the user. */
  const confirmTotpLocked = async () => {
    const account = await client().createVerifiedAccount();
    const device = await client().openDevice(account);
    const { body } = await client().totpSetUp({ ...device, body: { currentPassword: PASSWORD } });
    const lock = await lockUser(service().databaseUrl, account.userId);
    const confirmation = client().totpConfirm({ ...device, body: { code: totpCode(body.secret) } });
    await lock.untilWaiting(1);
    return { account, lock, confirmation };
  };

  it('opens one session for concurrent proofs of one challenge', async () => {
    const { account, secret, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const { challenge, fingerprint } = await service().as('customer').startSignIn(account);
    const proofs = [
      { totpCode: totpCode(secret, 1) },
      ...recoveryCodes.slice(0, 3).map((recoveryCode) => ({ recoveryCode })),
    ];
    const lock = await lockUser(service().databaseUrl, account.userId);
    const responses = Promise.all(
      proofs.map((proof) => client().signInSecondFactor({ fingerprint, body: { challenge, ...proof } })),
    );
    await lock.releaseWhenWaiting(proofs.length);
    const [opened, ...others] = (await responses).sort((one, other) => one.status - other.status);
    if (!opened) throw new Error('There is a response for each proof');
    const device = client().toDevice(opened);
    for (const response of others) expectChallengeInvalid(response);
    const left = (await client().secondFactor(device)).body.recoveryCodesLeft;
    // The rejected requests have not used up their proofs.
    expect(left).to.be.at.least(9);
    expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
      sessions: 2,
      tokenRecords: 2,
    });
  });

  it('accepts a code once for concurrent challenges', async () => {
    const { account, secret } = await service().as('customer').openAccountWithTotp();
    const waiting = await Promise.all([1, 2, 3].map(() => service().as('customer').startSignIn(account)));
    const code = totpCode(secret, 1);
    const lock = await lockUser(service().databaseUrl, account.userId);
    const responses = Promise.all(
      waiting.map(({ challenge, fingerprint }) =>
        client().signInSecondFactor({ fingerprint, body: { challenge, totpCode: code } }),
      ),
    );
    await lock.releaseWhenWaiting(waiting.length);
    expect((await responses).map(({ status }) => status).sort()).to.deep.equal([200, 401, 401]);
  });

  it('requires the factor that is enabled during the password comparison', async () => {
    const { account, lock, confirmation } = await confirmTotpLocked();
    const signIn = client().signIn({ fingerprint: uniqueFingerprint(), body: account });
    await lock.releaseWhenWaiting(2);
    expect((await confirmation).status).to.equal(200);
    readChallenge(await signIn);
  });

  it('rejects the challenge when the factors change while the second step waits', async () => {
    const { account, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const { challenge, fingerprint } = await service().as('customer').startSignIn(account);
    const text = 'update users set factor_version = factor_version + 1 where id = $1';
    const lock = await holdLock(service().databaseUrl, text, [account.userId]);
    const body = { challenge, recoveryCode: recoveryCodes[0] };
    const second = client().signInSecondFactor({ fingerprint, body });
    await lock.commitWhenWaiting(1);
    expectChallengeInvalid(await second);
  });

  it('does not enable a factor for a session that has ended meanwhile', async () => {
    const { account, lock, confirmation } = await confirmTotpLocked();
    await service().records.query('delete from token_records where user_id = $1', [account.userId]);
    await lock.release();
    expectError(await confirmation, 401, 'TOKEN_INVALID');
    const renewed = await client().openDevice(account);
    expect((await client().secondFactor(renewed)).body.totp).to.equal(null);
  });

  it('causes no deadlock between factor changes, sign-ins and sign-outs', async () => {
    const before = await countDeadlocks(service().databaseUrl);
    for (let round = 0; round < 5; round += 1) {
      const { account, device, secret, recoveryCodes } = await service().as('customer').openAccountWithTotp();
      const waiting = await Promise.all([1, 2].map(() => service().as('customer').startSignIn(account)));
      const confirmation = { currentPassword: PASSWORD, totpCode: totpCode(secret, 1) };
      const responses = await Promise.all([
        ...waiting.map(({ challenge, fingerprint }, index) =>
          client().signInSecondFactor({
            fingerprint,
            body: { challenge, recoveryCode: recoveryCodes[index] },
          }),
        ),
        client().recoveryCodesReplace({ ...device, body: confirmation }),
        client().signOut(device),
        client().refreshToken(device),
      ]);
      for (const { status, text } of responses) expect(status, text).to.be.below(500);
    }
    expect(await countDeadlocks(service().databaseUrl)).to.equal(before);
  });
});
