import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { deleteResendLocks } from '../code-time.ts';
import { countStatuses, type Fixture } from './fixture.ts';

const SUBJECT = 'Your code to reset the password';
const RESET = `${CUSTOMER.path}/reset-password/email/code`;
const NEW_PASSWORD = 'Another good horse 3';

/** Codes that differ from `code` and from each other. */
const createWrongCodes = (code: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
  );

const createAttacker = (fixture: Fixture) => {
  // Bypasses the gateway, so that X-Forwarded-For sets the client network.
  const authService = createHttpClient(fixture.stack.authUrl);
  const guess = (email: string, code: string, network: number): Promise<HttpResponse> =>
    authService.send({
      path: RESET,
      method: 'POST',
      headers: { 'X-Forwarded-For': `203.0.113.${network + 1}` },
      body: { email, code, newPassword: NEW_PASSWORD },
    });
  return {
    guess,
    /** Five guesses from each network. */
    guessFromNetworks: (email: string, code: string, count: number): Promise<HttpResponse[]> =>
      Promise.all(
        createWrongCodes(code, count).map((wrong, index) => guess(email, wrong, Math.floor(index / 5))),
      ),
    sendCode: (email: string): Promise<HttpResponse> =>
      fixture.send(`${RESET}/send`, { method: 'POST', body: { email } }),
    /** As the owner of the account, through the gateway. */
    reset: (email: string, code: string): Promise<HttpResponse> =>
      fixture.send(RESET, { method: 'POST', body: { email, code, newPassword: NEW_PASSWORD } }),
    readCode: async (email: string): Promise<string> => codeIn(await fixture.inbox.untilMail(email, SUBJECT)),
  };
};

type Attacker = ReturnType<typeof createAttacker>;

const testAttemptExhaustion = async (fixture: Fixture, attacker: Attacker): Promise<void> => {
  fixture.section('Code attempts: an attacker below the account limit cannot use up the owner’s attempts');
  for (const [count, expected] of [
    [5, '204'],
    [19, '204'],
    [20, '400 CODE_INVALID'],
  ] as const) {
    const { email } = await fixture.createUser(CUSTOMER);
    await attacker.sendCode(email);
    const code = await attacker.readCode(email);
    const guesses = await attacker.guessFromNetworks(email, code, count);
    const response = await attacker.reset(email, code);
    fixture.check(
      guesses.every((guess) => guess.code === 'CODE_INVALID') && formatStatus(response) === expected,
      `${count} wrong guesses, five from each network, then the correct code from the owner`,
      `${countStatuses(guesses)}, then ${formatStatus(response)}`,
    );
  }
  const { email } = await fixture.createUser(CUSTOMER);
  await attacker.sendCode(email);
  const code = await attacker.readCode(email);
  const guesses = await Promise.all(
    createWrongCodes(code, 100).map((wrong) => attacker.guess(email, wrong, 0)),
  );
  const sixth = await attacker.guess(email, code, 0);
  const owner = await attacker.reset(email, code);
  fixture.check(
    formatStatus(sixth) === '400 CODE_INVALID' && formatStatus(owner) === '204',
    '100 concurrent guesses from one network, then the correct code from there, then from the owner',
    `${countStatuses(guesses)}, then ${formatStatus(sixth)}, then ${formatStatus(owner)}`,
  );
};

const testAccountLimit = async (fixture: Fixture, attacker: Attacker): Promise<void> => {
  fixture.section(
    'Code account limit: guesses and code mails are limited across codes, for known and unknown addresses',
  );
  const known = (await fixture.createUser(CUSTOMER)).email;
  for (const [status, email] of [
    ['known', known],
    ['unknown', uniqueEmail()],
  ] as const) {
    const guesses: HttpResponse[] = [];
    const sent: HttpResponse[] = [];
    for (let round = 0; round < 11; round += 1) {
      sent.push(await attacker.sendCode(email));
      guesses.push(...(await attacker.guessFromNetworks(email, '000000', 20)));
      await deleteResendLocks(fixture.stack.redisUrl);
    }
    const last = guesses.at(-1);
    fixture.check(
      countStatuses(guesses) === '100 × 400 CODE_INVALID, 120 × 429 RATE_LIMITED',
      `220 guesses at eleven codes of a ${status} address`,
      `${countStatuses(guesses)}, Retry-After ${last?.headers['retry-after']}`,
    );
    fixture.check(
      countStatuses(sent) === '10 × 200, 1 × 429 RESEND_LOCKED',
      `eleven codes within an hour for a ${status} address`,
      `${countStatuses(sent)}, Retry-After ${sent.at(-1)?.headers['retry-after']}`,
    );
  }
};

export const testCodeGuessing = async (fixture: Fixture): Promise<void> => {
  const attacker = createAttacker(fixture);
  await testAttemptExhaustion(fixture, attacker);
  await testAccountLimit(fixture, attacker);
};
