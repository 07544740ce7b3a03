import { LANGUAGES, type Language } from '@platform/shared/http/language';
import { createCodeCipher } from '@platform/shared/platform/mail/code-encryption';
import { GUESSED_SECRETS, SECOND_FACTOR_CHANGES } from '@platform/shared/platform/mail/mail';
import type { RenderedMail } from '../../src/templates/layout.ts';
import { createMailRenderer, type SendableMail } from '../../src/templates/mail-templates.ts';

export const TO = 'ada@example.com';
const AT = '2026-11-20T03:04:05.678Z';
export const CODE = '042917';
export const HOSTILE = `<script>alert("1")</script> & <img src='x' onerror=y>`;

/** The longest name that PRODUCT_NAME accepts. */
export const HOSTILE_PRODUCT = `<b onclick="x">"Müller & Söhne"</b> 市場 ${'W'.repeat(60)}`.slice(0, 60);

const cipher = createCodeCipher({ current: 'a-secret-of-the-preview-0000000000000001', previous: [] });

export const SUPPORT = 'support@example.com';

export const createRenderer = (product: string, support: string | undefined = SUPPORT) =>
  createMailRenderer(cipher, product, support);

const createCodeMails = (language: Language): SendableMail[] =>
  (['verification-code', 'reset-password-code', 'email-change-code'] as const).map((template) => ({
    template,
    to: TO,
    language,
    sealedCode: cipher.encrypt(CODE),
    expiresAt: AT,
  }));

const createAccountMails = (language: Language): SendableMail[] => [
  ...createCodeMails(language),
  { template: 'email-change-taken', to: TO, language },
  { template: 'email-change-requested', to: TO, language, requestedAt: AT },
  { template: 'email-changed', to: TO, language, changedAt: AT },
  { template: 'password-changed', to: TO, language, changedAt: AT },
  ...SECOND_FACTOR_CHANGES.map(
    (change) => ({ template: 'second-factor-changed', to: TO, language, changedAt: AT, change }) as const,
  ),
  { template: 'new-device', to: TO, language, signedInAt: AT, address: '2001:db8::1' },
  { template: 'account-deleted', to: TO, language, deletedAt: AT },
  ...GUESSED_SECRETS.map(
    (secret) => ({ template: 'guessing-paused', to: TO, language, pausedUntil: AT, secret }) as const,
  ),
  { template: 'wrong-factors', to: TO, language, attemptedAt: AT },
  { template: 'platform-role-removed', to: TO, language, role: 'OPERATOR', changedAt: AT },
  { template: 'setup-removed', to: TO, language, changedAt: AT },
  { template: 'identity-linked', to: TO, language, changedAt: AT, provider: 'Company' },
  { template: 'identity-unlinked', to: TO, language, changedAt: AT, provider: 'Company' },
];

const CONTACT_MAILS: SendableMail[] = [
  {
    template: 'lead-request',
    to: TO,
    request: { name: 'Ada', email: 'a@b.example', phone: '+44 20', company: 'Engines', message: 'One\nTwo' },
  },
  {
    template: 'support-request',
    to: TO,
    request: { name: 'Ada', email: 'a@b.example', subject: 'Broken', message: 'Help' },
  },
];

export const EXAMPLE_MAILS: SendableMail[] = [...LANGUAGES.flatMap(createAccountMails), ...CONTACT_MAILS];

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(20);

const HOSTILE_FORMS: SendableMail[] = (['lead-request', 'support-request'] as const).map((template) => ({
  template,
  to: TO,
  request: {
    name: HOSTILE,
    email: `"${HOSTILE}"@b.example`,
    phone: LONG,
    company: HOSTILE,
    subject: `${HOSTILE}\r\nBcc: eve@example.com`,
    message: `${HOSTILE}\r\nE-mail: eve@example.com\n${LONG}\n市場 עברית 🚀`,
  },
}));

export type Example = { title: string; mail: RenderedMail };

/** The template name, with a suffix if a template has several examples. */
export const toName = (mail: SendableMail): string => {
  if ('secret' in mail) return `${mail.template} (${mail.secret})`;
  return 'change' in mail ? `${mail.template} (${mail.change})` : mail.template;
};

const toTitle = (mail: SendableMail): string =>
  'language' in mail ? `${toName(mail)} in ${mail.language}` : toName(mail);

/** Renders every mail, first with usual values, then with long and hostile ones. */
export const renderExamples = (product: string): Example[] => {
  const [render, renderHostile] = [createRenderer(product), createRenderer(HOSTILE_PRODUCT)];
  const hostile = [...EXAMPLE_MAILS.filter((mail) => 'language' in mail), ...HOSTILE_FORMS];
  return [
    ...EXAMPLE_MAILS.map((mail) => ({ title: toTitle(mail), mail: render(mail) })),
    ...hostile.map((mail) => ({
      title: `${toTitle(mail)}, with long and hostile values`,
      mail: renderHostile(mail),
    })),
  ];
};

/** The file with the mail texts of a language, whose changes are reviewed. */
export const getTextsFile = (language: Language): URL =>
  new URL(`../../src/templates/mails.${language}.txt`, import.meta.url);

/** Renders the content of that file. */
export const renderTexts = (language: Language): string => {
  const render = createRenderer('Marketplace');
  return EXAMPLE_MAILS.filter((mail) => ('language' in mail ? mail.language : 'en') === language)
    .map((mail) => {
      const { subject, text } = render(mail);
      return `===== ${toName(mail)}\nSubject: ${subject}\n\n${text}`;
    })
    .join('\n');
};
