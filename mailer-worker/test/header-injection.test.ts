import { type SmtpStandIn, startSmtpStandIn } from '@platform/dev/testing/fake-smtp-server';
import { expect } from 'chai';
import { createSmtpTransport } from '../src/delivery/smtp-transport.ts';

const MAIL = { subject: 'Hello', text: 'Text', html: '<p>Text</p>', messageId: 'mail-1' };

/** Each would address somebody else too if it were taken apart. */
const HOSTILE_ADDRESSES = [
  'ada@example.com, eve@example.com',
  'ada@example.com; eve@example.com',
  'ada@example.com\r\nBcc: eve@example.com',
  'ada@example.com\nBcc: eve@example.com',
  'ada@example.com>\r\nRCPT TO:<eve@example.com',
  'ada@example.com> <eve@example.com',
  'Ada <eve@example.com>, ada@example.com',
];

describe('What a stranger wrote', () => {
  let smtp: SmtpStandIn;
  let transport: ReturnType<typeof createSmtpTransport>;
  before('start an SMTP server', async () => {
    smtp = await startSmtpStandIn();
    transport = createSmtpTransport({
      url: smtp.url,
      requireTls: false,
      from: 'Platform <no-reply@platform.example>',
      maxConnections: 1,
    });
  });
  after('stop it', async () => {
    transport?.close();
    await smtp?.stop();
  });

  for (const to of HOSTILE_ADDRESSES)
    it(`cannot bring a mail to somebody else, as an address: ${JSON.stringify(to)}`, async () => {
      await transport.send({ ...MAIL, to }).catch(() => undefined);
      expect(smtp.attemptsFor('eve@example.com').filter((messageId) => messageId !== '')).to.deep.equal([]);
      for (const { headers } of smtp.mails()) expect(headers).not.to.have.property('bcc');
    });

  it('cannot add a header, as a subject', async () => {
    for (const end of ['\r\n', '\n', '\r']) {
      const subject = `Hello${end}Bcc: eve@example.com${end}X-Evil: yes${end}${end}Body`;
      await transport.send({ ...MAIL, to: 'ada@example.com', subject });
      const mail = smtp.mails().at(-1);
      expect(mail?.headers).not.to.have.any.keys('bcc', 'x-evil');
      expect(mail?.subject)
        .to.include('Hello')
        .and.not.to.match(/[\r\n]/);
      expect(mail?.text.trim()).to.equal('Text');
    }
  });

  it('cannot end the mail early, as a line of one dot', async () => {
    const text = 'One\n.\nMAIL FROM:<eve@example.com>\n..\nTwo';
    await transport.send({ ...MAIL, to: 'ada@example.com', text });
    expect(smtp.mails().at(-1)?.text.trim()).to.equal(text);
  });
});
