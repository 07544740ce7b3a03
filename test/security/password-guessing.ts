import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { countStatuses, type Fixture, KINDS, range, type User } from './fixture.ts';

const NEW_PASSWORD = 'A better horse 2';
const FREE_ATTEMPTS = 5;

type Guess = { password?: string; fingerprint?: string; from?: string };

/** Signs in at auth-service directly, so that X-Forwarded-For sets the client address. */
export const createGuesser = ({ stack }: Fixture) => {
  const authService = createHttpClient(stack.authUrl);
  return ({ kind, email }: Pick<User, 'kind' | 'email'>, guess: Guess = {}): Promise<HttpResponse> => {
    const { password = WRONG_PASSWORD, fingerprint = uniqueFingerprint(), from = '198.51.100.1' } = guess;
    const headers = { 'X-Fingerprint': fingerprint, 'X-Forwarded-For': from };
    return authService.send({
      method: 'POST',
      path: `${kind.path}/sign-in`,
      headers,
      body: { email, password },
    });
  };
};

const testManyAddresses = async (fixture: Fixture): Promise<void> => {
  fixture.section('Sign-in throttle: changing the client address does not reset it');
  const guess = createGuesser(fixture);
  const expected = `${FREE_ATTEMPTS} × 401 INVALID_CREDENTIALS, 15 × 429 RATE_LIMITED`;
  const check = async (attack: string, attempts: Promise<HttpResponse>[]) => {
    const outcome = countStatuses(await Promise.all(attempts));
    fixture.check(outcome === expected, attack, outcome);
  };
  for (const kind of KINDS) {
    const user = await fixture.createUser(kind);
    const attempts = range(20).map((index) => guess(user, { from: `2001:db8:5:5::${index + 1}` }));
    await check(`20 addresses of one IPv6 /64, ${kind.plural}`, attempts);
  }
  const { email, kind } = await fixture.createUser(CUSTOMER);
  const attempts = range(20).map((index) =>
    fixture.send(`${kind.path}/sign-in`, {
      method: 'POST',
      headers: { 'X-Fingerprint': uniqueFingerprint(), 'X-Forwarded-For': `198.51.100.${index + 1}` },
      body: { email, password: WRONG_PASSWORD },
    }),
  );
  await check('20 forged X-Forwarded-For through the gateway', attempts);
};

const testKnownFingerprint = async (fixture: Fixture): Promise<void> => {
  fixture.section('Sign-in throttle: the owner signs in on a known device while the account is locked out');
  const guess = createGuesser(fixture);
  const owner = await fixture.createUser(CUSTOMER);
  const { email, password, device } = owner;
  const failures: HttpResponse[] = [];
  for (const index of range(100)) failures.push(await guess(owner, { from: `198.51.100.${index + 2}` }));
  fixture.check(
    failures.every(({ status }) => status === 401),
    '100 guesses from 100 addresses',
    countStatuses(failures),
  );
  const { fingerprint } = device;
  const stolen = await guess(owner, { fingerprint, from: '203.0.113.9' });
  fixture.check(stolen.status === 429, "a guess with the owner's fingerprint from another network", stolen);
  const lockedOut = await guess(owner, { password, from: '203.0.113.10' });
  fixture.check(lockedOut.status === 429, 'the correct password on a new device', lockedOut);
  const signedIn = await fixture.signIn(owner, fingerprint);
  fixture.check(signedIn.status === 200, 'the owner on the known device and network', signedIn);

  const { auth } = owner.factors;
  await auth.sendResetCode({ email });
  const code = codeIn(await fixture.inbox.untilMail(email, 'Your code to reset the password'));
  await auth.resetPassword({ email, code, newPassword: NEW_PASSWORD });
  const afterReset = await guess(owner, { password: NEW_PASSWORD, from: '203.0.113.10' });
  fixture.check(afterReset.status === 200, 'the owner on a new device after a reset by code', afterReset);
};

const testCurrentPassword = async (fixture: Fixture): Promise<void> => {
  fixture.section(
    'Password change throttle: guesses at the current password are limited with a stolen refresh token',
  );
  const body = { currentPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD };
  for (const kind of KINDS) {
    const change = ({ factors, device }: User) => factors.auth.changePassword(device, body);
    const check = (attack: string, responses: HttpResponse[], maxVerified: number) => {
      const verified = responses.filter(({ code }) => code === 'CURRENT_PASSWORD_WRONG').length;
      const rejected = responses.filter(({ code }) => code === 'RATE_LIMITED').length;
      const holds =
        verified >= FREE_ATTEMPTS && verified <= maxVerified && verified + rejected === responses.length;
      fixture.check(holds, `${attack}, ${kind.plural}`, countStatuses(responses));
    };
    const [first, second] = [await fixture.createUser(kind), await fixture.createUser(kind)];
    const sequential: HttpResponse[] = [];
    for (const _ of range(60)) sequential.push(await change(first));
    // A slow loop may get further attempts verified: the delays are 1 s, 2 s, 4 s and so on.
    check('60 sequential guesses', sequential, FREE_ATTEMPTS + 3);
    check('60 concurrent guesses', await Promise.all(range(60).map(() => change(second))), FREE_ATTEMPTS);
  }
};

export const testPasswordGuessing = async (fixture: Fixture): Promise<void> => {
  await testManyAddresses(fixture);
  await testKnownFingerprint(fixture);
  await testCurrentPassword(fixture);
};
