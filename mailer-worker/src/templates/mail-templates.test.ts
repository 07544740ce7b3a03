import { readFileSync } from 'node:fs';
import { escapeHtml } from '@platform/shared/http/escape-html';
import { LANGUAGES } from '@platform/shared/http/language';
import { type AddressedMail, TEMPLATES } from '@platform/shared/platform/mail/mail';
import { expect } from 'chai';
import {
  ACTION_URL,
  CODE,
  createRenderer,
  EXAMPLE_MAILS,
  getTextsFile,
  HOSTILE_PRODUCT,
  INVITATION_CODE,
  INVITATION_URL,
  renderExamples,
  renderTexts,
  SUPPORT,
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
        // HTML shows the label as a button, and the address below it.
        const lines = content.replace(/: (?=https:)/, '\n').split('\n');
        for (const line of lines)
          expect(toVisibleText(html).replace(/ +/g, ' ')).to.include(line.replace(/^> /, ''));
      });

      it('has a subject of one line, and a headline below the product name', () => {
        const { subject, html, text } = render(mail);
        expect(subject).to.match(/^[^\r\n]+$/);
        expect(html)
          .to.match(/>M<\/span>Marketplace<\/p><h1 /)
          .and.include(`<title>${escapeHtml(subject)}</title>`);
        expect(text).to.match(/\n-- \nMarketplace\n$/);
      });

      it('contains no external resources, and no links except those of an invitation and a service', () => {
        const { html } = render(mail);
        const links: Partial<Record<string, string>> = {
          invitation: `${INVITATION_URL}#${INVITATION_CODE}`,
          'service-message': ACTION_URL,
        };
        const hrefs = [...html.matchAll(/href="(.*?)"/g)].map(([, href]) => href);
        // Once as the button, and once as the address below it.
        const link = links[mail.template];
        expect(hrefs).to.deep.equal(link === undefined ? [] : [link, link]);
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
      product: PRODUCT,
      openCode: () => INVITATION_CODE,
      invitationUrl: INVITATION_URL,
      appearance: { hasLogo: false, accent },
    });
    for (const { mail } of CASES.filter(({ name }) => name === 'invitation')) {
      const { html } = renderBrand(mail);
      expect(html).to.include('border:solid #003366').and.include('background:#3b6aa2!important');
    }
  });

  it('have the logos in place of the name, the dark one only for mail programs that hide the other', () => {
    const toLogos = (appearance: { hasLogo: boolean; hasDarkLogo?: boolean }) => {
      const [mail] = EXAMPLE_MAILS;
      if (!mail) throw new Error('There is no example');
      const renderLogos = createMailRenderer({ product: PRODUCT, openCode: () => '', appearance });
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

  it('have no link in an invitation where no page takes its code', () => {
    const renderPlain = createMailRenderer({ product: PRODUCT, openCode: () => INVITATION_CODE });
    for (const { mail } of CASES.filter(({ name }) => name === 'invitation')) {
      const { text, html } = renderPlain(mail);
      expect(text + html).not.to.match(/https?:|href=/);
      expect(text).to.match(new RegExp(`^${INVITATION_CODE} `));
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
        // The link of an invitation is the same.
        const lines = new Set(
          one.text.split('\n').filter((line) => line !== '' && !line.startsWith('https:')),
        );
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
        expect(render(mail).text).not.to.match(/\b(?:the|your|this|code is|was|is|at|for|password|mail)\b/);
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
