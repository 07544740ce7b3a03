import { DEFAULT_KIND_NAMES } from '@platform/shared/config/appearance';
import { LANGUAGES, type Language } from '@platform/shared/http/language';
import {
  type AddressedMail,
  type AddressedMessage,
  GUESSED_SECRETS,
  SECOND_FACTOR_CHANGES,
} from '@platform/shared/platform/mail/mail';
import type { RenderedMail } from '../../src/templates/layout.ts';
import { createMailRenderer } from '../../src/templates/mail-templates.ts';

export const TO = 'ada@example.com';
export const AT = '2026-11-20T03:04:05.678Z';
export const CODE = '042917';
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
export const HOSTILE = `<script>alert("1")</script> & <img src='x' onerror=y>`;

/** The longest name that PRODUCT_NAME accepts. */
export const HOSTILE_PRODUCT = `<b onclick="x">"Müller & Söhne"</b> 市場 ${'W'.repeat(60)}`.slice(0, 60);

export const SUPPORT = 'support@example.com';

export const INVITATION_CODE = 'k3v7-2qpa-x4ne-m6tz-5whd-ycru-3jlo-b2gf';
export const PAGES = {
  accountUrl: 'https://api.example.com/account',
  consoleUrl: 'https://api.example.com/console',
};

export const createRenderer = (product: string, support: string | undefined = SUPPORT) =>
  createMailRenderer({
    kindNames: DEFAULT_KIND_NAMES,
    product,
    support,
    pages: PAGES,
    openCode: () => INVITATION_CODE,
  });

const createCodeMails = (language: Language): AddressedMail[] =>
  (
    [
      'verification-code',
      'reset-password-code',
      'email-change-code',
      'sign-in-code',
      'new-device-code',
    ] as const
  ).map((template) => ({
    template,
    to: TO,
    language,
    code: CODE,
    expiresAt: AT,
    isDecoy: false,
    userId: null,
    kind: 'customer',
    timeZone: 'Europe/Berlin',
    userAgent: USER_AGENT,
  }));

const REPLIES: Record<Language, { text: string; subject: string; message: string }> = {
  en: {
    text: 'Hello Ada,\n\nthe bank has sent the money back to us.\nWe pay it out again today.',
    subject: 'Refund on another card',
    message: 'Hello,\nthe refund went to the card that I have cancelled.',
  },
  de: {
    text: 'Guten Tag Ada,\n\ndie Bank hat uns das Geld zurückgeschickt.\nHeute zahlen wir es noch einmal aus.',
    subject: 'Rückzahlung auf eine andere Karte',
    message: 'Guten Tag,\ndie Rückzahlung ging an meine gekündigte Karte.',
  },
};

const createAccountMails = (language: Language): AddressedMail[] => {
  const owner = { to: TO, language, isEmailVerified: true };
  const notice = { ...owner, timeZone: 'Europe/Berlin', roles: ['CUSTOMER'] };
  return [
    ...createCodeMails(language),
    { template: 'email-change-taken', to: TO, language },
    { template: 'wrong-kind', to: TO, language, roles: ['CUSTOMER'] },
    { template: 'email-change-requested', ...notice, requestedAt: AT },
    { template: 'email-changed', ...notice, changedAt: AT, userId: null },
    { template: 'password-changed', ...notice, changedAt: AT },
    ...SECOND_FACTOR_CHANGES.map(
      (change) => ({ template: 'second-factor-changed', ...notice, changedAt: AT, change }) as const,
    ),
    {
      template: 'new-device',
      ...notice,
      signedInAt: AT,
      address: '2001:db8::1',
      userAgent: USER_AGENT,
      methods: ['password', 'totp'],
    },
    { template: 'account-deleted', ...notice, deletedAt: AT },
    ...GUESSED_SECRETS.map(
      (secret) => ({ template: 'guessing-paused', ...notice, pausedUntil: AT, secret }) as const,
    ),
    { template: 'wrong-factors', ...notice, attemptedAt: AT },
    { template: 'administrator-registered', ...notice, role: 'ADMIN', changedAt: AT },
    {
      template: 'platform-role-given',
      ...notice,
      email: 'grace@example.com',
      role: 'OPERATOR',
      changedAt: AT,
    },
    { template: 'platform-role-assigned', ...notice, role: 'OPERATOR', changedAt: AT },
    { template: 'platform-role-removed', ...notice, role: 'OPERATOR', changedAt: AT },
    {
      template: 'invitation',
      to: TO,
      language,
      role: 'OPERATOR',
      sealedCode: 'sealed',
      expiresAt: AT,
      invitedBy: 'grace@example.com',
    },
    {
      template: 'contact-reply',
      to: TO,
      language,
      replyTo: 'contact@example.com',
      ...REPLIES[language],
      wroteAt: AT,
    },
    {
      template: 'invitation-accepted',
      ...notice,
      email: 'grace@example.com',
      role: 'OPERATOR',
      acceptedAt: AT,
    },
    { template: 'setup-removed', ...notice, changedAt: AT },
    { template: 'identity-linked', ...notice, changedAt: AT, provider: 'Company' },
    ...[false, true].map((byAdministrator): AddressedMail => {
      const provider = byAdministrator ? 'company' : 'Company';
      return { template: 'identity-unlinked', ...notice, changedAt: AT, provider, byAdministrator };
    }),
  ];
};

export const ACTION_URL = 'https://example.com/projects/1';

/** The texts are those of the service. */
const SERVICE_MESSAGES: AddressedMessage[] = [
  {
    language: 'en',
    subject: 'A team has made a bid',
    text: 'Studio North has made a bid for “Online shop”.\nIt is valid until Friday.\n\nYou can answer it now.',
    action: { label: 'See the bid', url: ACTION_URL },
  },
  {
    language: 'de',
    subject: 'Ein Team hat ein Angebot gemacht',
    text: 'Studio Nord hat ein Angebot für „Onlineshop“ gemacht.\nEs gilt bis Freitag.\n\nSie können es jetzt annehmen.',
    action: { label: 'Angebot ansehen', url: ACTION_URL },
  },
].map(
  (message) => ({ template: 'service-message', service: 'projects', to: TO, ...message }) as AddressedMessage,
);

const CONTACT_MAILS: AddressedMail[] = [
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

export const EXAMPLE_MAILS: AddressedMail[] = [
  ...LANGUAGES.flatMap(createAccountMails),
  ...SERVICE_MESSAGES,
  ...CONTACT_MAILS,
];

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(20);

const HOSTILE_FORMS: AddressedMail[] = (['lead-request', 'support-request'] as const).map((template) => ({
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

const HOSTILE_MESSAGE: AddressedMail = {
  template: 'service-message',
  service: 'projects',
  to: TO,
  language: 'en',
  subject: `${HOSTILE} ${LONG}`.slice(0, 200),
  text: `${HOSTILE}\n-- \nMarketplace\n\n\u001b[31m${LONG}\r\n市場 עברית 🚀`,
  action: { label: HOSTILE, url: `https://example.com/?${'a=1&b=2&'.repeat(200)}` },
};

export type Example = { title: string; mail: RenderedMail };

/** The template name, with a suffix if a template has several examples. */
export const toName = (mail: AddressedMail): string => {
  if ('secret' in mail) return `${mail.template} (${mail.secret})`;
  return 'change' in mail ? `${mail.template} (${mail.change})` : mail.template;
};

const toTitle = (mail: AddressedMail): string =>
  'language' in mail ? `${toName(mail)} in ${mail.language}` : toName(mail);

/** Renders every mail, first with usual values, then with long and hostile ones. */
export const renderExamples = (product: string): Example[] => {
  const [render, renderHostile] = [createRenderer(product), createRenderer(HOSTILE_PRODUCT)];
  const hostile = [...EXAMPLE_MAILS.filter((mail) => 'language' in mail), HOSTILE_MESSAGE, ...HOSTILE_FORMS];
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
