import { ACCOUNT_KINDS, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { TestAccount } from '@platform/shared/testing/device';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode, times } from '../../testing/mailed-codes.ts';
import { expectCookieSet } from '../../testing/refresh-cookie.ts';
import { expectChallengeInvalid, expectFactorInvalid } from '../../testing/second-factor.ts';

describe('code for a new device', () => {
  const service = useAuthService({ NEW_DEVICE_CODE: 'on' });
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  const begin = async ({ email, password }: TestAccount, fields: object = {}) => {
    const fingerprint = uniqueFingerprint();
    const response = await client().signIn({ fingerprint, body: { email, password, ...fields } });
    return { response, fingerprint, challenge: readChallenge(response) };
  };
  type Started = Pick<Awaited<ReturnType<typeof begin>>, 'fingerprint' | 'challenge'>;
  const sendCode = ({ fingerprint, challenge }: Started) =>
    client().signInSecondFactorEmailCode({ fingerprint, body: { challenge } });
  const codeOf = ({ email }: TestAccount, started: Started) =>
    service().mails.codeOf(email, sendCode(started));
  const finish = ({ fingerprint, challenge }: Started, emailCode: string, fields: object = {}) =>
    client().signInSecondFactor({ fingerprint, body: { challenge, emailCode, ...fields } });

  describeEachKind(ACCOUNT_KINDS, service, (ofKind) => {
    it('is asked for once, and the device is known afterwards', async () => {
      const account = await ofKind().createVerifiedAccount();
      const { email, password } = account;
      const fingerprint = uniqueFingerprint();
      const started = await ofKind().signIn({ fingerprint, body: { email, password } });
      const challenge = readChallenge(started);
      expect(started.body.factors).to.deep.equal(['email-code']);
      const sent = await ofKind().signInSecondFactorEmailCode({ fingerprint, body: { challenge } });
      expect({ status: sent.status, body: sent.body }).to.deep.equal({
        status: 200,
        body: { expiresIn: 900, resendIn: 120 },
      });
      const [mail] = await service().mails.queuedFor(email);
      expect(mail).to.include({ template: 'new-device-code' });
      const emailCode = await service().mails.codeFor(email);
      const signedIn = await ofKind().signInSecondFactor({ fingerprint, body: { challenge, emailCode } });
      const device = ofKind().toDevice(signedIn);
      const { data } = (await ofKind().listSessions(device)).body;
      expect(data[0].methods).to.deep.equal(['password', 'email-code']);
      await ofKind().openDevice(account, fingerprint);
    });
  });

  it('is sent to a second device as soon as the first one has entered its own', async () => {
    const account = await client().createVerifiedAccount();
    for (const device of [await begin(account), await begin(account)])
      expect((await finish(device, await codeOf(account, device))).status).to.equal(200);
  });

  describe('after a reset of the password by a code', () => {
    const newPassword = 'A better horse 2';
    const reset = async (fingerprint?: string) => {
      const account = await client().createVerifiedAccount();
      await resetAgain(account, fingerprint);
      return { ...account, password: newPassword };
    };
    const resetAgain = async ({ email }: TestAccount, fingerprint?: string, password = newPassword) => {
      const body = { email, code: await client().requestResetCode(email), newPassword: password };
      const device = fingerprint === undefined ? {} : { fingerprint };
      expect((await client().resetPasswordEmailCode({ ...device, body })).status).to.equal(204);
    };
    const expectAsked = async ({ email, password }: TestAccount, fingerprint: string) =>
      readChallenge(await client().signIn({ fingerprint, body: { email, password } }));

    it('is not asked for on the device that has sent the reset', async () => {
      const fingerprint = uniqueFingerprint();
      const account = await reset(fingerprint);
      await expectAsked(account, uniqueFingerprint());
      await client().openDevice(account, fingerprint);
      await client().openDevice(account, fingerprint);
      await expectAsked(await reset(), fingerprint);
    });

    it('is asked for on that device after 15 minutes, and once another one has sent a reset', async () => {
      const [fingerprint, other] = [uniqueFingerprint(), uniqueFingerprint()];
      const account = await reset(fingerprint);
      await service().redis.passTime(900);
      await expectAsked(account, fingerprint);
      await resetAgain(account, fingerprint, 'A better horse 3');
      await resetAgain(account, other, 'A better horse 4');
      await expectAsked({ ...account, password: 'A better horse 4' }, fingerprint);
    });

    it('is asked for again on that device when it was known only until its first sign-in', async () => {
      const fingerprint = uniqueFingerprint();
      const account = await reset(fingerprint);
      await client().openDevice(account, fingerprint);
      await resetAgain(account, undefined, 'A better horse 3');
      await expectAsked({ ...account, password: 'A better horse 3' }, fingerprint);
    });
  });

  it('is not asked for before the right password, nor while the address is not verified', async () => {
    const account = await client().createVerifiedAccount();
    await client().expectNoSignIn({ email: account.email, password: WRONG_PASSWORD });
    await client().openDevice(await client().createAccount());
  });

  it('is not asked for where a second step is due, whose factors alone count', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await records.verifyEmail(account.userId);
    await client().addPasskey(device);
    await client().enableSecondStep(device);
    const started = await begin(account);
    expect(started.response.body.factors).to.deep.equal(['passkey', 'recovery-code']);
    expectError(await sendCode(started), 409, 'FACTOR_NOT_OFFERED');
    expectError(await finish(started, '000000'), 409, 'FACTOR_NOT_OFFERED');
  });

  it('is asked for by the password of who holds a platform role, too, but never as administrator', async () => {
    const { email, password } = await records.user(['ADMIN', 'CUSTOMER'], { isEmailVerified: true });
    await begin({ email, password } as TestAccount);
    await service().as('administrator').openDevice({ email, password });
  });

  it('is no code for a sign-in without the password, and takes no other factor', async () => {
    const account = await client().createVerifiedAccount();
    const started = await begin(account);
    const emailCode = await codeOf(account, started);
    const body = { email: account.email, code: emailCode };
    expectError(
      await client().signInEmailCode({ fingerprint: uniqueFingerprint(), body }),
      400,
      'CODE_INVALID',
    );
    const { fingerprint, challenge } = started;
    const totp = { fingerprint, body: { challenge, totpCode: '042917' } };
    expectError(await client().signInSecondFactor(totp), 409, 'FACTOR_NOT_OFFERED');
    expectError(await finish(started, emailCode, { totpCode: '042917' }), 400, 'VALIDATION_FAILED');
  });

  it('is wrong on another device, and after a new password', async () => {
    const account = await client().createVerifiedAccount();
    const started = await begin(account);
    const code = await codeOf(account, started);
    expectChallengeInvalid(await finish({ ...started, fingerprint: uniqueFingerprint() }, code));
    await records.query('update users set factor_version = factor_version + 1 where id = $1', [
      account.userId,
    ]);
    expectChallengeInvalid(await finish(started, code));
  });

  it('opens one session when it is sent several times at once', async () => {
    const account = await client().createVerifiedAccount();
    const started = await begin(account);
    const code = await codeOf(account, started);
    const responses = await Promise.all(times(4, () => finish(started, code)));
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401]);
  });

  it('has five tries a challenge, and counts wrong ones with the mailed codes of the account', async () => {
    const account = await client().createVerifiedAccount();
    const started = await begin(account);
    const code = await codeOf(account, started);
    for (const _ of times(5, () => 0)) expectFactorInvalid(await finish(started, getOtherCode(code)));
    expectChallengeInvalid(await finish(started, code));
    const counted = await records.query(
      "select failures from failed_guesses where secret = 'code' and scope = 'account' and subject = $1",
      [account.userId],
    );
    expect(counted).to.deep.equal([{ failures: 5 }]);
  });

  it('uses up no try of the challenge while the codes of the account are paused', async () => {
    const account = await client().createVerifiedAccount();
    const started = await begin(account);
    const code = await codeOf(account, started);
    await records.query(
      `insert into failed_guesses (subject, secret, scope, failures, pending, waits_until, expires_at)
        values ($1, 'code', 'account', 100, 0, now() + interval '1 hour', 'infinity')`,
      [account.userId],
    );
    for (const _ of times(5, () => 0)) expectError(await finish(started, code), 429, 'RATE_LIMITED');
    await records.query('update failed_guesses set waits_until = now() where subject = $1', [account.userId]);
    expect((await finish(started, code)).status).to.equal(200);
  });

  it('has a lock that outlives the challenge', async () => {
    const account = await client().createVerifiedAccount();
    await codeOf(account, await begin(account));
    expectError(await sendCode(await begin(account)), 429, 'RESEND_LOCKED');
    await service().redis.passTime(120);
    await codeOf(account, await begin(account));
  });

  it('keeps the choice to stay signed in', async () => {
    const account = await client().createVerifiedAccount();
    const started = await begin(account, { staySignedIn: true });
    const finished = await finish(started, await codeOf(account, started));
    expectCookieSet(finished, CUSTOMER.refreshCookie, 2_592_000);
  });

  it('lets no stolen password in from new devices', async () => {
    const account = await client().createVerifiedAccount();
    await codeOf(account, await begin(account));
    for (const guess of times(4, (index) => `11111${index}`))
      expectFactorInvalid(await finish(await begin(account), guess));
  });
});

describe('code for a new device where it is off', () => {
  const service = useAuthService();
  const client = () => service().as('customer');

  it('is not asked for, and its operation knows no such sign-in', async () => {
    await client().openDevice(await client().createVerifiedAccount());
    const { account } = await client().openAccountWithTotp();
    const started = await client().startSignIn(account);
    const { fingerprint, challenge } = started;
    expectError(
      await client().signInSecondFactorEmailCode({ fingerprint, body: { challenge } }),
      409,
      'FACTOR_NOT_OFFERED',
    );
    expectChallengeInvalid(
      await client().signInSecondFactorEmailCode({ fingerprint, body: { challenge: 'unknown' } }),
    );
  });
});
