// How many mails can strangers be sent by 1, 10 and 100 client networks, without and with the bot check? Each
// network does for a minute all that the limits permit: sign-ups with changes of the password, and reset codes
// for existing accounts. The figures are in SECURITY.md.
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { solveBotChallenge } from '@platform/shared/platform/bot-check/bot-check-solver';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpClient } from '@platform/shared/testing/http-client';
import { createRecords } from '@platform/shared/testing/records';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { FLOOD_ENVIRONMENT, range, sendFrom } from './floods/fixture.ts';

const SECONDS = 60;
/** The limits of one network in a minute: codes, and requests that check or set a password. */
const CODES = 30;
const PASSWORDS = 60;
const CHANGES_PER_ACCOUNT = 10;
/** A change of the password is a notice; a sign-up and the sign-in need two of the requests. */
const MAX_MAILS = CODES + PASSWORDS - (2 * PASSWORDS) / (CHANGES_PER_ACCOUNT + 2);
/** The queue is empty when no mail has arrived for this long. */
const QUIET_SECONDS = 10;

type Bot = { send: HttpClient['send']; solutions: () => number; accepted: () => number };

/** @param solves whether the bot solves the challenge of each sign-up and reset code */
const createBot = (stack: StackFile, network: number, solves: boolean): Bot => {
  const send = sendFrom(stack.gatewayUrl, `203.0.113.${network + 1}`);
  let solutions = 0;
  let accepted = 0;
  const needsSolution = (path: string): boolean =>
    /\/(?:sign-up|reset-password\/email\/code\/send)$/.test(path);
  return {
    send: async (call) => {
      if (!solves || !needsSolution(call.path)) return send(call);
      const challenge = await send({ method: 'GET', path: '/api/v1/auth/bot-check' });
      if (challenge.status !== 200) return challenge;
      const solution = await solveBotChallenge(challenge.body);
      solutions += 1;
      const response = await send({ ...call, headers: { ...call.headers, 'X-Bot-Check': solution } });
      if (response.status < 300) accepted += 1;
      return response;
    },
    solutions: () => solutions,
    accepted: () => accepted,
  };
};

/** Each account is that of a stranger, who gets the notices. Ends at the first response that is not a success. */
const changePasswords = async (send: HttpClient['send'], deadline: number): Promise<void> => {
  const client = createAuthClient('', CUSTOMER, send);
  while (performance.now() < deadline) {
    const account = { email: uniqueEmail(), password: PASSWORD };
    if ((await client.signUp({ body: account })).status !== 201) return;
    const device = await client.openDevice(account);
    for (const index of range(CHANGES_PER_ACCOUNT)) {
      const body = { currentPassword: index % 2 ? `${PASSWORD}!` : PASSWORD };
      const newPassword = index % 2 ? PASSWORD : `${PASSWORD}!`;
      const { status } = await client.resetPasswordMe({ ...device, body: { ...body, newPassword } });
      if (status >= 400 || performance.now() > deadline) return;
    }
  }
};

const requestCodes = async (send: HttpClient['send'], emails: readonly string[]): Promise<void> => {
  const client = createAuthClient('', CUSTOMER, send);
  for (const email of emails)
    if ((await client.resetPasswordEmailCodeSend({ body: { email } })).status !== 200) return;
};

const createStrangers = async ({ databaseUrl }: StackFile, networks: number): Promise<string[][]> => {
  const records = createRecords(databaseUrl);
  const strangers: string[][] = [];
  for (const _ of range(networks))
    strangers.push(
      await Promise.all(range(CODES + 1).map(async () => (await records.user(['CUSTOMER'])).email)),
    );
  await records.close();
  return strangers;
};

const waitUntilQuiet = async (smtp: FakeSmtpServer): Promise<number> => {
  for (let count = -1; count !== smtp.mails().length; await delay(QUIET_SECONDS * 1_000))
    count = smtp.mails().length;
  return smtp.mails().length;
};

const countMails = async (networks: number, settings: Record<string, string>, solves: boolean) => {
  const smtp = await startFakeSmtpServer();
  const running = await startStack({ ...FLOOD_ENVIRONMENT, SMTP_URL: smtp.url, ...settings });
  try {
    const strangers = await createStrangers(running.stack, networks);
    const bots = range(networks).map((network) => createBot(running.stack, network, solves));
    const deadline = performance.now() + SECONDS * 1_000;
    const attack = bots.flatMap(({ send }, index) => [
      changePasswords(send, deadline).catch(() => undefined),
      requestCodes(send, strangers[index] ?? []),
    ]);
    await Promise.all(attack);
    const mails = await waitUntilQuiet(smtp);
    const sum = (name: 'solutions' | 'accepted') => bots.reduce((total, bot) => total + bot[name](), 0);
    return { mails, solutions: sum('solutions'), accepted: sum('accepted') };
  } finally {
    await running.stop();
    await smtp.stop();
  }
};

const BOT_CHECK = { BOT_CHECK: 'altcha', BOT_CHECK_KEY: 'bot-check-key-of-the-tests-00000000000009' };

describe('mails to strangers in a minute', () => {
  const figures: Record<string, object> = {};
  after('print the figures', () => console.table(figures));

  for (const networks of [1, 10, 100])
    it(`of ${networks} networks: at most ${networks * MAX_MAILS}`, async () => {
      const { mails } = await countMails(networks, {}, false);
      figures[`${networks} networks`] = { mails, 'an hour': mails * 60 };
      expect(mails).to.be.within(networks, networks * MAX_MAILS);
    });

  it('of 10 networks are none with the bot check, if they solve nothing', async () => {
    const { mails } = await countMails(10, BOT_CHECK, false);
    figures['10 networks, nothing solved'] = { mails };
    expect(mails).to.equal(0);
  });

  it('of a network that solves need a solution for each sign-up and reset code', async () => {
    const { mails, solutions, accepted } = await countMails(1, BOT_CHECK, true);
    figures['1 network, solved'] = { mails, solutions, 'sign-ups and reset codes': accepted };
    expect(mails).to.be.within(1, MAX_MAILS);
    expect(accepted).to.be.within(1, solutions);
  });
});
