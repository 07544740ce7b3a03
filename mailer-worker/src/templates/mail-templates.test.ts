import { readFileSync } from 'node:fs';
import { DEFAULT_KIND_NAMES } from '@platform/shared/config/appearance';
import { escapeHtml } from '@platform/shared/http/escape-html';
import { LANGUAGES } from '@platform/shared/http/language';
import { type AddressedMail, TEMPLATES } from '@platform/shared/platform/mail/mail';
import { expect } from 'chai';
import {
  ACTION_URL,
  AT,
  CODE,
  createRenderer,
  EXAMPLE_MAILS,
  getTextsFile,
  HOSTILE_PRODUCT,
  INVITATION_CODE,
  PAGES,
  renderExamples,
  renderTexts,
  SUPPORT,
  TO,
  toName,
} from '../../testing/preview/example-mails.ts';
import { renderPreviewPage } from '../../testing/preview/preview-page.ts';
import { toVisibleText } from '../../testing/visible-text.ts';
import { createMailRenderer } from './mail-templates.ts';

const PRODUCT = 'Marketplace';
const render = createRenderer(PRODUCT);

/** The hidden summary of the HTML, which mail programs display in their list of mails. */
const getPreheader = (html: string): string | undefined =>
  /<body[^>]*><div style="display:none[^>]*>(.*?)<\/div>/s.exec(html)?.[1];

const CODE_PAGES: Partial<Record<string, string>> = {
  'verification-code': 'verify',
  'reset-password-code': 'reset-password',
  'sign-in-code': 'sign-in',
};
const UNLINKED_NOTICES = [
  ...['account-deleted', 'email-changed', 'email-change-taken', 'invitation-accepted'],
  ...['administrator-registered', 'platform-role-assigned', 'platform-role-given', 'platform-role-removed'],
];

/** The address that the mail links. */
const findLink = (mail: AddressedMail): string | undefined => {
  if (mail.template === 'invitation') return `${PAGES.consoleUrl}/invitation#${INVITATION_CODE}`;
  if (mail.template === 'service-message') return ACTION_URL;
  if ('request' in mail || 'replyTo' in mail || UNLINKED_NOTICES.includes(mail.template)) return undefined;
  if (mail.template === 'wrong-kind') return `${PAGES.accountUrl}/customer/`;
  if (!('code' in mail))
    return `${PAGES.accountUrl}/customer/#${mail.template === 'new-device' ? 'devices' : 'signing-in'}`;
  const page = CODE_PAGES[mail.template];
  return page && `${PAGES.accountUrl}/customer/${page}#code=${CODE}&email=${encodeURIComponent(TO)}`;
};

type Case = { title: string; name: string; language: string; mail: AddressedMail };

const CASES: Case[] = EXAMPLE_MAILS.map((mail) => {
  const name = toName(mail);
  const language = 'language' in mail ? mail.language : 'en';
  return { title: `${name} in ${language}`, name, language, mail };
});

const USER_MAILS = CASES.filter(({ mail }) => 'language' in mail);
const isCode = ({ mail }: Case): boolean => 'code' in mail;
const countParagraphs = (html: string): number => html.match(/<p /g)?.length ?? 0;

describe('mail templates', () => {
  it('have an example for every template', () => {
    expect([...new Set(EXAMPLE_MAILS.map(({ template }) => template))]).to.have.members(TEMPLATES);
  });

  for (const language of LANGUAGES)
    it(`are those of mails.${language}.txt`, () => {
      expect(renderTexts(language)).to.equal(readFileSync(getTextsFile(language), 'utf8'));
    });

  for (const { title, language, mail } of CASES)
    describe(title, () => {
      it('has the same content as text and as HTML', () => {
        const { text, html } = render(mail);
        const [content = ''] = text.split('\n-- \n');
        const visible = toVisibleText(html).replace(/ +/g, ' ');
        for (const line of content.split('\n')) {
          const [label, url] = line.split(/: (?=https:)/);
          // HTML has the labels of facts in a table, and the address of a link behind its label.
          const isFact = visible.includes(line.replace(': ', ' '));
          if (!isFact) expect(visible).to.include(label?.replace(/^> /, ''));
          if (url !== undefined) expect(html).to.include(`href="${escapeHtml(url)}"`);
        }
      });

      it('has a subject of one line, and a headline below the product name', () => {
        const { subject, html, text } = render(mail);
        expect(subject).to.match(/^[^\r\n]+$/);
        expect(html)
          .to.match(/>M<\/td><td [^>]*>Marketplace<\/td><\/tr><\/table><h1 /)
          .and.include(`<title>${escapeHtml(subject)}</title>`);
        expect(text).to.match(/\n-- \nMarketplace\n$/);
      });

      it('contains no external resources, and at most the link to its page', () => {
        const { html } = render(mail);
        const hrefs = [...html.matchAll(/href="(.*?)"/g)].map(([, href]) => href);
        const link = findLink(mail);
        // A button once more as an address.
        const expected = 'code' in mail ? [link] : [link, link];
        expect(hrefs).to.deep.equal(link === undefined ? [] : expected.map((url) => escapeHtml(url ?? '')));
        const withoutLinks = html.replace(/<a .*?<\/a>/g, '');
        expect(withoutLinks).not.to.match(/https?:|src=|href=|<script|<link|url\(/i);
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

  for (const { title, mail } of CASES.filter(isCode))
    it(`show the code of ${title} first in the text and in the HTML preview`, () => {
      const { text, html } = render(mail);
      const [firstLine] = text.split('\n');
      expect(firstLine).to.match(/^042917 \S/);
      expect(getPreheader(html)).to.equal(firstLine);
      expect(html).to.match(/<p class="box" [^>]*font-size:34px[^>]*>042917<\/p>/);
      // Nothing may precede the preheader in the body, because the preview would show it before the code.
      expect(toVisibleText(html).trim()).to.match(/^042917 /);
    });

  it('have the code in the subject only if it cannot take an account over, and if the setting is on', () => {
    const off = createMailRenderer({
      kindNames: DEFAULT_KIND_NAMES,
      product: PRODUCT,
      openCode: () => INVITATION_CODE,
      codeInSubject: false,
    });
    for (const { mail, title } of CASES) {
      const isShort = ['verification-code', 'sign-in-code', 'new-device-code'].includes(mail.template);
      expect(render(mail).subject.includes(CODE), title).to.equal(isShort);
      expect(off(mail).subject, title).not.to.match(/\d{6}/);
    }
  });

  it('have the brand in buttons, codes and links, light and dark', () => {
    const accent = { colour: '#003366', dark: undefined } as const;
    const renderBrand = createMailRenderer({
      kindNames: DEFAULT_KIND_NAMES,
      product: PRODUCT,
      openCode: () => INVITATION_CODE,
      pages: PAGES,
      appearance: { hasLogo: false, accent },
    });
    for (const { mail } of CASES.filter(({ name }) => name === 'invitation')) {
      const { html } = renderBrand(mail);
      expect(html)
        .to.include('<td class="accent" style="border-radius:8px;background:#003366')
        .and.include('background:#3b6aa2!important');
    }
  });

  it('have the logos in place of the name, the dark one only for mail programs that hide the other', () => {
    const toLogos = (appearance: { hasLogo: boolean; hasDarkLogo?: boolean }) => {
      const [mail] = EXAMPLE_MAILS;
      if (!mail) throw new Error('There is no example');
      const renderLogos = createMailRenderer({
        kindNames: DEFAULT_KIND_NAMES,
        product: PRODUCT,
        openCode: () => '',
        appearance,
      });
      return [...renderLogos(mail).html.matchAll(/src="cid:(.*?)" alt="(.*?)"/g)].map(
        ([, ...parts]) => parts,
      );
    };
    expect(toLogos({ hasLogo: true })).to.deep.equal([['logo', PRODUCT]]);
    expect(toLogos({ hasLogo: true, hasDarkLogo: true })).to.deep.equal([
      ['logo', PRODUCT],
      ['logo-dark', PRODUCT],
    ]);
    expect(toLogos({ hasLogo: false, hasDarkLogo: true })).to.deep.equal([]);
  });

  it('have the support, the terms and the privacy policy in the foot, in their language', () => {
    const [termsUrl, privacyUrl] = ['https://example.com/terms?a=1&b=2', 'https://example.com/privacy'];
    const renderWith = (appearance: object, mail: AddressedMail) =>
      createMailRenderer({
        kindNames: DEFAULT_KIND_NAMES,
        product: PRODUCT,
        openCode: () => INVITATION_CODE,
        appearance: { hasLogo: false, ...appearance },
      })(mail);
    const words = { en: ['Terms', 'Privacy'], de: ['Nutzungsbedingungen', 'Datenschutz'] };
    for (const { mail, language, title } of CASES) {
      const [terms, privacy] = words[language === 'de' ? 'de' : 'en'];
      const { text, html } = renderWith({ termsUrl, privacyUrl }, mail);
      expect(
        text.endsWith(`\n-- \nMarketplace\n${terms}: ${termsUrl}\n${privacy}: ${privacyUrl}\n`),
        title,
      ).to.equal(true);
      expect(html)
        .to.include(`href="${escapeHtml(termsUrl)}"`)
        .and.include(`>${terms}</a> <a `);
      expect(html).to.include(`>${privacy}</a></p></div></div>`);
      expect(renderWith({ supportEmail: SUPPORT }, mail).text).to.match(
        new RegExp(`\\nSupport: ${SUPPORT}\\n$`),
      );
      expect(renderWith({ supportEmail: SUPPORT }, mail).html).to.include(`href="mailto:${SUPPORT}"`);
      expect(
        renderWith({ privacyUrl }, mail).text.endsWith(`\nMarketplace\n${privacy}: ${privacyUrl}\n`),
      ).to.equal(true);
    }
  });

  it('have no link where no page is served', () => {
    const renderPlain = createMailRenderer({
      kindNames: DEFAULT_KIND_NAMES,
      product: PRODUCT,
      openCode: () => INVITATION_CODE,
    });
    for (const { mail, name } of USER_MAILS.filter((each) => each.name !== 'service-message')) {
      const { text, html } = renderPlain(mail);
      expect(text + html, name).not.to.match(/https?:|href=/);
      if (name === 'invitation') expect(text).to.match(new RegExp(`^${INVITATION_CODE} `));
    }
  });

  it('link the page of the account that takes the code, and none of an administrator', () => {
    for (const { mail } of CASES)
      if ('code' in mail && findLink(mail) !== undefined) {
        expect(render({ ...mail, kind: 'employee' }).html).to.include(`${PAGES.accountUrl}/employee/`);
        for (const kind of ['administrator', null] as const)
          expect(render({ ...mail, kind }).html).not.to.include('href=');
      }
  });

  it('link back to where the code was requested, behind #', () => {
    const returnTo = 'https://shop.example.com/basket?a=1&b=2#c';
    for (const { mail } of CASES.filter(({ name }) => name === 'verification-code')) {
      const [, url = ''] =
        /: (https:\S+#\S+)/.exec(render({ ...mail, returnTo } as AddressedMail).text) ?? [];
      const [page, fragment] = url.split('#');
      expect(page).to.equal(`${PAGES.accountUrl}/customer/verify`);
      const parameters = Object.fromEntries(new URLSearchParams(fragment));
      expect(parameters).to.deep.equal({ code: CODE, email: TO, returnTo });
    }
  });

  it('tell when and by which device a code was requested, in no words of the client', () => {
    const [code] = CASES.filter(({ name, language }) => name === 'sign-in-code' && language === 'en');
    const toText = (fields: object) => render({ ...code?.mail, ...fields } as AddressedMail).text;
    const time = '20 November 2026 at 03:49 CET';
    for (const [fields, origin] of [
      [{}, ' from Chrome on Windows'],
      [{ userAgent: null }, ''],
      [{ userAgent: undefined }, ''],
      [{ userAgent: 'Call +49 30 1 at once (https://evil.example)' }, ''],
      [{ userAgent: null, byAdministrator: true }, ' by our support'],
    ] as const)
      expect(toText(fields)).to.include(`\n\nRequested on ${time}${origin}.\n\n`);
  });

  it('name the kinds of the account that has got no code, and link their page', () => {
    const kindNames = {
      customer: { en: 'Client <account>', de: 'Auftraggeberkonto' },
      employee: { en: 'Freelancer account', de: 'Freelancerkonto' },
    };
    const renderKinds = createMailRenderer({ product: PRODUCT, openCode: () => '', pages: PAGES, kindNames });
    const { accountUrl, consoleUrl } = PAGES;
    for (const [roles, language, name, url] of [
      [['CUSTOMER'], 'en', 'Client <account>', `${accountUrl}/customer/`],
      [['EMPLOYEE'], 'de', 'Freelancerkonto', `${accountUrl}/employee/`],
      [['CUSTOMER', 'EMPLOYEE'], 'en', 'Client <account> and Freelancer account', `${accountUrl}/`],
      [['ADMIN', 'CUSTOMER'], 'de', 'Auftraggeberkonto', `${accountUrl}/customer/`],
      [['OPERATOR'], 'de', 'Administratorkonto', `${consoleUrl}/your-account`],
    ] as const) {
      const { text, html } = renderKinds({ template: 'wrong-kind', to: TO, language, roles });
      expect(text)
        .to.include(`Marketplace: ${name}.\n`)
        .and.match(new RegExp(`: ${url}\n`));
      expect(html).to.include(escapeHtml(name));
    }
  });

  it('link the own account of the roles that the reader has, and none if they are unknown', () => {
    const toUrl = (roles: string[] | undefined, pages = PAGES) => {
      const notice = { to: TO, language: 'en', isEmailVerified: true, changedAt: AT } as const;
      const renderPages = createMailRenderer({
        kindNames: DEFAULT_KIND_NAMES,
        product: PRODUCT,
        openCode: () => '',
        pages,
      });
      const mail = { template: 'password-changed', ...notice, ...(roles && { roles }) } as const;
      return /Check your account: (\S+)/.exec(renderPages(mail).text)?.[1];
    };
    const { accountUrl, consoleUrl } = PAGES;
    expect(toUrl(['EMPLOYEE'])).to.equal(`${accountUrl}/employee/#signing-in`);
    expect(toUrl(['CUSTOMER', 'EMPLOYEE'])).to.equal(`${accountUrl}/#signing-in`);
    expect(toUrl(['ADMIN', 'CUSTOMER'])).to.equal(`${consoleUrl}/your-account#signing-in`);
    expect(toUrl(['ADMIN'], { ...PAGES, consoleUrl: undefined as never })).to.equal(undefined);
    expect(toUrl([])).to.equal(undefined);
    expect(toUrl(undefined)).to.equal(undefined);
  });

  it('state times in the time zone of the reader, and in UTC without one', () => {
    const toText = (language: 'en' | 'de', timeZone: string | null | undefined) => {
      const notice = { to: TO, language, isEmailVerified: true, changedAt: AT };
      return render({ template: 'password-changed', ...notice, ...(timeZone !== undefined && { timeZone }) })
        .text;
    };
    expect(toText('en', 'Europe/Berlin')).to.include('20 November 2026 at 04:04 CET.');
    expect(toText('de', 'Europe/Berlin')).to.include('20. November 2026 um 04:04 Uhr (MEZ)');
    expect(toText('en', 'America/Los_Angeles')).to.include('19 November 2026 at 19:04 GMT-8.');
    for (const timeZone of [null, undefined]) {
      expect(toText('en', timeZone)).to.include('20 November 2026 at 03:04 UTC.');
      expect(toText('de', timeZone)).to.include('20. November 2026 um 03:04 Uhr (UTC)');
    }
  });

  it('name the device in the subject of a new sign-in, and methods only if they are known', () => {
    for (const { mail, language } of CASES)
      if (mail.template === 'new-device') {
        expect(render(mail).subject).to.equal(
          language === 'en' ? 'New sign-in: Chrome on Windows' : 'Neue Anmeldung: Chrome auf Windows',
        );
        expect(render({ ...mail, methods: ['Company', 'mfa'] }).text).to.match(/: Company (and|und) /);
        expect(render({ ...mail, methods: [] }).text).not.to.match(/Signed in with|Angemeldet mit/);
        expect(render({ ...mail, userAgent: null }).subject).to.match(
          /: (Unknown device|Unbekanntes Gerät)$/,
        );
      }
  });

  it('have the same parts in every language, and no text in another language', () => {
    const [reference, ...others] = LANGUAGES;
    for (const { name, mail } of USER_MAILS.filter(({ language }) => language === reference))
      for (const language of others) {
        const translated = USER_MAILS.find((each) => each.name === name && each.language === language);
        if (!translated) throw new Error(`There is no example of ${name} in ${language}`);
        const [one, other] = [render(mail), render(translated.mail)];
        expect(other.text.split('\n\n').length).to.equal(one.text.split('\n\n').length);
        expect(countParagraphs(other.html)).to.equal(countParagraphs(one.html));
        expect(getPreheader(other.html) === undefined).to.equal(getPreheader(one.html) === undefined);
        const isText = (line: string) => line !== '' && ![CODE, INVITATION_CODE].includes(line);
        const lines = new Set(one.text.split('\n').filter(isText));
        expect(other.text.split('\n').filter((line) => lines.has(line))).to.deep.equal([
          '-- ',
          'Marketplace',
        ]);
        expect(other.subject).not.to.equal(one.subject);
        for (const { text, html } of [one, other])
          expect(text + html).not.to.match(/undefined|null|\[object/);
      }
  });

  it('have no English words in German', () => {
    for (const { mail, language } of CASES)
      if (language === 'de')
        expect(render(mail).text.replace(/https:\S+/g, '')).not.to.match(
          /\b(?:the|your|this|code is|was|is|at|for|password|mail)\b/,
        );
  });

  it('name an address with a host of other letters as people write it, and link it as it is stored', () => {
    const to = 'jonas@xn--mller-kva.de';
    const mails = USER_MAILS.filter(({ mail }) => isCode({ mail } as Case) || mail.template === 'invitation');
    for (const { mail, title } of mails) {
      const { text } = render({ ...mail, to } as AddressedMail);
      expect(text.replace(/https:\S+/g, ''), title)
        .to.include('jonas@müller.de')
        .and.not.to.include('xn--');
      if (findLink(mail)?.includes('email=')) expect(text, title).to.include(encodeURIComponent(to));
    }
  });

  it('contain SUPPORT_EMAIL where only the support can help, and neither if unset', () => {
    const address = 'help&more@example.com';
    const [renderOther, renderNone] = [createRenderer(PRODUCT, address), createRenderer(PRODUCT, '')];
    for (const { mail, title } of USER_MAILS) {
      const isForSupport = render(mail).text.includes(SUPPORT);
      const { text, html } = renderOther(mail);
      expect(text.includes(`Marketplace: ${address}\n`), title).to.equal(isForSupport);
      expect(toVisibleText(html).includes(address), title).to.equal(isForSupport);
      expect(renderNone(mail).text, title).not.to.match(/support|undefined/i);
    }
  });

  it('escape the product name', () => {
    const renderHostile = createRenderer(HOSTILE_PRODUCT);
    for (const { mail } of CASES) {
      const { text, html } = renderHostile(mail);
      expect(html).to.include('&#60;b onclick=&#34;x&#34;&#62;').and.not.match(/<b\b/);
      expect(text).to.include(HOSTILE_PRODUCT);
    }
  });

  it('have a preview page with each mail as text and as escaped HTML', () => {
    const examples = renderExamples(PRODUCT);
    const hostileMails = 3 + USER_MAILS.length;
    expect(examples.length).to.equal(EXAMPLE_MAILS.length + hostileMails);
    const page = renderPreviewPage(examples);
    expect(page.match(/<iframe [^>]*sandbox=""/g)?.length).to.equal(2 * examples.length);
    expect(page).not.to.match(/<script|<img|<b onclick/);
    for (const { mail } of examples)
      for (const part of Object.values(mail)) expect(page).to.include(escapeHtml(part));
  });
});
