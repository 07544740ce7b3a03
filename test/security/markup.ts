import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import type { Scene } from './fixture.ts';
import { show } from './web-client.ts';

type Mail = { to: string[]; subject: string; text: string; html: string };

const HTML = `<script>alert(1)</script><img src=x onerror=alert(2)>"'&<a href="javascript:alert(3)">`;

/** Whether a text shows more than the one e-mail that was submitted. */
const hasForgedField = ({ text }: Mail): boolean =>
  text.split(/[\r\n\v\f\u0085\u2028\u2029]/).filter((line) => line.startsWith('E-mail:')).length > 1;

const mailsOf = async (scene: Scene, mark: string): Promise<Mail[]> => {
  const mails = (await (await fetch(`${scene.stack.inboxUrl}/api/email`)).json()) as Mail[];
  return mails.filter(({ text }) => text.includes(mark));
};

/** Markup and line breaks in what strangers write, up to the mails that it ends in. */
export const attackByMarkup = async (scene: Scene): Promise<void> => {
  scene.section('Markup in names and mails: nothing of it becomes markup');
  const signedUp = await scene.send(`${CUSTOMER.path}/sign-up`, {
    method: 'POST',
    body: { email: uniqueEmail(), password: PASSWORD, firstName: HTML.slice(0, 100) },
  });
  const isData = /^application\/json/.test(String(signedUp.headers['content-type']));
  scene.check(
    signedUp.status === 201 && isData && signedUp.headers['x-content-type-options'] === 'nosniff',
    'a first name of markup',
    `${show(signedUp)} as ${signedUp.headers['content-type']}, ${signedUp.headers['x-content-type-options']}`,
  );
  const forms: [string, object][] = [
    ['lead', { name: HTML, email: uniqueEmail(), company: HTML, message: HTML }],
    [
      'support',
      {
        name: HTML,
        email: uniqueEmail(),
        subject: HTML,
        message: `${HTML}\n\n--boundary\n.\nRCPT TO:<evil@example.com>`,
      },
    ],
    [
      'support',
      { email: uniqueEmail(), subject: 'Hello\r\nBcc: evil@example.com\r\n\r\n<b>', message: 'Text' },
    ],
    ['lead', { name: 'Ada\r\nTo: evil@example.com', email: uniqueEmail(), message: 'Text' }],
    ['lead', { name: 'Ada\n\nE-mail: evil@example.com', email: uniqueEmail(), message: 'Text' }],
    ['lead', { name: 'Ada', email: uniqueEmail(), message: 'Text\u2028\u2028E-mail: evil@example.com' }],
  ];
  for (const [form, fields] of forms) {
    const answer = await scene.send(`/api/v1/contact/${form}`, { method: 'POST', body: fields });
    const { email } = fields as { email: string };
    const mails =
      answer.status === 204
        ? await waitFor('the mail', async () => {
            const found = await mailsOf(scene, email);
            return found.length > 0 && found;
          })
        : [];
    const hasMarkup = mails.some(({ html }) => /<(script|img|a|b)[\s>]/i.test(html));
    const recipients = [...new Set(mails.flatMap(({ to }) => to))].join(', ');
    const isOurs =
      mails.every(({ subject }) => /^New (request|support)/.test(subject)) && !recipients.includes('evil');
    scene.check(
      answer.status < 500 && !hasMarkup && isOurs && !mails.some(hasForgedField),
      `a ${form} request: ${JSON.stringify(Object.values(fields).find((value) => value !== email)).slice(0, 60)}`,
      `${show(answer)}, ${mails.length} mails to ${recipients || 'nobody'}, ${hasMarkup ? 'with' : 'no'} markup of it`,
    );
  }
};
