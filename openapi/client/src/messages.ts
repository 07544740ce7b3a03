import type { components } from '../../types/auth.ts';
import type { Known } from './operation-types.ts';
import { type ErrorCode, isPlatformError } from './platform-error.ts';

type ErrorRule = Known<components['schemas']['ErrorRule']>;

/**
 * A missing code or rule does not compile. `{name}` is a parameter of the rule; `{seconds}` is the time to
 * wait, such as `2 minutes`.
 */
export type Messages = { codes: Record<ErrorCode, string>; rules: Record<ErrorRule, string> };

type Detail = { path: string; rule?: string; params?: Record<string, unknown> };

const fill = (message: string, params: Record<string, unknown>): string =>
  message.replace(/{(\w+)}/g, (_, name: string) => String(params[name] ?? ''));

const hasKey = <Key extends string>(messages: Record<Key, string>, key: string): key is Key =>
  Object.hasOwn(messages, key);

const UNITS = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `7 seconds`, `2 minutes` or `1 hour`; rounded up, so that a retry is not too early. */
const formatSeconds = (seconds: number, language: string): string => {
  const [unit, size] = UNITS.find(([, unitSeconds]) => seconds >= unitSeconds) ?? (['second', 1] as const);
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.ceil(seconds / size));
};

/** `/body/address/city` becomes the field name `address.city`; `/body/emails/0` becomes `emails`. */
const toFieldName = (path: string): string =>
  path
    .split('/')
    .slice(2)
    .join('.')
    .replace(/\.\d.*/, '');

/** The field of a request that proves the factor. */
const FACTOR_FIELDS = { totp: 'totpCode', 'recovery-code': 'recoveryCode', passkey: 'passkey' } as const;

/**
 * Sentences for users, in the language of the client or of one call. The tag of a language may name a region
 * (`de-DE`); one without a catalogue has the first.
 */
export const createMessages = (
  client: { language?: string | undefined },
  catalogues: Record<string, Messages>,
) => {
  const find = (tag = client.language ?? ''): [language: string, Messages] => {
    const [wanted] = tag.toLowerCase().split(/[-_]/);
    const entries = Object.entries(catalogues);
    const found = entries.find(([language]) => language === wanted) ?? entries[0];
    if (!found) throw new Error('There is no catalogue of messages');
    return found;
  };
  const fieldMessageOf = ({ rule = '', params = {} }: Detail, language?: string): string => {
    const [, { rules }] = find(language);
    return fill(rules[hasKey(rules, rule) ? rule : 'pattern'], params);
  };
  const messageOf = (error: unknown, language?: string): string => {
    const [name, { codes }] = find(language);
    const code = isPlatformError(error) && hasKey(codes, error.code) ? error.code : 'INTERNAL_ERROR';
    const seconds = isPlatformError(error) ? (error.retryAfterSeconds ?? 60) : 60;
    return fill(codes[code], { seconds: formatSeconds(seconds, name) });
  };
  return {
    /** Codes of newer platforms, and errors of other kinds, count as INTERNAL_ERROR. */
    messageOf,
    /** A sentence to show beside the field that an entry of `error.details` names. */
    fieldMessageOf,
    /**
     * The first sentence for each invalid field of VALIDATION_FAILED, such as `{ email: 'Fill in this
     * field.' }`; for FACTOR_REQUIRED, one for the field of each possible factor, such as `totpCode`.
     */
    fieldErrors: (error: unknown, language?: string): Record<string, string> => {
      if (isPlatformError(error, 'FACTOR_REQUIRED'))
        return Object.fromEntries(
          error.factors
            .filter((factor) => hasKey(FACTOR_FIELDS, factor))
            .map((factor) => [FACTOR_FIELDS[factor], messageOf(error, language)]),
        );
      const details: readonly Detail[] = isPlatformError(error) ? error.details : [];
      const sentences = details.map((detail) => [toFieldName(detail.path), fieldMessageOf(detail, language)]);
      return Object.fromEntries(sentences.filter(([field]) => field).reverse());
    },
  };
};
