import type { Messages } from './message-types.ts';
import { GERMAN } from './messages-de.ts';
import { ENGLISH } from './messages-en.ts';
import { isPlatformError } from './platform-error.ts';

const CATALOGUES = { en: ENGLISH, de: GERMAN } as const satisfies Record<string, Messages>;
export type Language = keyof typeof CATALOGUES;

const fill = (message: string, params: Record<string, unknown>): string =>
  message.replace(/{(\w+)}/g, (_, name: string) => String(params[name] ?? ''));

const hasKey = <Key extends string>(messages: Record<Key, string>, key: string): key is Key =>
  Object.hasOwn(messages, key);

/** `1 second`, `7 seconds`. */
const formatSeconds = (seconds: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(seconds);

/** A sentence for the user. Codes of newer platforms, and errors of other kinds, count as INTERNAL_ERROR. */
export const messageOf = (error: unknown, language: Language): string => {
  const { codes } = CATALOGUES[language];
  const code = isPlatformError(error) && hasKey(codes, error.code) ? error.code : 'INTERNAL_ERROR';
  const seconds = isPlatformError(error) ? (error.retryAfterSeconds ?? 60) : 60;
  return fill(codes[code], { seconds: formatSeconds(seconds, language) });
};

type Detail = { path: string; rule?: string; params?: Record<string, unknown> };

/** A sentence to show beside the field that an entry of `error.details` names. */
export const fieldMessageOf = ({ rule = '', params = {} }: Detail, language: Language): string => {
  const { rules } = CATALOGUES[language];
  return fill(rules[hasKey(rules, rule) ? rule : 'pattern'], params);
};
