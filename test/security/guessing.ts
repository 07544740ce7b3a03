import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { cookieOf, KINDS, type Person, type Scene } from './fixture.ts';
import { type Answer, createWebClient, show } from './web-client.ts';

const NEW_PASSWORD = 'A better horse 2';
const FREE = 5;
const range = (length: number) => Array.from({ length }, (_, index) => index);

/** `5 × 401 INVALID_CREDENTIALS, 15 × 429 RATE_LIMITED` */
const summarize = (answers: readonly Answer[]): string =>
  [...Map.groupBy(answers, show)].map(([shown, { length }]) => `${length} × ${shown}`).join(', ');

type Guess = { password?: string; fingerprint?: string; from?: string };

/** Sign-ins at auth-service with a client address, as the gateway states it. */
const createGuesser = ({ stack }: Scene) => {
  const send = createWebClient(stack.authUrl);
  return ({ kind, email }: Pick<Person, 'kind' | 'email'>, guess: Guess = {}): Promise<Answer> => {
    const { password = WRONG_PASSWORD, fingerprint = uniqueFingerprint(), from = '198.51.100.1' } = guess;
    const headers = { 'X-Fingerprint': fingerprint, 'X-Forwarded-For': from };
    return send(`${kind.path}/sign-in`, { method: 'POST', headers, body: { email, password } });
  };
};

const tryManyAddresses = async (scene: Scene): Promise<void> => {
  scene.section('Passwords are guessed from a new address each time');
  const guess = createGuesser(scene);
  const expected = `${FREE} × 401 INVALID_CREDENTIALS, 15 × 429 RATE_LIMITED`;
  const check = async (tried: string, tries: Promise<Answer>[]) => {
    const answered = summarize(await Promise.all(tries));
    scene.check(answered === expected, tried, answered);
  };
  for (const kind of KINDS) {
    const person = await scene.person(kind);
    const tries = range(20).map((index) => guess(person, { from: `2001:db8:5:5::${index + 1}` }));
    await check(`20 addresses of one IPv6 /64, ${kind.plural}`, tries);
  }
  const { email, kind } = await scene.person(CUSTOMER);
  const tries = range(20).map((index) =>
    scene.send(`${kind.path}/sign-in`, {
      method: 'POST',
      headers: { 'X-Fingerprint': uniqueFingerprint(), 'X-Forwarded-For': `198.51.100.${index + 1}` },
      body: { email, password: WRONG_PASSWORD },
    }),
  );
  await check('20 forged X-Forwarded-For through the gateway', tries);
};

const tryKnownFingerprint = async (scene: Scene): Promise<void> => {
  scene.section('A hundred failures from as many networks, then the fingerprint of the owner’s device');
  const guess = createGuesser(scene);
  const owner = await scene.person(CUSTOMER);
  const { email, password, device } = owner;
  const failures: Answer[] = [];
  for (const index of range(100)) failures.push(await guess(owner, { from: `198.51.100.${index + 2}` }));
  scene.check(
    failures.every(({ status }) => status === 401),
    '100 guesses from 100 addresses',
    summarize(failures),
  );
  const { fingerprint } = device;
  const stranger = await guess(owner, { fingerprint, from: '203.0.113.9' });
  scene.check(stranger.status === 429, "a guess with the owner's fingerprint from another network", stranger);
  const shutOut = await guess(owner, { password, from: '203.0.113.10' });
  scene.check(shutOut.status === 429, 'the right password on a new device', shutOut);
  const signedIn = await scene.signIn(owner, fingerprint);
  scene.check(signedIn.status === 200, 'the owner on the known device and network', signedIn);

  const inbox = createInboxClient(scene.stack.inboxUrl);
  const post = (tail: string, body: object) =>
    scene.send(`${CUSTOMER.path}/reset-password/email/${tail}`, { method: 'POST', body });
  await post('code/send', { email });
  const code = codeIn(await inbox.untilMail(email, 'Your code to reset the password'));
  await post('code', { email, code, newPassword: NEW_PASSWORD });
  const renewed = await guess(owner, { password: NEW_PASSWORD, from: '203.0.113.10' });
  scene.check(renewed.status === 200, 'the owner on a new device after a reset by code', renewed);
};

const tryCurrentPassword = async (scene: Scene): Promise<void> => {
  scene.section('The current password is guessed with a stolen refresh token');
  const body = { currentPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD };
  for (const kind of KINDS) {
    const change = (person: Person) =>
      scene.send(`${kind.path}/reset-password/me`, { method: 'POST', headers: cookieOf(person), body });
    const check = (tried: string, answers: Answer[], most: number) => {
      const judged = answers.filter(({ code }) => code === 'CURRENT_PASSWORD_WRONG').length;
      const refused = answers.filter(({ code }) => code === 'RATE_LIMITED').length;
      const holds = judged >= FREE && judged <= most && judged + refused === answers.length;
      scene.check(holds, `${tried}, ${kind.plural}`, summarize(answers));
    };
    const [one, other] = [await scene.person(kind), await scene.person(kind)];
    const inARow: Answer[] = [];
    for (const _ of range(60)) inARow.push(await change(one));
    // Each second that the loop takes may let one more pass: the delay is 1 s, then 2 s, 4 s, ….
    check('60 in a row', inARow, FREE + 3);
    check('60 at once', await Promise.all(range(60).map(() => change(other))), FREE);
  }
};

/** The bcrypt rounds that auth-service computes for one wrong sign-in. */
const createRoundsCounter = (scene: Scene) => {
  const guess = createGuesser(scene);
  const read = async (): Promise<number> => {
    const page = await (await fetch(`${scene.stack.opsUrls.auth}/metrics`)).text();
    return Number(/^password_hash_rounds_total\{.*\} (\S+)$/m.exec(page)?.[1]);
  };
  return async (email: string): Promise<number> => {
    const before = await read();
    await guess({ kind: CUSTOMER, email });
    return (await read()) - before;
  };
};

const tryWorkOfHashes = async (scene: Scene): Promise<void> => {
  scene.section('Does the work of a wrong password tell an account, or the age of its hash?');
  const accountOf = async (cost: number): Promise<string> => {
    const { id, email } = await scene.records.user(['CUSTOMER']);
    // The hash of no known password.
    const values = [id, `$2b$0${cost}$${'A'.repeat(53)}`];
    await scene.records.query('update users set password_hash = $2 where id = $1', values);
    return email;
  };
  const HIGHEST = 7;
  const emails = [uniqueEmail(), await accountOf(4), await accountOf(5), await accountOf(HIGHEST)];
  const roundsOf = createRoundsCounter(scene);
  const isRead = async () => (await roundsOf(uniqueEmail())) === 2 ** HIGHEST;
  await waitFor('auth-service has read the highest cost', isRead, 15).catch(() => undefined);
  const rounds: number[] = [];
  for (const email of emails) rounds.push(await roundsOf(email));
  scene.check(
    rounds.every((count) => count === 2 ** HIGHEST),
    'rounds of bcrypt for an unknown e-mail, and hashes of cost 4, 5 and 7',
    rounds.join(', '),
  );
};

export const attackByGuessing = async (scene: Scene): Promise<void> => {
  await tryManyAddresses(scene);
  await tryKnownFingerprint(scene);
  await tryCurrentPassword(scene);
  await tryWorkOfHashes(scene);
};
