import { setTimeout as delay } from 'node:timers/promises';
import type { FakeSmtpServer } from '../../dev/testing/fake-smtp-server.ts';
import type { Report } from '../../shared/testing/suite.ts';

const POLL_MILLISECONDS = 50;

/** Asks until the answer is true. @throws Error naming `what` when that takes longer than `seconds` */
export const waitFor = async (what: string, seconds: number, ask: () => Promise<boolean> | boolean) => {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await ask())) {
    if (Date.now() > deadline) throw new Error(`Not within ${seconds} s: ${what}`);
    await delay(POLL_MILLISECONDS);
  }
};

const EMAIL = 'ada.lovelace@example.com';

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Fingerprint': 'check-images' },
    body: JSON.stringify(body),
  });

/** One person's way through all four: the account is made, and the mail with a code arrives. */
export const signUp = async (gatewayUrl: string, smtp: FakeSmtpServer, report: Report): Promise<void> => {
  const base = `${gatewayUrl}/api/v1/customers/auth`;
  const signedUp = await post(`${base}/sign-up`, { email: EMAIL, password: 'correct horse battery' });
  report.check(signedUp.status === 201, `sign-up through the gateway answers ${signedUp.status}`);
  const asked = await post(`${base}/reset-password/email/code/send`, { email: EMAIL });
  report.check(asked.ok, `a code for ${EMAIL} is asked for: ${asked.status}`);
  await waitFor('the mail with the code', 15, () => smtp.attemptsFor(EMAIL).length > 0);
  report.check(smtp.mails().length === 1, `the worker has mailed it: "${smtp.mails()[0]?.subject}"`);
  const office = await fetch(`${gatewayUrl}/api/v1/administrator/me`);
  report.check(office.status === 401, `the back-office answers ${office.status} without a token`);
};
