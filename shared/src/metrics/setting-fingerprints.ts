import { createHash } from 'node:crypto';
import { findPageNames } from '../config/pages.ts';
import type { Metrics } from './metrics.ts';

/**
 * The settings that must be equal in all processes that read them (docs/configuration.md). Logos are none of
 * them: beside an SVG for pages, the worker may have a PNG for mails.
 */
export const SHARED_SETTINGS = [
  ...['ACCENT_COLOUR', 'ACCENT_COLOUR_DARK', 'ACCOUNT_RETURN_ORIGINS', 'ADMIN_ALLOWED_DOMAINS'],
  ...['ADMIN_PROOF_SECONDS', 'BOT_CHECK', 'CUSTOMER_ACCOUNT_DE', 'CUSTOMER_ACCOUNT_EN'],
  ...['EMPLOYEE_ACCOUNT_DE', 'EMPLOYEE_ACCOUNT_EN', 'MAIL_RATE_PER_SECOND', 'PAGES', 'PRIVACY_URL'],
  ...['PRODUCT_NAME', 'PUBLIC_URL', 'SECOND_FACTOR_REQUIRED_FOR', 'SUPPORT_EMAIL', 'TERMS_URL'],
];

/** `PAGES` has no default, so that a process can distinguish it from `off`. */
const withPages = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  if (!('PAGES' in values)) return values;
  const { NODE_ENV, PAGES } = values as Parameters<typeof findPageNames>[0];
  return { ...values, PAGES: findPageNames({ NODE_ENV, PAGES }) };
};

/** A text that is equal for equal values. The order of a list has no meaning. */
export const toSettingText = (setting: string, readValues: Readonly<Record<string, unknown>>): string => {
  const value = withPages(readValues)[setting];
  return JSON.stringify(Array.isArray(value) ? value.toSorted() : (value ?? null));
};

/** The settings in which instances of a service may differ. */
const OWN_SETTING = /_PORT$|^LISTEN_HOST$|^OTEL_RESOURCE_ATTRIBUTES$/;

/** Exports fingerprints of the settings that the process has read, so that alerts find processes that differ. */
export const registerSettingFingerprints = (
  metrics: Metrics,
  readValues: Readonly<Record<string, unknown>>,
): void => {
  const register = (name: string, help: string, isMember: (setting: string) => boolean): void => {
    const samples = Object.keys(readValues)
      .filter(isMember)
      .map((setting) => {
        const hash = createHash('sha256').update(toSettingText(setting, readValues)).digest('hex');
        return { labels: { setting, fingerprint: hash.slice(0, 8) }, value: 1 };
      });
    metrics.sampledGauge(
      name,
      `${help}: the fingerprint of its value`,
      ['setting', 'fingerprint'],
      () => samples,
    );
  };
  const isShared = (setting: string) => SHARED_SETTINGS.includes(setting);
  register('shared_setting', 'A setting that must be equal in all processes that read it', isShared);
  register(
    'service_setting',
    'A setting that must be equal in all instances of the service',
    (setting) => !isShared(setting) && !OWN_SETTING.test(setting),
  );
};
