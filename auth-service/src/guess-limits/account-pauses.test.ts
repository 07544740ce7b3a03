import { type AccountKind, type AuthClient, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { readChallenge } from '@platform/shared/testing/factor-flows';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { countDeadlocks, queryDatabase } from '@platform/shared/testing/query-database';
import { observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type RunningAuthService, useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';
import { WRONG_CODE } from '../../testing/second-factor.ts';
import {
  attemptSignIn,
  createNetworks,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  range,
  setFailures,
} from '../../testing/sign-in-attempts.ts';

const SECRETS = ['password', 'second-factor', 'code'] as const;
type Secret = (typeof SECRETS)[number];
type Client = { from?: string | undefined; fingerprint?: string };

const ACCOUNT_FAILURES = 100;
const HOUR_SECONDS = 3_600;
const NEW_PASSWORD = 'A better horse 2';

/** The responses to correct secrets, of an account with a second factor. */
const RIGHT: Record<Secret, [status: number, code?: string]> = {
  password: [401, 'SECOND_FACTOR_REQUIRED'],
  'second-factor': [200],
  code: [204],
};
const WRONG: Record<Secret, [status: number, code: string]> = {
  password: [401, 'INVALID_CREDENTIALS'],
  'second-factor': [401, 'SECOND_FACTOR_INVALID'],
  code: [400, 'CODE_INVALID'],
};

const resetByCode = async (
  service: RunningAuthService,
  email: string,
  client: AuthClient = service.as('customer'),
) => {
  expect((await client.resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
  const code = await service.mails.codeFor(email);
  return await client.resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } });
};

describe('pause of an account', () => {
  const service = useAuthService({ PASSWORD_QUEUE_LIMIT: '1000' });
  const client = () => service().as('customer');
  const endPauses = () =>
    queryDatabase(service().databaseUrl, 'update failed_guesses set waits_until = now()');
  /** Waits for this many notices, which are sent in the background. */
  const noticesTo = (email: string, count: number) =>
    waitFor(`${count} notices`, async () => {
      const mails = await service().mails.outboxFor(email);
      const notices = mails.filter(({ template }) => ['guessing-paused', 'wrong-factors'].includes(template));
      return notices.length >= count && notices;
    });
  const newNetwork = createNetworks();

  /** Creates an account with a second factor, a known device, and a code that resets the password. */
  const begin = async () => {
    const { account, device, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    const { email, password, userId } = account;
    const code = await service().as('customer').requestResetCode(email);

    const guess: Record<Secret, (isRight: boolean, from: Client) => Promise<HttpResponse>> = {
      password: (isRight, from) =>
        attemptSignIn(service(), CUSTOMER, { email, password: isRight ? password : WRONG_PASSWORD, ...from }),
      // The first step comes from the known device, which no pause affects.
      'second-factor': async (isRight, { from, fingerprint = device.fingerprint }) => {
        const challenge = readChallenge(await client().signIn({ fingerprint, body: { email, password } }));
        const proof = isRight ? { recoveryCode: recoveryCodes.pop() } : { totpCode: WRONG_CODE };
        const headers = { 'X-Forwarded-For': from };
        return await client().signInSecondFactor({ fingerprint, body: { challenge, ...proof }, headers });
      },
      code: (isRight, { from, fingerprint }) =>
        client().resetPasswordEmailCode({
          body: { email, code: isRight ? code : getOtherCode(code), newPassword: NEW_PASSWORD },
          headers: { 'X-Forwarded-For': from, 'X-Fingerprint': fingerprint },
        }),
    };
    const expectOutcome = async (response: Promise<HttpResponse>, expected: [number, string?]) => {
      const { status, body, text } = await response;
      expect([status, body.code], text).to.deep.equal([expected[0], expected[1]]);
    };
    const succeed = (secret: Secret, from: Client = { from: newNetwork() }) =>
      expectOutcome(guess[secret](true, from), RIGHT[secret]);
    const fail = (secret: Secret, from: Client = { from: newNetwork() }) =>
      expectOutcome(guess[secret](false, from), WRONG[secret]);
    /** Returns the rest of the pause. */
    const expectPaused = async (secret: Secret, from: Client = { from: newNetwork() }): Promise<number> => {
      const response = await guess[secret](true, from);
      expectThrottled(response);
      return Number(response.headers['retry-after']);
    };
    const setCount = (secret: Secret, failures: number): Promise<void> =>
      setFailures(service().databaseUrl, userId, secret, failures);
    const readCount = async (secret: Secret): Promise<number> => {
      const query = 'select failures from failed_guesses where subject = $1 and secret = $2';
      const [row] = await queryDatabase<{ failures: number }>(service().databaseUrl, query, [userId, secret]);
      return row?.failures ?? 0;
    };
    /** Records `failures - 1` failures and causes another one, which begins the pause. */
    const pause = async (secret: Secret, failures = ACCOUNT_FAILURES): Promise<void> => {
      await setCount(secret, failures - 1);
      await fail(secret);
    };
    return { account, device, succeed, fail, expectPaused, setCount, readCount, pause };
  };

  for (const secret of SECRETS)
    describe(`after wrong guesses of the ${secret}`, () => {
      it('counts no rejected attempt, uses up no proof, and ends with a success of the owner', async () => {
        const { device, succeed, readCount, pause, expectPaused } = await begin();
        await pause(secret);
        for (const _ of range(3)) await expectPaused(secret);
        expect(await readCount(secret)).to.equal(ACCOUNT_FAILURES);
        expect((await client().secondFactor(device)).body.recoveryCodesLeft).to.equal(10);
        // The password alone is no success for an account with a second factor.
        const proved = secret === 'password' ? 'second-factor' : secret;
        await succeed(proved, { fingerprint: device.fingerprint });
        expect(await readCount(secret)).to.equal(0);
      });

      it('does not affect a known device on its network, but does affect its fingerprint elsewhere', async () => {
        const { device, pause, fail, succeed, expectPaused } = await begin();
        await pause(secret);
        await expectPaused(secret, { fingerprint: device.fingerprint, from: newNetwork() });
        await expectPaused(secret, { fingerprint: uniqueFingerprint() });
        await fail(secret, { fingerprint: device.fingerprint });
        await succeed(secret, { fingerprint: device.fingerprint });
      });

      for (const other of SECRETS.filter((each) => each !== secret))
        it(`does not affect the ${other}`, async () => {
          const { pause, succeed, expectPaused } = await begin();
          await pause(secret);
          await expectPaused(secret);
          await succeed(other);
        });

      it('reaches the owner in one mail', async () => {
        const { account, device, pause, fail, expectPaused } = await begin();
        await pause(secret);
        await expectPaused(secret);
        await fail(secret, { fingerprint: device.fingerprint });
        await endPauses();
        await pause(secret, 200);
        const notices = await noticesTo(account.email, 2);
        expect(notices.map(({ template }) => template)).to.deep.equal(['guessing-paused', 'guessing-paused']);
        for (const [index, notice] of notices.entries()) {
          if (notice.template !== 'guessing-paused') throw new Error(notice.template);
          expect(notice.secret).to.equal(secret);
          const seconds = (Date.parse(notice.pausedUntil) - Date.now()) / 1_000;
          expect(seconds).to.be.within((index + 1) * HOUR_SECONDS - 60, (index + 1) * HOUR_SECONDS);
        }
      });
    });

  it('counts the correct password of an account with a second factor neither as a failure nor as a success', async () => {
    const { fail, succeed, setCount, expectPaused } = await begin();
    await setCount('password', 98);
    for (const _ of range(3)) await succeed('password');
    await fail('password');
    for (const _ of range(3)) await succeed('password');
    await fail('password');
    await expectPaused('password');
  });

  it('follows one notice after five wrong second factors, in the owner’s language', async () => {
    const { account, fail } = await begin();
    const setLanguage = "update users set language = 'de' where id = $1";
    await queryDatabase(service().databaseUrl, setLanguage, [account.userId]);
    // Five wrong passwords or codes cause no notice.
    for (const secret of ['password', 'code'] as const)
      for (const _ of range(FREE_ATTEMPTS)) await fail(secret);
    for (const _ of range(2 * FREE_ATTEMPTS)) await fail('second-factor');
    const [notice, ...others] = await noticesTo(account.email, 1);
    expect(notice).to.include({ template: 'wrong-factors', language: 'de' });
    expect(others).to.deep.equal([]);
  });

  it('does not affect the last twenty networks of a known device', async () => {
    const { email, password, userId } = await client().createAccount();
    const fingerprint = uniqueFingerprint();
    const networks = range(21).map(newNetwork);
    const [first, second, third] = networks;
    for (const from of [...networks.slice(0, 20), first, ...networks.slice(20)])
      expect(
        (await attemptSignIn(service(), CUSTOMER, { email, password, fingerprint, from })).status,
      ).to.equal(200);
    await setFailures(service().databaseUrl, userId, 'password', ACCOUNT_FAILURES - 1);
    expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email, from: newNetwork() }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email, fingerprint, from: second }));
    for (const from of [first, third, networks.at(-1)])
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email, fingerprint, from }));
  });

  it('begins after exactly a hundred of 160 concurrent sign-ins from many networks', async () => {
    const { email } = await client().createAccount();
    const deadlocks = await countDeadlocks(service().databaseUrl);
    /** A busy machine hashes fewer passwords within 3 s; who is told to come again does so. */
    const attempt = async (): Promise<HttpResponse> => {
      const response = await attemptSignIn(service(), CUSTOMER, { email, from: newNetwork() });
      return response.status === 503 ? attempt() : response;
    };
    const responses = await Promise.all(range(160).map(attempt));
    const ofStatus = (status: number) => responses.filter((response) => response.status === status);
    expect(ofStatus(401)).to.have.length(ACCOUNT_FAILURES);
    for (const response of responses.filter(({ status }) => status !== 401)) expectThrottled(response);
    expect(await countDeadlocks(service().databaseUrl)).to.equal(deadlocks);
  });

  it('is the same for a kind that the user is not of', async () => {
    const { userId, email } = await client().createAccount();
    const attempt = (kind: AccountKind) => attemptSignIn(service(), kind, { email, from: newNetwork() });
    await setFailures(service().databaseUrl, userId, 'password', ACCOUNT_FAILURES - 1);
    expectInvalidCredentials(await attempt(EMPLOYEE));
    const [other, own] = [await attempt(EMPLOYEE), await attempt(CUSTOMER)];
    expectThrottled(own);
    expect(observable(other)).to.deep.equal(observable(own));
    await noticesTo(email, 1);
  });

  describe('of an unknown e-mail', () => {
    const attempt = (email: string, from = newNetwork()) =>
      attemptSignIn(service(), CUSTOMER, { email, from });
    /** Prepares a known and an unknown e-mail that are one failure away from the next pause. */
    const prepare = async (emails: string[], failures: number) => {
      for (const email of emails) expectInvalidCredentials(await attempt(email));
      const text = "update failed_guesses set failures = $1 where scope in ('email', 'account')";
      await queryDatabase(service().databaseUrl, text, [failures]);
    };

    it('begins like that of an account, but nobody is notified', async () => {
      const [{ email: known }, unknown] = [await client().createAccount(), uniqueEmail()];
      for (const [failures, hours] of [
        [100, 1],
        [200, 2],
      ] as const) {
        await prepare([known, unknown], failures - 1);
        for (const email of [known, unknown]) expectInvalidCredentials(await attempt(email));
        const [one, other] = [await attempt(known), await attempt(unknown)];
        expect(observable(other)).to.deep.equal(observable(one));
        for (const response of [one, other]) {
          expectThrottled(response);
          const seconds = Number(response.headers['retry-after']);
          expect(seconds).to.be.within(hours * HOUR_SECONDS - 60, hours * HOUR_SECONDS);
        }
        await endPauses();
      }
      await noticesTo(known, 2);
      expect(await service().mails.outboxFor(unknown)).to.deep.equal([]);
    });

    it('begins too after failures that are hours apart', async () => {
      const emails = [(await client().createAccount()).email, uniqueEmail()];
      await prepare(emails, ACCOUNT_FAILURES - 1);
      const text = "update failed_guesses set expires_at = expires_at - interval '23 hours'";
      await queryDatabase(service().databaseUrl, text);
      for (const email of emails) {
        expectInvalidCredentials(await attempt(email));
        expectThrottled(await attempt(email));
      }
    });
  });

  it('costs no hash for the attempts that it rejects, as for an unknown e-mail', async () => {
    const [account, other] = [await client().createAccount(), await client().createAccount()];
    const { email, userId } = account;
    await setFailures(service().databaseUrl, userId, 'password', ACCOUNT_FAILURES - 1);
    expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email, from: newNetwork() }));
    const before = await service().metric('password_hash_duration_seconds_count');
    for (const _ of range(5))
      expectThrottled(await attemptSignIn(service(), CUSTOMER, { email, from: newNetwork() }));
    await client().openDevice(other);
    expect(await service().metric('password_hash_duration_seconds_count')).to.equal(before + 1);
  });

  it('of the password ends with a reset by code, while the delay of a network stays', async () => {
    const { email, userId } = await client().createAccount();
    const attacker = newNetwork();
    for (const index of range(10)) {
      if (index >= FREE_ATTEMPTS) await endDelays(service());
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email, from: attacker }));
    }
    await setFailures(service().databaseUrl, userId, 'password', ACCOUNT_FAILURES - 1);
    expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email, from: newNetwork() }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email, from: newNetwork() }));
    expect((await resetByCode(service(), email)).status).to.equal(204);
    const renewed = { email, password: NEW_PASSWORD };
    expect((await attemptSignIn(service(), CUSTOMER, { ...renewed, from: newNetwork() })).status).to.equal(
      200,
    );
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { ...renewed, from: attacker }));
  });
});
