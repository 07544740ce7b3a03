import { LANGUAGES } from '@platform/shared/mail/mail';
import { expect } from 'chai';
import {
  CODE,
  createRenderer,
  EXAMPLE_MAILS,
  HOSTILE,
  HOSTILE_PRODUCT,
  renderExamples,
  TO,
} from '../../test/preview/example-mails.ts';
import { renderPreviewPage } from '../../test/preview/preview-page.ts';
import { escapeHtml } from './layout.ts';
import type { SendableMail } from './mail-templates.ts';

const PRODUCT = 'Marketplace';
const render = createRenderer(PRODUCT);

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

/** The hidden summary of the HTML, which mail programs display in their list of mails. */
const getPreheader = (html: string): string | undefined =>
  /<body[^>]*><div style="display:none[^>]*>(.*?)<\/div>/s.exec(html)?.[1];

const find = (template: SendableMail['template'], language?: string): SendableMail => {
  const mail = EXAMPLE_MAILS.find(
    (each) => each.template === template && (!('language' in each) || each.language === language),
  );
  if (!mail) throw new Error(`There is no example of ${template} in ${language}`);
  return mail;
};

type Expected = { subject: string; contains: string[] };

const ACCOUNT_TEMPLATES = ['verification-code', 'reset-password-code', 'password-changed'] as const;

/** A language without expected texts does not compile. */
const ACCOUNT_MAILS: Record<
  (typeof LANGUAGES)[number],
  Record<(typeof ACCOUNT_TEMPLATES)[number], Expected>
> = {
  en: {
    'verification-code': {
      subject: 'Marketplace: Your verification code',
      contains: [
        '042917 is your verification code for Marketplace.',
        'Enter this code at Marketplace to verify your e-mail address.',
        'valid for 15 minutes, until 2026-11-20 03:04 UTC',
        'If you did not request this code',
      ],
    },
    'reset-password-code': {
      subject: 'Marketplace: Your code to reset the password',
      contains: [
        '042917 is your code to reset the password for Marketplace.',
        'Enter this code at Marketplace to choose a new password.',
        'valid for 15 minutes, until 2026-11-20 03:04 UTC',
        'If you did not request this code',
      ],
    },
    'password-changed': {
      subject: 'Marketplace: Your password was changed',
      contains: [
        'The password of your Marketplace account was changed on 2026-11-20 03:04 UTC.',
        'Other devices were signed out',
        'If it was not you',
      ],
    },
  },
  de: {
    'verification-code': {
      subject: 'Marketplace: Ihr Bestätigungscode',
      contains: [
        '042917 ist Ihr Bestätigungscode für Marketplace.',
        'Geben Sie diesen Code bei Marketplace ein, um Ihre E-Mail-Adresse zu bestätigen.',
        'gilt 15 Minuten, bis 2026-11-20 03:04 UTC',
        'Falls Sie diesen Code nicht angefordert haben',
      ],
    },
    'reset-password-code': {
      subject: 'Marketplace: Ihr Code zum Zurücksetzen des Passworts',
      contains: [
        '042917 ist Ihr Code zum Zurücksetzen des Passworts bei Marketplace.',
        'Geben Sie diesen Code bei Marketplace ein, um ein neues Passwort zu wählen.',
        'gilt 15 Minuten, bis 2026-11-20 03:04 UTC',
        'Falls Sie diesen Code nicht angefordert haben',
      ],
    },
    'password-changed': {
      subject: 'Marketplace: Ihr Passwort wurde geändert',
      contains: [
        'Das Passwort Ihres Kontos bei Marketplace wurde geändert (2026-11-20 03:04 UTC).',
        'Andere Geräte wurden abgemeldet',
        'Falls Sie das nicht waren',
      ],
    },
  },
};

type Case = Expected & { name: string; language: string; mail: SendableMail };

const CASES: Case[] = [
  ...LANGUAGES.flatMap((language) =>
    ACCOUNT_TEMPLATES.map((template) => ({
      name: `${template} in ${language}`,
      language,
      mail: find(template, language),
      ...ACCOUNT_MAILS[language][template],
    })),
  ),
  {
    name: 'lead-request',
    language: 'en',
    mail: find('lead-request'),
    subject: 'Marketplace: New request for a project',
    contains: ['Ada', 'a@b.example', '+44 20', 'Engines', 'One', 'Two'],
  },
  {
    name: 'support-request',
    language: 'en',
    mail: find('support-request'),
    subject: 'Marketplace: New support request',
    contains: ['Ada', 'a@b.example', 'Broken', 'Help'],
  },
];

const isCode = ({ mail }: Case): boolean => 'sealedCode' in mail;
const countParagraphs = (html: string): number => html.match(/<p /g)?.length ?? 0;

describe('mail templates', () => {
  it('are all covered by the cases of this test', () => {
    expect(CASES.map(({ mail }) => mail)).to.have.members(EXAMPLE_MAILS);
  });

  for (const { name, language, mail, subject, contains } of CASES)
    describe(name, () => {
      it('has the same content as text and as HTML', () => {
        const { text, html } = render(mail);
        for (const words of contains) {
          expect(text).to.include(words);
          expect(toVisibleText(html)).to.include(words);
        }
      });

      it('has a subject of one line that names the product and contains no code', () => {
        expect(render(mail).subject)
          .to.equal(subject)
          .and.to.match(/^Marketplace: [^\r\n]+$/)
          .and.not.include(CODE);
      });

      it('contains no links and no external resources', () => {
        expect(render(mail).html).not.to.match(/https?:|src=|href=|<script|<link|url\(/i);
      });

      it('declares its language, and adapts to phones and dark mode', () => {
        const { html } = render(mail);
        expect(html).to.match(
          new RegExp(`^<!doctype html><html lang="${language}"><head><meta charset="utf-8">`),
        );
        expect(html)
          .to.include('<meta name="viewport" content="width=device-width,initial-scale=1">')
          .and.include('<meta name="color-scheme" content="light dark">')
          .and.include('@media (prefers-color-scheme:dark)')
          .and.include('@media (max-width:520px)');
      });
    });

  for (const { name, mail } of CASES.filter(isCode))
    it(`show the code of ${name} first in the text and in the preview of the HTML`, () => {
      const { text, html } = render(mail);
      const [firstLine] = text.split('\n');
      expect(firstLine).to.match(/^042917 \S/);
      expect(getPreheader(html)).to.equal(firstLine);
      expect(html).to.match(/<p [^>]*font-size:32px[^>]*>042917<\/p>/);
      // Nothing between the body and the preheader, which would be in the preview before the code.
      expect(toVisibleText(html).trim()).to.match(/^042917 /);
    });

  it('have the same parts in every language, and no text of another one', () => {
    const [reference, ...others] = LANGUAGES;
    for (const template of ACCOUNT_TEMPLATES)
      for (const language of others) {
        const [one, other] = [render(find(template, reference)), render(find(template, language))];
        expect(other.text.split('\n\n').length).to.equal(one.text.split('\n\n').length);
        expect(countParagraphs(other.html)).to.equal(countParagraphs(one.html));
        expect(getPreheader(other.html) === undefined).to.equal(getPreheader(one.html) === undefined);
        const lines = new Set(one.text.split('\n').filter((line) => line !== ''));
        expect(other.text.split('\n').filter((line) => lines.has(line))).to.deep.equal([]);
        expect(other.subject).not.to.equal(one.subject);
        for (const { text, html } of [one, other])
          expect(text + html).not.to.match(/undefined|null|\[object/);
      }
  });

  it('have no English words in German', () => {
    for (const { mail, language } of CASES)
      if (language === 'de')
        expect(render(mail).text).not.to.match(/\b(?:the|your|this|code is|was|is|at|for|password|mail)\b/);
  });

  it('escape the name of the product', () => {
    const renderHostile = createRenderer(HOSTILE_PRODUCT);
    for (const { mail, language } of CASES) {
      const { subject, text, html } = renderHostile(mail);
      expect(subject.startsWith(`${HOSTILE_PRODUCT}: `), language).to.equal(true);
      expect(html).to.include('&lt;b onclick=&quot;x&quot;&gt;').and.not.match(/<b\b/);
      if ('language' in mail) expect(text).to.include(HOSTILE_PRODUCT);
    }
  });

  it('have a preview page with each mail as text and as escaped HTML', () => {
    const examples = renderExamples(PRODUCT);
    const hostileMails = 2 + LANGUAGES.length * ACCOUNT_TEMPLATES.length;
    expect(examples.length).to.equal(EXAMPLE_MAILS.length + hostileMails);
    const page = renderPreviewPage(examples);
    expect(page.match(/<iframe [^>]*sandbox=""/g)?.length).to.equal(2 * examples.length);
    expect(page).not.to.match(/<script|<img|<b onclick/);
    for (const { mail } of examples)
      for (const part of Object.values(mail)) expect(page).to.include(escapeHtml(part));
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
