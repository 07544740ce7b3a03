import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { expect } from 'chai';
import { createSmtpTransport } from './smtp-transport.ts';

const MAIL = {
  template: 'password-changed',
  subject: 'Hello',
  text: 'Text',
  html: '<p>Text</p>',
  messageId: 'mail-1',
} as const;

/** Each address would add another recipient if it were parsed as a list or a header. */
const HOSTILE_ADDRESSES = [
  'ada@example.com, eve@example.com',
  'ada@example.com; eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\nBcc: eve@example.com',
  'ada@example.com>\r\nRCPT TO:<eve@example.com',
  'ada@example.com> <eve@example.com',
  'Ada <eve@example.com>, ada@example.com',
];

describe('mail header injection', () => {
  let smtp: FakeSmtpServer;
  let transport: ReturnType<typeof createSmtpTransport>;
  const createTransport = (from: string, senderName = 'Marketplace') =>
    createSmtpTransport({
      url: smtp.url,
      requireTls: false,
      from,
      senderName,
      maxConnections: 1,
      logo: undefined,
      darkLogo: undefined,
    });
  before('start an SMTP server', async () => {
    smtp = await startFakeSmtpServer();
    transport = createTransport('Platform <no-reply@platform.example>');
  });
  after('stop it', async () => {
    transport?.close();
    await smtp?.stop();
  });

  for (const to of HOSTILE_ADDRESSES)
    it(`sends to no other recipient for the address ${JSON.stringify(to)}`, async () => {
      await transport.send({ ...MAIL, to }).catch(() => undefined);
      expect(smtp.attemptsFor('eve@example.com').filter((messageId) => messageId !== '')).to.deep.equal([]);
      for (const { headers } of smtp.mails()) expect(headers).not.to.have.property('bcc');
    });

  it('adds no header for line breaks in a subject', async () => {
    for (const lineBreak of ['\r\n', '\n', '\r']) {
      const subject = `Hello${lineBreak}Bcc: eve@example.com${lineBreak}X-Evil: yes${lineBreak}${lineBreak}Body`;
      await transport.send({ ...MAIL, to: 'ada@example.com', subject });
      const mail = smtp.mails().at(-1);
      expect(mail?.headers).not.to.have.any.keys('bcc', 'x-evil');
      expect(mail?.subject)
        .to.include('Hello')
        .and.not.to.match(/[\r\n]/);
      expect(mail?.text.trim()).to.equal('Text');
    }
  });

  it('names the product as the sender if MAIL_FROM is only an address', async () => {
    const SENDERS = [
      ['no-reply@platform.example', 'Marketplace', 'Marketplace <no-reply@platform.example>'],
      [
        'no-reply@platform.example',
        'A "B", <eve@example.com>',
        '"A \\"B\\", <eve@example.com>" <no-reply@platform.example>',
      ],
      ['Shop <no-reply@platform.example>', 'Marketplace', 'Shop <no-reply@platform.example>'],
    ] as const;
    for (const [from, senderName, header] of SENDERS) {
      const named = createTransport(from, senderName);
      await named.send({ ...MAIL, to: 'ada@example.com' }).finally(named.close);
      expect(smtp.mails().at(-1)).to.include({ from: 'no-reply@platform.example' });
      expect(smtp.mails().at(-1)?.headers['from']).to.equal(header);
    }
  });

  it('does not end the mail at a line with a single dot', async () => {
    const text = 'One\n.\nMAIL FROM:<eve@example.com>\n..\nTwo';
    await transport.send({ ...MAIL, to: 'ada@example.com', text });
    expect(smtp.mails().at(-1)?.text.trim()).to.equal(text);
  });
});
