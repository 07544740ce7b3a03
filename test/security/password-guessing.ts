import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { countStatuses, type Fixture, KINDS, refreshCookieHeader, type User } from './fixture.ts';

const NEW_PASSWORD = 'A better horse 2';
const FREE_ATTEMPTS = 5;
const range = (length: number) => Array.from({ length }, (_, index) => index);

type Guess = { password?: string; fingerprint?: string; from?: string };

/** Signs in at auth-service directly, so that X-Forwarded-For sets the client address. */
const createGuesser = ({ stack }: Fixture) => {
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

  const inbox = createInboxClient(fixture.stack.inboxUrl);
  const post = (tail: string, body: object) =>
    fixture.send(`${CUSTOMER.path}/reset-password/email/${tail}`, { method: 'POST', body });
  await post('code/send', { email });
  const code = codeIn(await inbox.untilMail(email, 'Your code to reset the password'));
  await post('code', { email, code, newPassword: NEW_PASSWORD });
  const afterReset = await guess(owner, { password: NEW_PASSWORD, from: '203.0.113.10' });
  fixture.check(afterReset.status === 200, 'the owner on a new device after a reset by code', afterReset);
};

const testCurrentPassword = async (fixture: Fixture): Promise<void> => {
  fixture.section(
    'Password change throttle: guesses at the current password are limited with a stolen refresh token',
  );
  const body = { currentPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD };
  for (const kind of KINDS) {
    const change = (user: User) =>
      fixture.send(`${kind.path}/reset-password/me`, {
        method: 'POST',
        headers: refreshCookieHeader(user),
        body,
      });
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

/** Counts the bcrypt rounds that auth-service computes for one wrong sign-in. */
export const createRoundsCounter = (fixture: Fixture) => {
  const guess = createGuesser(fixture);
  const readTotal = async (): Promise<number> => {
    const metrics = await (await fetch(`${fixture.stack.opsUrls.auth}/metrics`)).text();
    return Number(/^password_hash_rounds_total\{.*\} (\S+)$/m.exec(metrics)?.[1]);
  };
  return async (email: string): Promise<number> => {
    const before = await readTotal();
    await guess({ kind: CUSTOMER, email });
    return (await readTotal()) - before;
  };
};

const testHashTiming = async (fixture: Fixture): Promise<void> => {
  fixture.section('Timing: a wrong password costs the same bcrypt rounds for every account and for none');
  const createUserWithCost = async (cost: number): Promise<string> => {
    const { id, email } = await fixture.records.user(['CUSTOMER']);
    // Matches no password.
    const values = [id, `$2b$0${cost}$${'A'.repeat(53)}`];
    await fixture.records.query('update users set password_hash = $2 where id = $1', values);
    return email;
  };
  const MAX_COST = 7;
  const emails = [
    uniqueEmail(),
    await createUserWithCost(4),
    await createUserWithCost(5),
    await createUserWithCost(MAX_COST),
  ];
  const countRounds = createRoundsCounter(fixture);
  const isMaxCostKnown = async () => (await countRounds(uniqueEmail())) === 2 ** MAX_COST;
  await waitFor('auth-service has read the highest cost', isMaxCostKnown, 15).catch(() => undefined);
  const rounds: number[] = [];
  for (const email of emails) rounds.push(await countRounds(email));
  fixture.check(
    rounds.every((count) => count === 2 ** MAX_COST),
    'rounds of bcrypt for an unknown e-mail, and hashes of cost 4, 5 and 7',
    rounds.join(', '),
  );
};

export const testPasswordGuessing = async (fixture: Fixture): Promise<void> => {
  await testManyAddresses(fixture);
  await testKnownFingerprint(fixture);
  await testCurrentPassword(fixture);
  await testHashTiming(fixture);
};
