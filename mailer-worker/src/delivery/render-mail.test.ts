import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import { expect } from 'chai';
import { createMailRenderer, type RealMail } from './render-mail.ts';

const sealer = createCodeCipher({ current: 'a-secret-of-the-tests-000000000000000001', previous: [] });
const render = createMailRenderer(sealer);
const TO = 'ada@example.com';
const AT = '2026-11-20T03:04:05.678Z';
const HOSTILE = `<script>alert("1")</script> & <img src='x' onerror=y>`;

/** What a reader sees of the HTML. */
const visible = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const MAILS: { mail: RealMail; subject: string; says: string[] }[] = [
  {
    mail: { template: 'verification-code', to: TO, sealedCode: sealer.encrypt('042917'), expiresAt: AT },
    subject: 'Your verification code',
    says: ['042917', '15 minutes', 'If you did not ask for it'],
  },
  {
    mail: { template: 'reset-password-code', to: TO, sealedCode: sealer.encrypt('000123'), expiresAt: AT },
    subject: 'Your code to reset the password',
    says: ['000123', '15 minutes', 'If you did not ask for it'],
  },
  {
    mail: { template: 'password-changed', to: TO, changedAt: AT },
    subject: 'Your password was changed',
    says: ['2026-11-20 03:04 UTC', 'Other devices were signed out', 'If it was not you'],
  },
  {
    mail: {
      template: 'lead-request',
      to: TO,
      request: {
        name: 'Ada',
        email: 'a@b.example',
        phone: '+44 20',
        company: 'Engines',
        message: 'One\nTwo',
      },
    },
    subject: 'New request for a project',
    says: ['Ada', 'a@b.example', '+44 20', 'Engines', 'One', 'Two'],
  },
  {
    mail: {
      template: 'support-request',
      to: TO,
      request: { name: 'Ada', email: 'a@b.example', subject: 'Broken', message: 'Help' },
    },
    subject: 'New support request',
    says: ['Ada', 'a@b.example', 'Broken', 'Help'],
  },
];

describe('A rendered mail', () => {
  for (const { mail, subject, says } of MAILS)
    describe(`(${mail.template})`, () => {
      it('says the same as text and as HTML', () => {
        const { text, html } = render(mail);
        for (const words of says) {
          expect(text).to.include(words);
          expect(visible(html)).to.include(words);
        }
      });

      it('has a subject of its own, in one line', () => {
        expect(render(mail).subject)
          .to.equal(subject)
          .and.to.match(/^[^\r\n]+$/);
      });

      it('links to nothing and loads nothing', () => {
        expect(render(mail).html).not.to.match(/https?:|src=|href=|<script|<link|url\(/i);
      });
    });

  for (const template of ['lead-request', 'support-request'] as const)
    describe(`(${template}) of a hostile form`, () => {
      const request = {
        name: HOSTILE,
        email: `"${HOSTILE}"@b.example`,
        company: HOSTILE,
        subject: `${HOSTILE}\r\nBcc: evil@example.com`,
        message: `${HOSTILE}\r\nBcc: evil@example.com`,
      };
      const { subject, text, html } = render({ template, to: TO, request });

      it('shows every field as it was written', () => {
        expect(text).to.include(HOSTILE);
        expect(visible(html)).to.include(HOSTILE);
      });

      it('has no markup of the form’s', () => {
        expect(html).not.to.match(/<script|<img/i);
        expect(html).to.include('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ');
      });

      it('has nothing of the form in the subject', () => {
        expect(subject).not.to.match(/[\r\n<]|Bcc/);
      });

      it('leaves out the fields that were not filled in', () => {
        const sparse = render({
          template,
          to: TO,
          request: { email: 'a@b.example', message: 'Help', phone: '' },
        });
        expect(sparse.text).not.to.match(/Name|Phone|Company|undefined/);
      });
    });

  describe('of a contact form whose fields imitate other fields', () => {
    const FORGED = 'E-mail: forged@example.com';
    const BREAKS: [name: string, text: string][] = [
      ['LF', '\n'],
      ['CR LF', '\r\n'],
      ['CR', '\r'],
      ['a vertical tab', '\v'],
      ['a form feed', '\f'],
      ['NEL', '\u0085'],
      ['U+2028', '\u2028'],
      ['U+2029', '\u2029'],
    ];
    const genuine = { email: 'a@b.example', message: 'Help' };

    /** What a mail program may show at the beginning of a line. */
    const linesOf = (text: string): string[] => text.split(/[\n\r\v\f\u0085\u2028\u2029]/u);
    const textLines = (request: Record<string, string>) =>
      linesOf(render({ template: 'lead-request', to: TO, request }).text);
    /** What the HTML shows in paragraphs, where only fields and our own words stand. */
    const paragraphs = (request: Record<string, string>) =>
      [...render({ template: 'lead-request', to: TO, request }).html.matchAll(/<p [^>]*>(.*?)<\/p>/gsu)].map(
        ([, html = '']) => html,
      );

    for (const [name, lineBreak] of [...BREAKS, ['80 spaces', ' '.repeat(80)] as const])
      it(`shows a name, phone, company or subject with ${name} as one line`, () => {
        for (const field of ['name', 'phone', 'company', 'subject']) {
          const request = { ...genuine, [field]: `Ada${lineBreak}${lineBreak}${FORGED}` };
          const lines = textLines(request).filter((line) => /Ada|forged/.test(line));
          expect(lines).to.have.lengthOf(1);
          expect(lines[0]).to.match(/^\w+: Ada E-mail: forged@example.com$/);
          const shown = paragraphs(request).find((html) => html.includes('Ada'));
          expect(shown).to.match(/^<strong>\w+:<\/strong> Ada E-mail: forged@example.com$/);
        }
      });

    for (const [name, lineBreak] of BREAKS)
      it(`quotes each line of a message with ${name}`, () => {
        const request = { ...genuine, message: `Help${lineBreak}${FORGED}` };
        const lines = textLines(request);
        expect(lines.filter((line) => line.startsWith('E-mail:'))).to.deep.equal(['E-mail: a@b.example']);
        expect(lines).to.include.members(['Message:', '> Help', `> ${FORGED}`]);
        expect(paragraphs(request).join()).not.to.include('forged');
        expect(render({ template: 'lead-request', to: TO, request }).html).to.match(
          /<blockquote [^>]*>Help<br>E-mail: forged@example\.com<\/blockquote>/,
        );
      });

    it('shows no control character of any field', () => {
      const value = 'A\u0008\u001b[2Jd\u007fa';
      const { text, html } = render({
        template: 'support-request',
        to: TO,
        request: { ...genuine, name: value, subject: value, message: value },
      });
      expect(text.replaceAll('\n', '')).not.to.match(/\p{Cc}/u);
      expect(html).not.to.match(/\p{Cc}/u);
    });
  });
});
