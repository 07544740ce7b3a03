import type { FakeSmtpServer } from '../../dev/testing/fake-smtp-server.ts';
import { waitFor } from '../../shared/testing/poll.ts';
import type { Report } from '../../shared/testing/suite.ts';

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
  await waitFor('the mail with the code', () => smtp.mails().length > 0, 15);
  report.check(smtp.mails().length === 1, `the worker sends the mail: "${smtp.mails()[0]?.subject}"`);
  const backOffice = await fetch(`${gatewayUrl}/api/v1/administrator/me`);
  report.check(backOffice.status === 401, `the back-office returns ${backOffice.status} without a token`);
};
