import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import type { InboxMail } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { createVerifiedUser, type Fixture } from './fixture.ts';

const HTML = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&<a href="javascript:alert(3)">`;

/** Whether the text has an e-mail line besides the one of the form. */
const hasForgedField = ({ text }: InboxMail): boolean =>
  text.split(/[\r\n\v\f\u0085\u2028\u2029]/).filter((line) => line.startsWith('E-mail:')).length > 1;

const findMails = async (fixture: Fixture, text: string): Promise<InboxMail[]> => {
  const mails = (await (await fetch(`${fixture.stack.inboxUrl}/api/email`)).json()) as InboxMail[];
  return mails.filter((mail) => mail.text.includes(text));
};

const testNames = async (fixture: Fixture): Promise<void> => {
  const signedUp = await fixture.send(`${CUSTOMER.path}/sign-up`, {
    method: 'POST',
    body: { email: uniqueEmail(), password: PASSWORD, firstName: HTML.slice(0, 100) },
  });
  const isJson = /^application\/json/.test(String(signedUp.headers['content-type']));
  fixture.check(
    signedUp.status === 201 && isJson && signedUp.headers['x-content-type-options'] === 'nosniff',
    'HTML as a first name',
    `${formatStatus(signedUp)} as ${signedUp.headers['content-type']}, ${signedUp.headers['x-content-type-options']}`,
  );
  const { factors, device, email } = await createVerifiedUser(fixture, CUSTOMER);
  const name = HTML.slice(0, 64);
  await factors.addPasskey(device, { name });
  const { passkeys } = await factors.readState(device);
  const { html, subject } = await fixture.inbox.untilMail(email, 'A passkey was added');
  const hasMarkup = /<(script|img)[\s>]|alert\(/i.test(html + subject);
  fixture.check(
    passkeys[0].name === name && !hasMarkup,
    'HTML as the name of a passkey',
    `${passkeys[0].name}, in the mail ${hasMarkup ? 'with' : 'without'} its markup`,
  );
};

const FORMS: readonly [form: string, fields: Record<string, string>][] = [
  ['lead', { name: HTML, company: HTML, message: HTML }],
  [
    'support',
    {
      name: HTML,
      subject: HTML,
      message: `${HTML}\n\n--boundary\n.\nRCPT TO:<evil@example.com>`,
    },
  ],
  ['support', { subject: 'Hello\r\nBcc: evil@example.com\r\n\r\n<b>', message: 'Text' }],
  ['lead', { name: 'Ada\r\nTo: evil@example.com', message: 'Text' }],
  ['lead', { name: 'Ada\n\nE-mail: evil@example.com', message: 'Text' }],
  ['lead', { name: 'Ada', message: 'Text\u2028\u2028E-mail: evil@example.com' }],
];

/** Submits markup and line breaks, and checks the mails that they end up in. */
export const testHtmlInjection = async (fixture: Fixture): Promise<void> => {
  fixture.section('HTML and mail header injection: submitted text stays text');
  await testNames(fixture);
  for (const [form, fields] of FORMS) {
    const email = uniqueEmail();
    const body = { ...fields, email };
    const response = await fixture.send(`/api/v1/contact/${form}`, { method: 'POST', body });
    const mails =
      response.status === 204
        ? await waitFor('the mail', async () => {
            const found = await findMails(fixture, email);
            return found.length > 0 && found;
          })
        : [];
    const hasMarkup = mails.some(({ html }) => /<(script|img|a|b)[\s>]/i.test(html));
    const recipients = [...new Set(mails.flatMap(({ to }) => to))].join(', ');
    const isExpectedMail =
      mails.every(({ subject }) => /^Marketplace: New (request|support)/.test(subject)) &&
      !recipients.includes('evil');
    fixture.check(
      response.status < 500 && !hasMarkup && isExpectedMail && !mails.some(hasForgedField),
      `a ${form} request: ${JSON.stringify(Object.values(fields)[0]).slice(0, 60)}`,
      `${formatStatus(response)}, ${mails.length} mails to ${recipients || 'nobody'}, ${hasMarkup ? 'with' : 'without'} submitted markup`,
    );
  }
};
