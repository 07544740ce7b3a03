import { expect } from 'chai';
import { LANGUAGES } from '../../http/language.ts';
import { GUESSED_SECRETS, type Mail, SECOND_FACTOR_CHANGES, TEMPLATES } from './mail.ts';
import { parseMailJob } from './parse-mail-job.ts';

const TO = 'ada@example.com';
const AT = '2026-11-20T03:00:00.000Z';
const USER_ID = '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';

const MAILS: Mail[] = [
  {
    template: 'verification-code',
    to: TO,
    language: 'de',
    code: '042917',
    expiresAt: AT,
    isDecoy: true,
    userId: USER_ID,
    kind: 'customer',
  },
  {
    template: 'reset-password-code',
    to: TO,
    language: 'de',
    code: '042917',
    expiresAt: AT,
    isDecoy: true,
    userId: USER_ID,
    kind: 'customer',
  },
  ...(['email-change-code', 'sign-in-code', 'new-device-code'] as const).map(
    (template): Mail => ({
      template,
      to: TO,
      language: 'de',
      code: '042917',
      expiresAt: AT,
      isDecoy: true,
      userId: USER_ID,
      kind: 'employee',
    }),
  ),
  {
    template: 'contact-reply',
    to: TO,
    language: 'de',
    replyTo: 'contact@example.com',
    text: 'Hello',
    subject: null,
    message: null,
    wroteAt: AT,
  },
  { template: 'email-change-taken', to: TO, language: 'de' },
  { template: 'wrong-kind', to: TO, language: 'de', roles: ['CUSTOMER'] },
  { template: 'email-change-requested', to: TO, language: 'de', isEmailVerified: true, requestedAt: AT },
  { template: 'email-changed', to: TO, language: 'de', isEmailVerified: true, changedAt: AT, userId: null },
  { template: 'password-changed', to: TO, language: 'de', isEmailVerified: true, changedAt: AT },
  {
    template: 'second-factor-changed',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    changedAt: AT,
    change: 'totp-enabled',
  },
  {
    template: 'new-device',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    signedInAt: AT,
    address: '2001:db8::1',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    methods: ['password'],
    timeZone: 'Europe/Berlin',
    roles: ['CUSTOMER'],
  },
  { template: 'account-deleted', to: TO, language: 'de', isEmailVerified: true, deletedAt: AT },
  {
    template: 'guessing-paused',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    secret: 'code',
    pausedUntil: AT,
  },
  { template: 'wrong-factors', to: TO, language: 'de', isEmailVerified: true, attemptedAt: AT },
  {
    template: 'administrator-registered',
    to: TO,
    language: 'de',
    isEmailVerified: false,
    role: 'OPERATOR',
    changedAt: AT,
  },
  {
    template: 'platform-role-given',
    email: 'grace@example.com',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    role: 'OPERATOR',
    changedAt: AT,
  },
  {
    template: 'platform-role-assigned',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    role: 'OPERATOR',
    changedAt: AT,
  },
  {
    template: 'platform-role-removed',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    role: 'OPERATOR',
    changedAt: AT,
  },
  {
    template: 'invitation',
    to: TO,
    language: 'de',
    role: 'OPERATOR',
    sealedCode: 'sealed',
    expiresAt: AT,
    invitedBy: 'grace@example.com',
  },
  {
    template: 'invitation-accepted',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    email: 'grace@example.com',
    role: 'OPERATOR',
    acceptedAt: AT,
  },
  { template: 'setup-removed', to: TO, language: 'de', isEmailVerified: true, changedAt: AT },
  {
    template: 'identity-linked',
    to: TO,
    language: 'de',
    isEmailVerified: true,
    changedAt: AT,
    provider: 'Company',
  },
  {
    template: 'identity-unlinked',
    byAdministrator: false,
    to: TO,
    language: 'de',
    isEmailVerified: true,
    changedAt: AT,
    provider: 'Company',
  },
  { template: 'lead-request', to: TO, request: { name: 'Ada' } },
  { template: 'support-request', to: TO, request: { message: 'Help' } },
  {
    template: 'service-message',
    service: 'projects',
    subject: 'A bid',
    text: 'A team has made a bid.',
    action: { label: 'See the bid', url: 'https://example.com/bids/1' },
  },
];

/** Wrong values are replaced by a default. */
const NOT_CHECKED = [
  ...['template', 'language', 'isEmailVerified', 'userAgent', 'userId'],
  ...['kind', 'methods', 'invitedBy', 'timeZone', 'roles', 'byAdministrator'],
];
const WRONG_VALUES = [undefined, null, '', 7, true, [7], { name: 7 }];

describe('Mail job', () => {
  it('covers every template in these tests', () => {
    expect(MAILS.map(({ template }) => template)).to.have.members(TEMPLATES);
  });

  it('accepts a service message without a link', () => {
    const mail = {
      template: 'service-message',
      service: 'projects',
      subject: 'A bid',
      text: 'A bid',
      action: null,
    };
    expect(parseMailJob({ mail }).mail).to.deep.equal(mail);
  });

  for (const mail of MAILS) {
    it(`parses a queued ${mail.template} mail`, () => {
      const job = { mail, requestId: 'request-1', inOutbox: true };
      expect(parseMailJob(JSON.parse(JSON.stringify(job)))).to.deep.equal(job);
    });

    for (const [field, valid] of Object.entries(mail).filter(([name]) => !NOT_CHECKED.includes(name)))
      it(`rejects a ${mail.template} mail with a missing or mistyped ${field}`, () => {
        // A mail without a link has null.
        for (const value of WRONG_VALUES.filter(
          (each) => each !== valid && (field !== 'action' || each !== null),
        )) {
          const job = { mail: { ...mail, [field]: value }, requestId: 'request-1', inOutbox: false };
          expect(() => parseMailJob(job), JSON.stringify(value)).to.throw(
            TypeError,
            new RegExp(`${mail.template}.*\\b${field}\\b`),
          );
        }
      });
  }

  it('accepts only the known changes of second factors and guessed secrets', () => {
    const notice = { to: TO, language: 'en', isEmailVerified: true };
    const changed = { template: 'second-factor-changed', ...notice, changedAt: AT };
    const paused = { template: 'guessing-paused', ...notice, pausedUntil: AT };
    const valid = [
      ...SECOND_FACTOR_CHANGES.map((change) => ({ ...changed, change })),
      ...GUESSED_SECRETS.map((secret) => ({ ...paused, secret })),
    ];
    for (const mail of valid) expect(parseMailJob({ mail }).mail).to.deep.equal(mail);
    for (const value of ['', 'totp', 'PASSWORD', 'TOTP-ENABLED', 'constructor']) {
      expect(() => parseMailJob({ mail: { ...changed, change: value } }), value).to.throw(
        TypeError,
        /change/,
      );
      expect(() => parseMailJob({ mail: { ...paused, secret: value } }), value).to.throw(TypeError, /secret/);
    }
  });

  it('accepts a mail without a user agent, and ignores a mistyped one', () => {
    const mail = { template: 'new-device', to: TO, language: 'en', isEmailVerified: true, signedInAt: AT };
    for (const userAgent of WRONG_VALUES)
      expect(parseMailJob({ mail: { ...mail, address: '::1', userAgent } }).mail).to.include({
        userAgent: null,
      });
  });

  for (const [field, template, replacement] of [
    ['kind', 'sign-in-code', null],
    ['methods', 'new-device', []],
    ['timeZone', 'new-device', null],
    ['roles', 'new-device', []],
  ] as const)
    it(`ignores a mistyped or unknown ${field}`, () => {
      const mail = MAILS.find((each) => each.template === template);
      for (const value of [...WRONG_VALUES, 'x', 'Mars/Olympus', '+01:00', 'a'.repeat(100)]) {
        const job = { mail: { ...mail, [field]: value } };
        expect(parseMailJob(job).mail, String(value)).to.deep.include({ [field]: replacement });
      }
    });

  it('accepts an invitation without an inviter', () => {
    const mail = MAILS.find((each) => each.template === 'invitation');
    for (const invitedBy of [undefined, null, 7])
      expect(parseMailJob({ mail: { ...mail, invitedBy } }).mail).to.include({ invitedBy: null });
  });

  for (const field of ['userId', 'userAgent', 'returnTo'])
    it(`ignores a mistyped ${field} of a code`, () => {
      for (const mail of MAILS.filter((each) => 'code' in each))
        for (const value of WRONG_VALUES)
          expect(parseMailJob({ mail: { ...mail, [field]: value } }).mail).to.include({ [field]: null });
    });

  it('keeps the language of a mail to a user', () => {
    for (const language of LANGUAGES)
      for (const mail of MAILS.filter((each) => 'language' in each))
        expect(parseMailJob({ mail: { ...mail, language } }).mail).to.deep.equal({ ...mail, language });
  });

  it('falls back to English for an unknown language and for none', () => {
    for (const language of [undefined, null, '', 'fr', 'DE', 7, {}, ['de'], 'constructor'])
      for (const mail of MAILS.filter((each) => 'language' in each))
        expect(parseMailJob({ mail: { ...mail, language } }).mail, String(language)).to.deep.equal({
          ...mail,
          language: 'en',
        });
  });

  it('takes an address for not verified unless the mail says that it is', () => {
    for (const isEmailVerified of [undefined, null, '', 'true', 1, {}, false])
      for (const mail of MAILS.filter((each) => 'isEmailVerified' in each))
        expect(
          parseMailJob({ mail: { ...mail, isEmailVerified } }).mail,
          String(isEmailVerified),
        ).to.deep.equal({ ...mail, isEmailVerified: false });
  });

  it('rejects data without a mail', () => {
    for (const data of [undefined, null, 7, 'text', [], {}, { mail: null }, { mail: 'text' }])
      expect(() => parseMailJob(data), JSON.stringify(data)).to.throw(TypeError, /no mail/);
  });

  it('rejects an unknown template, names of Object.prototype included', () => {
    for (const template of ['newsletter', '', 'constructor', '__proto__', 'toString', 7, null, undefined])
      expect(() => parseMailJob({ mail: { template, to: TO } }), String(template)).to.throw(
        TypeError,
        /Unknown mail template/,
      );
  });

  it('keeps the request time and the trace when they are strings', () => {
    const mail = { template: 'email-change-taken', to: TO, language: 'en' } as const;
    const job = { mail, requestId: 'request-1', inOutbox: true, askedAt: AT, traceparent: '00-1-1-01' };
    expect(parseMailJob(job)).to.deep.equal(job);
    const { askedAt, traceparent, ...rest } = job;
    expect([askedAt, traceparent]).to.deep.equal([AT, '00-1-1-01']);
    expect(parseMailJob({ ...rest, askedAt: 7, traceparent: {} })).to.deep.equal(rest);
  });

  it('defaults to an unknown request outside of the outbox', () => {
    const mail = { template: 'email-change-taken', to: TO, language: 'en' };
    expect(parseMailJob({ mail })).to.deep.equal({ mail, requestId: 'unknown', inOutbox: false });
    expect(parseMailJob({ mail, requestId: 7, inOutbox: 'true' })).to.deep.equal({
      mail,
      requestId: 'unknown',
      inOutbox: false,
    });
  });

  it('does not quote the content in the error, which may be logged', () => {
    const job = { mail: { template: 'reset-password-code', to: TO, code: '042917', expiresAt: 7 } };
    expect(() => parseMailJob(job)).to.throw(TypeError, /^(?!.*(ada@|042917)).*$/);
  });
});
