import { databaseUrl, mailAddress, mailSender, redisUrl, smtpUrl } from '@platform/shared/config/addresses';
import { appearanceVariables, type Logo, toKindNames } from '@platform/shared/config/appearance';
import {
  boolean,
  type Environment,
  integer,
  onOff,
  port,
  productName,
  readEnvironment,
  timeZone,
} from '@platform/shared/config/env';
import { pagesVariables, readPages } from '@platform/shared/config/pages';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { readSecrets, secretVariables } from '@platform/shared/config/secrets';

import type { Retention } from './cleanup/cleanup.ts';
import type { MailPages } from './templates/mail-links.ts';

const SECRETS = ['CODE_SECRET_KEY'] as const;

/** A period in days; 0 keeps rows forever. */
const retentionDays = (fallback: number) => integer(fallback, 0, 36_500);

const variables = {
  ...processVariables,
  WORKER_OPS_PORT: port(9303),
  DATABASE_URL: databaseUrl(),
  REDIS_URL: redisUrl(),
  QUEUE_REDIS_URL: redisUrl({ default: undefined }),
  SMTP_URL: smtpUrl(),
  SMTP_REQUIRE_TLS: boolean({ default: true }),
  MAIL_FROM: mailSender(),
  PRODUCT_NAME: productName,
  ...appearanceVariables,
  SUPPORT_EMAIL: mailAddress({ default: undefined }),
  /** Whether a notification shows a code. The price is that mail servers log it. */
  CODE_IN_SUBJECT: onOff('on'),
  MAIL_CONCURRENCY: integer(5, 1, 100),
  /** The limit of mails per second for all workers together; 0 sets no limit. */
  MAIL_RATE_PER_SECOND: integer(0, 0, 10_000),
  /** Mails link the pages if the gateway serves them; it has the same settings. */
  ...pagesVariables,
  ...secretVariables(SECRETS),
  CLEANUP_TZ: timeZone('UTC'),
  AUDIT_RETENTION_DAYS: retentionDays(365),
  /** Applies to sessions without tokens and starts at the last sign-in. */
  SESSION_RETENTION_DAYS: retentionDays(365),
  CONTACT_RETENTION_DAYS: retentionDays(365),
  FAILED_MAIL_RETENTION_DAYS: retentionDays(30),
  /** Applies to the record of a mail, whose text is deleted when it is sent. */
  SENT_MAIL_RETENTION_DAYS: retentionDays(30),
  EVENT_RETENTION_DAYS: retentionDays(30),
};

/** Mail programs show no SVG. */
const findPng = (logo: Logo | undefined): Buffer | undefined =>
  logo?.type === 'png' ? logo.bytes : undefined;

/** The pages to which mails link. */
const toMailPages = ({ names, origin }: ReturnType<typeof readPages>): MailPages => {
  const toUrl = (name: (typeof names)[number]) =>
    origin !== undefined && names.includes(name) ? `${origin}/${name}` : undefined;
  return { accountUrl: toUrl('account'), consoleUrl: toUrl('console') };
};

type WarnedSettings = { NODE_ENV: string; SMTP_URL: string; SMTP_REQUIRE_TLS: boolean };

/** On Compose, SMTP_URL is a test inbox until somebody changes it, and mails to users would end there. */
const findWarnings = ({ NODE_ENV, SMTP_URL, SMTP_REQUIRE_TLS }: WarnedSettings): string[] =>
  NODE_ENV === 'production' && !SMTP_REQUIRE_TLS && SMTP_URL.toLowerCase().startsWith('smtp:')
    ? [
        `SMTP_REQUIRE_TLS=false in production: mails go unencrypted to ${new URL(SMTP_URL).host}, which may be the test inbox; set SMTP_URL to your mail server`,
      ]
    : [];

/** @throws ConfigError that names all missing and invalid variables */
export const readConfig = (environment: Environment) => {
  const env = readEnvironment(environment, variables, [(values) => readSecrets(values, SECRETS), readPages]);
  const secrets = readSecrets(env, SECRETS);
  // One connection for each mail that is being sent, and three for the outbox, the cleanup and the checks.
  const databaseConnections = env.MAIL_CONCURRENCY + 3;
  return {
    ...toProcessConfig(env),
    secrets,
    opsPort: { variable: 'WORKER_OPS_PORT', number: env.WORKER_OPS_PORT },
    warnings: findWarnings(env),
    // The worker serves no requests, so there is nothing to drain.
    drainSeconds: 0,
    databaseUrl: env.DATABASE_URL,
    queueRedisUrl: env.QUEUE_REDIS_URL ?? env.REDIS_URL,
    smtp: {
      url: env.SMTP_URL,
      requireTls: env.SMTP_REQUIRE_TLS,
      from: env.MAIL_FROM,
      // Used if `from` has no name.
      senderName: env.PRODUCT_NAME,
      // The additional connection sends a code while the others are occupied.
      maxConnections: env.MAIL_CONCURRENCY + 1,
      /** A PNG image, which is part of each mail. */
      logo: findPng(env.LOGO_FILE),
      darkLogo: findPng(env.LOGO_DARK_FILE),
    },
    productName: env.PRODUCT_NAME,
    kindNames: toKindNames(env),
    appearance: {
      hasLogo: findPng(env.LOGO_FILE) !== undefined,
      hasDarkLogo: findPng(env.LOGO_DARK_FILE) !== undefined,
      accent: { colour: env.ACCENT_COLOUR, dark: env.ACCENT_COLOUR_DARK },
      supportEmail: env.SUPPORT_EMAIL,
      termsUrl: env.TERMS_URL,
      privacyUrl: env.PRIVACY_URL,
    },
    /** The e-mail address of the support. */
    support: env.SUPPORT_EMAIL,
    codeInSubject: env.CODE_IN_SUBJECT === 'on',
    pages: toMailPages(readPages(env)),
    databaseConnections,
    primaryConnections: databaseConnections,
    mailConcurrency: env.MAIL_CONCURRENCY,
    mailRatePerSecond: env.MAIL_RATE_PER_SECOND,
    codeSecret: secrets.CODE_SECRET_KEY,
    cleanupTimeZone: env.CLEANUP_TZ,
    retention: {
      sessions: env.SESSION_RETENTION_DAYS,
      audit_records: env.AUDIT_RETENTION_DAYS,
      lead_requests: env.CONTACT_RETENTION_DAYS,
      support_requests: env.CONTACT_RETENTION_DAYS,
      mail_outbox: env.FAILED_MAIL_RETENTION_DAYS,
      sent_mails: env.SENT_MAIL_RETENTION_DAYS,
      service_mails: env.SENT_MAIL_RETENTION_DAYS,
      events: env.EVENT_RETENTION_DAYS,
    } satisfies Retention,
  };
};

export type WorkerConfig = ReturnType<typeof readConfig>;
