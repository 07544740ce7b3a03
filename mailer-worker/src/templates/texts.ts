import { domainToUnicode } from 'node:url';
import type { Language } from '@platform/shared/http/language';
import type { AccountTexts } from './languages/account-texts.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';

/** A language without texts does not compile. */
export const TEXTS: Readonly<Record<Language, AccountTexts>> = { en, de };

/** Formats a time in the time zone of the reader; null stands for UTC. */
export const formatTime = (language: Language, iso: string, timeZone: string | null): string => {
  const { locale, afterTime } = TEXTS[language];
  const [time, zone] = [new Date(iso), { timeZone: timeZone ?? 'UTC' }];
  const format = Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', ...zone });
  const parts = Intl.DateTimeFormat(locale, { timeZoneName: 'short', ...zone }).formatToParts(time);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${format.format(time)} ${afterTime(name)}`;
};

/** The address as people write it: `jonas@müller.de` for `jonas@xn--mller-kva.de`. */
export const showAddress = (address: string): string =>
  address.replace(/(?<=@)[^@]+$/, (host) => domainToUnicode(host) || host);
