import { expect } from 'chai';
import { createRenderer, HOSTILE, TO } from '../../testing/preview/example-mails.ts';
import { toVisibleText } from '../../testing/visible-text.ts';

const render = createRenderer('Marketplace');

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
      expect(html).to.include('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; ');
    });

    it('keeps the input out of the subject', () => {
      expect(subject).not.to.match(/[\r\n<]|Bcc/);
    });

    it('has only the submitted address as Reply-To', () => {
      const email = "Ada.O'Hara+x@mail.example.com";
      expect(render({ template, to: TO, request: { ...request, email } }).replyTo).to.equal(email);
      for (const invalid of [
        request.email,
        'ada@example.com, eve@example.com',
        'ada@example.com\r\nBcc: eve@example.com',
        'ada@example.com\n',
        'Ada <ada@example.com>',
        `${'a'.repeat(65)}@example.com`,
        'ada',
        '',
      ])
        expect(
          render({ template, to: TO, request: { ...request, email: invalid } }),
          invalid,
        ).not.to.have.property('replyTo');
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
  /** Rows of the table and paragraphs. */
  const getParts = (request: Record<string, string>) =>
    [
      ...render({ template: 'lead-request', to: TO, request }).html.matchAll(
        /<(?:p|td) [^>]*>(.*?)<\/(?:p|td)>/gsu,
      ),
    ].map(([, html = '']) => html);

  for (const [name, lineBreak] of [...BREAKS, ['80 spaces', ' '.repeat(80)] as const])
    it(`shows a name, phone, company or subject with ${name} as one line`, () => {
      for (const field of ['name', 'phone', 'company', 'subject']) {
        const request = { ...genuine, [field]: `Ada${lineBreak}${lineBreak}${FORGED}` };
        const lines = textLines(request).filter((line) => /Ada|forged/.test(line));
        expect(lines).to.have.lengthOf(1);
        expect(lines[0]).to.match(/^\w+: Ada E-mail: forged@example.com$/);
        const shown = getParts(request).find((html) => html.includes('Ada'));
        expect(shown).to.match(/^Ada E-mail: forged@example.com$/);
      }
    });

  for (const [name, lineBreak] of BREAKS)
    it(`quotes each line of a message with ${name}`, () => {
      const request = { ...genuine, message: `Help${lineBreak}${FORGED}` };
      const lines = textLines(request);
      expect(lines.filter((line) => line.startsWith('E-mail:'))).to.deep.equal(['E-mail: a@b.example']);
      expect(lines).to.include.members(['Message:', '> Help', `> ${FORGED}`]);
      expect(getParts(request).join()).not.to.include('forged');
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
