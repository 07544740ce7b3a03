import { connectBlockingRedis } from '@platform/shared/redis/redis';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import type { Scene } from './fixture.ts';
import { type Answer, createWebClient, show } from './web-client.ts';

const SUBJECT = 'Your code to reset the password';
const RESET = `${CUSTOMER.path}/reset-password/email/code`;
const NEW_PASSWORD = 'Another good horse 3';

/** Never the code itself. */
const wrongCodes = (code: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
  );

const tally = (answers: Answer[]): string => {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(show(answer), (counts.get(show(answer)) ?? 0) + 1);
  return [...counts].map(([shown, count]) => `${count} × ${shown}`).join(', ');
};

const createAttacker = (scene: Scene) => {
  // Directly at the service, in the gateway's words: each address is another client network.
  const service = createWebClient(scene.stack.authUrl);
  const inbox = createInboxClient(scene.stack.inboxUrl);
  const guess = (email: string, code: string, network: number): Promise<Answer> =>
    service(RESET, {
      method: 'POST',
      headers: { 'X-Forwarded-For': `203.0.113.${network + 1}` },
      body: { email, code, newPassword: NEW_PASSWORD },
    });
  return {
    guess,
    /** Five from each network. */
    guessFromNetworks: (email: string, code: string, count: number): Promise<Answer[]> =>
      Promise.all(wrongCodes(code, count).map((wrong, index) => guess(email, wrong, Math.floor(index / 5)))),
    sendCode: (email: string): Promise<Answer> =>
      scene.send(`${RESET}/send`, { method: 'POST', body: { email } }),
    /** What the owner types, through the gateway. */
    reset: (email: string, code: string): Promise<Answer> =>
      scene.send(RESET, { method: 'POST', body: { email, code, newPassword: NEW_PASSWORD } }),
    codeFor: async (email: string): Promise<string> => codeIn(await inbox.untilMail(email, SUBJECT)),
  };
};

type Attacker = ReturnType<typeof createAttacker>;

/** As an attacker does who waits two minutes between two codes. */
const endResendLocks = async (redisUrl: string): Promise<void> => {
  const redis = connectBlockingRedis(redisUrl, () => undefined);
  const locks = await redis.keys('*-resend-lock:*');
  if (locks.length > 0) await redis.del(locks);
  redis.destroy();
};

const tryStrangers = async (scene: Scene, attacker: Attacker): Promise<void> => {
  scene.section("A stranger who uses up the attempts for somebody's code");
  for (const [count, expected] of [
    [5, '204'],
    [19, '204'],
    [20, '400 CODE_INVALID'],
  ] as const) {
    const { email } = await scene.person(CUSTOMER);
    await attacker.sendCode(email);
    const code = await attacker.codeFor(email);
    const guesses = await attacker.guessFromNetworks(email, code, count);
    const answer = await attacker.reset(email, code);
    scene.check(
      guesses.every((guess) => guess.code === 'CODE_INVALID') && show(answer) === expected,
      `${count} wrong guesses, five from each network, then the owner's right code`,
      `${tally(guesses)}, then ${show(answer)}`,
    );
  }
  const { email } = await scene.person(CUSTOMER);
  await attacker.sendCode(email);
  const code = await attacker.codeFor(email);
  const guesses = await Promise.all(wrongCodes(code, 100).map((wrong) => attacker.guess(email, wrong, 0)));
  const sixth = await attacker.guess(email, code, 0);
  const owner = await attacker.reset(email, code);
  scene.check(
    show(sixth) === '400 CODE_INVALID' && show(owner) === '204',
    'a hundred guesses at once from one network, then the right code from there, then from the owner',
    `${tally(guesses)}, then ${show(sixth)}, then ${show(owner)}`,
  );
};

const tryOnAndOn = async (scene: Scene, attacker: Attacker): Promise<void> => {
  scene.section('Guessing that goes on with one code after the other, for a known and an unknown e-mail');
  const known = (await scene.person(CUSTOMER)).email;
  for (const [who, email] of [
    ['known', known],
    ['unknown', uniqueEmail()],
  ] as const) {
    const guesses: Answer[] = [];
    const sent: Answer[] = [];
    for (let round = 0; round < 11; round += 1) {
      sent.push(await attacker.sendCode(email));
      guesses.push(...(await attacker.guessFromNetworks(email, '000000', 20)));
      await endResendLocks(scene.stack.redisUrl);
    }
    const last = guesses.at(-1);
    scene.check(
      tally(guesses) === '100 × 400 CODE_INVALID, 120 × 429 RATE_LIMITED',
      `220 guesses at eleven codes of ${who}`,
      `${tally(guesses)}, Retry-After ${last?.headers['retry-after']}`,
    );
    scene.check(
      tally(sent) === '10 × 200, 1 × 429 RESEND_LOCKED',
      `eleven codes within an hour for ${who}`,
      `${tally(sent)}, Retry-After ${sent.at(-1)?.headers['retry-after']}`,
    );
  }
};

export const attackCodes = async (scene: Scene): Promise<void> => {
  const attacker = createAttacker(scene);
  await tryStrangers(scene, attacker);
  await tryOnAndOn(scene, attacker);
};
