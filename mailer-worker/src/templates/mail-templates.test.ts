import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import { expect } from 'chai';
import { createMailRenderer, type SendableMail } from './mail-templates.ts';

const cipher = createCodeCipher({ current: 'a-secret-of-the-tests-000000000000000001', previous: [] });
const render = createMailRenderer(cipher);
const TO = 'ada@example.com';
const AT = '2026-11-20T03:04:05.678Z';
const HOSTILE = `<script>alert("1")</script> & <img src='x' onerror=y>`;

/** The text that a mail program displays. */
const toVisibleText = (html: string): string =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

const MAILS: { mail: SendableMail; subject: string; contains: string[] }[] = [
  {
    mail: { template: 'verification-code', to: TO, sealedCode: cipher.encrypt('042917'), expiresAt: AT },
    subject: 'Your verification code',
    contains: ['042917', '15 minutes', 'If you did not request this code'],
  },
  {
    mail: { template: 'reset-password-code', to: TO, sealedCode: cipher.encrypt('000123'), expiresAt: AT },
    subject: 'Your code to reset the password',
    contains: ['000123', '15 minutes', 'If you did not request this code'],
  },
  {
    mail: { template: 'password-changed', to: TO, changedAt: AT },
    subject: 'Your password was changed',
    contains: ['2026-11-20 03:04 UTC', 'Other devices were signed out', 'If it was not you'],
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
    contains: ['Ada', 'a@b.example', '+44 20', 'Engines', 'One', 'Two'],
  },
  {
    mail: {
      template: 'support-request',
      to: TO,
      request: { name: 'Ada', email: 'a@b.example', subject: 'Broken', message: 'Help' },
    },
    subject: 'New support request',
    contains: ['Ada', 'a@b.example', 'Broken', 'Help'],
  },
];

describe('mail templates', () => {
  for (const { mail, subject, contains } of MAILS)
    describe(mail.template, () => {
      it('has the same content as text and as HTML', () => {
        const { text, html } = render(mail);
        for (const words of contains) {
          expect(text).to.include(words);
          expect(toVisibleText(html)).to.include(words);
        }
      });

      it('has a subject of one line', () => {
        expect(render(mail).subject)
          .to.equal(subject)
          .and.to.match(/^[^\r\n]+$/);
      });

      it('contains no links and no external resources', () => {
        expect(render(mail).html).not.to.match(/https?:|src=|href=|<script|<link|url\(/i);
      });
    });

  for (const template of ['lead-request', 'support-request'] as const)
    describe(`${template} with malicious input`, () => {
      const request = {
        name: HOSTILE,
        email: `"${HOSTILE}"@b.example`,
        company: HOSTILE,
        subject: `${HOSTILE}\r\nBcc: evil@example.com`,
        message: `${HOSTILE}\r\nBcc: evil@example.com`,
      };
      const { subject, text, html } = render({ template, to: TO, request });

      it('shows every field unchanged', () => {
        expect(text).to.include(HOSTILE);
        expect(toVisibleText(html)).to.include(HOSTILE);
      });

      it('escapes markup', () => {
        expect(html).not.to.match(/<script|<img/i);
        expect(html).to.include('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ');
      });

      it('keeps the input out of the subject', () => {
        expect(subject).not.to.match(/[\r\n<]|Bcc/);
      });

      it('omits empty fields', () => {
        const sparse = render({
          template,
          to: TO,
          request: { email: 'a@b.example', message: 'Help', phone: '' },
        });
        expect(sparse.text).not.to.match(/Name|Phone|Company|undefined/);
      });
    });

  describe('contact form with fields that imitate other fields', () => {
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

    /** Splits at every character that a mail program may treat as a line break. */
    const toLines = (text: string): string[] => text.split(/[\n\r\v\f\u0085\u2028\u2029]/u);
    const textLines = (request: Record<string, string>) =>
      toLines(render({ template: 'lead-request', to: TO, request }).text);
    /** The HTML paragraphs, which contain only fields and template text. */
    const getParagraphs = (request: Record<string, string>) =>
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
          const shown = getParagraphs(request).find((html) => html.includes('Ada'));
          expect(shown).to.match(/^<strong>\w+:<\/strong> Ada E-mail: forged@example.com$/);
        }
      });

    for (const [name, lineBreak] of BREAKS)
      it(`quotes each line of a message with ${name}`, () => {
        const request = { ...genuine, message: `Help${lineBreak}${FORGED}` };
        const lines = textLines(request);
        expect(lines.filter((line) => line.startsWith('E-mail:'))).to.deep.equal(['E-mail: a@b.example']);
        expect(lines).to.include.members(['Message:', '> Help', `> ${FORGED}`]);
        expect(getParagraphs(request).join()).not.to.include('forged');
        expect(render({ template: 'lead-request', to: TO, request }).html).to.match(
          /<blockquote [^>]*>Help<br>E-mail: forged@example\.com<\/blockquote>/,
        );
      });

    it('removes control characters from all fields', () => {
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
