import { uniqueEmail } from '@platform/shared/testing/builders';
import { createInboxClient, type InboxMail } from '@platform/shared/testing/inbox';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

const INBOX = 'contact@example.com';
const HOSTILE = '<script>alert(1)</script> & "quotes" <a href="https://evil.example">here</a>';

const FORMS = [
  {
    path: '/api/v1/contact/lead',
    subject: 'Marketplace: New request for a project',
    fields: {
      name: `Ada ${HOSTILE.slice(0, 100)}`,
      phone: '+44 20 7946 0958',
      company: HOSTILE,
      message: `${HOSTILE}\nline 2 🚀 жук`,
    },
  },
  {
    path: '/api/v1/contact/support',
    subject: 'Marketplace: New support request',
    fields: {
      subject: 'Hello\r\nBcc: everyone@example.com',
      name: `Ada ${HOSTILE.slice(0, 100)}`,
      message: `${HOSTILE}\nline 2 🚀 жук`,
    },
  },
];

describe('contact form', () => {
  const platform = usePlatform();

  for (const { path, subject, fields } of FORMS)
    it(`${path} mails every field as text, and never as HTML or a header`, async () => {
      const form: Record<string, string> = { ...fields, email: uniqueEmail() };
      const { status, text } = await send(platform().gatewayUrl, 'POST', path, { body: form });
      expect({ status, text }).to.deep.equal({ status: 204, text: '' });

      const inbox = createInboxClient(platform().stack.inboxUrl);
      const hasOurEmail = (mail: InboxMail) => mail.text.includes(form['email'] ?? '');
      const mail = await waitFor('the mail arrives', async () =>
        (await inbox.mailsTo(INBOX)).find(hasOurEmail),
      );
      expect(mail.subject).to.equal(subject);
      expect(mail.to).to.deep.equal([INBOX]);
      const plain = mail.text.replaceAll('\r\n', '\n');
      const { message = '', ...lines } = form;
      for (const value of Object.values(lines))
        expect(plain).to.include(`: ${value.replaceAll('\r\n', ' ')}\n`);
      expect(plain).to.include(`Message:\n> ${message.replaceAll('\n', '\n> ')}\n`);
      expect(mail.html).not.to.match(/<script|<a\b|<img/i);
      expect(mail.html).to.include('&lt;script&gt;alert(1)');
      expect(await inbox.mailsTo('everyone@example.com')).to.deep.equal([]);
    });
});
