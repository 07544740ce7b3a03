import { setTimeout as delay } from 'node:timers/promises';
import type { FakeSmtpServer } from '../../dev/testing/fake-smtp-server.ts';
import type { Report } from '../../shared/testing/suite.ts';

const POLL_MILLISECONDS = 50;

/** Polls until the condition is true. @throws Error naming the condition after `seconds` */
export const waitFor = async (name: string, seconds: number, condition: () => Promise<boolean> | boolean) => {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Timed out after ${seconds} s: ${name}`);
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

/** A request through all four processes: creates an account and waits for a mailed code. */
export const checkSignUp = async (
  gatewayUrl: string,
  smtp: FakeSmtpServer,
  report: Report,
): Promise<void> => {
  const base = `${gatewayUrl}/api/v1/customers/auth`;
  const signedUp = await post(`${base}/sign-up`, { email: EMAIL, password: 'correct horse battery' });
  report.check(signedUp.status === 201, `sign-up through the gateway returns ${signedUp.status}`);
  const requested = await post(`${base}/reset-password/email/code/send`, { email: EMAIL });
  report.check(requested.ok, `the code request for ${EMAIL} returns ${requested.status}`);
  await waitFor('the mail with the code', 15, () => smtp.attemptsFor(EMAIL).length > 0);
  report.check(smtp.mails().length === 1, `the worker sends the mail: "${smtp.mails()[0]?.subject}"`);
  const backOffice = await fetch(`${gatewayUrl}/api/v1/administrator/me`);
  report.check(backOffice.status === 401, `the back-office returns ${backOffice.status} without a token`);
};
