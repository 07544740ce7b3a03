import { bool, type CleanedEnv, cleanEnv, makeExactValidator, str } from 'envalid';
import { describeProblems, inFileToo, isSecret, readSecretVariable, readVariables } from './secret-file.ts';

/** Lists every problem of the environment in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const text = str;
export const boolean = bool;

export type Environment = Record<string, string | undefined>;

/**
 * Reads a secret without `readEnvironment`; undefined if it is not set.
 * @throws ConfigError if its file is unreadable or empty
 */
export const findSecret = (environment: Environment, name: string): string | undefined => {
  const { value, error, emptyFile } = readSecretVariable(environment, name);
  const problem = error ?? emptyFile;
  if (problem !== undefined) throw new ConfigError(problem);
  return value;
};

/**
 * Returns the problems of all checks. A check that needs an invalid variable is skipped (`isComplete` is
 * false).
 */
export const findProblems = (checks: readonly (() => unknown)[], isComplete = true): string[] =>
  checks.flatMap((check) => {
    try {
      check();
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      if (isComplete) throw error;
    }
    return [];
  });

/** @throws ConfigError that contains the problems of all checks */
export const rejectProblems = (checks: readonly (() => unknown)[], isComplete = true): void => {
  // Checks that need the same other check have its problem in common.
  const problems = new Set(findProblems(checks, isComplete));
  if (problems.size > 0) throw new ConfigError([...problems].join('; '));
};

const valuesByEnvironment = new WeakMap<Environment, Record<string, unknown>>();

/** The value without what is secret: keys are left out, and URLs have neither login nor parameters. */
const toPublicValues = (name: string, value: unknown, validator: object): [string, unknown][] => {
  if (!isSecret(validator) || value === undefined) return [[name, value]];
  const isUrl = typeof value === 'string' && value.includes('://');
  return isUrl ? [[name, value.replace(/\/\/.*@/, '//').replace(/\?.*/, '')]] : [];
};

/**
 * Returns the values that have been read from an environment so far, by variable: defaults included, secrets
 * left out.
 */
export const getReadValues = (environment: Environment): Readonly<Record<string, unknown>> =>
  valuesByEnvironment.get(environment) ?? {};

/**
 * Reads and validates the variables in `specs`. An empty variable or file counts as unset.
 * @param checks checks that involve several variables and throw ConfigError
 * @throws ConfigError that names every missing or invalid variable
 */
export const readEnvironment = <Specs extends object>(
  environment: Environment,
  specs: Specs,
  checks: readonly ((env: CleanedEnv<Specs>) => unknown)[] = [],
): CleanedEnv<Specs> => {
  const readings = readVariables(environment, specs as Record<string, object>);
  const given = Object.fromEntries(
    [...readings].flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
  );
  const problems: string[] = [];
  const env = cleanEnv(given, specs, {
    reporter: ({ errors }) => problems.push(...describeProblems(readings, errors)),
  });
  const calls = checks.map((check) => () => check(env));
  const own = problems.map((problem) => () => {
    throw new ConfigError(problem);
  });
  rejectProblems([...own, ...calls], problems.length === 0);
  const values = Object.entries(specs).flatMap(([name, validator]) =>
    toPublicValues(name, (env as Record<string, unknown>)[name], validator),
  );
  valuesByEnvironment.set(environment, { ...getReadValues(environment), ...Object.fromEntries(values) });
  return env;
};

/** Returns NaN for blank text, which Number() converts to 0. */
export const toNumber = (input: string): number => (input.trim() === '' ? Number.NaN : Number(input));

const number = (fallback: number, isValid: (value: number) => boolean, requirement: string) =>
  makeExactValidator((input) => {
    const value = toNumber(input);
    if (!isValid(value)) throw new TypeError(`must be ${requirement}`);
    return value;
  })({ default: fallback });

export const integer = (fallback: number, min: number, max: number) =>
  number(
    fallback,
    (value) => Number.isInteger(value) && value >= min && value <= max,
    `an integer from ${min} to ${max}`,
  );

export const port = (fallback: number) => integer(fallback, 0, 65535);

export const positiveNumber = (fallback: number) =>
  number(fallback, (value) => Number.isFinite(value) && value > 0, 'a number above 0');

export const fraction = (fallback: number) =>
  number(fallback, (value) => value >= 0 && value <= 1, 'a number from 0 to 1');

/** A text of one line, without blanks at its ends. */
export const lineOfText = (maxLength: number) =>
  makeExactValidator((input) => {
    const value = input.trim();
    if (value === '' || [...value].length > maxLength || /[\p{Cc}\u2028\u2029]/u.test(value))
      throw new TypeError(`must have 1 to ${maxLength} characters and no line breaks`);
    return value;
  });

/**
 * The platform's name as users see it: in mails and their headers, authenticator apps and passkey dialogs.
 */
export const productName = lineOfText(60)({ default: 'Marketplace' });

export const onOff = (initial: 'on' | 'off') => text({ choices: ['on', 'off'], default: initial });

const MAX_LIFETIME_SECONDS = 10 * 365 * 24 * 3_600;

/**
 * A lifetime in whole seconds; fractions are dropped. If the value is not a number, the default applies, as
 * the specification requires.
 */
export const lifetimeSeconds = (fallback: number) =>
  makeExactValidator((input) => {
    const value = Math.floor(toNumber(input));
    if (Number.isNaN(value)) return fallback;
    if (value < 1 || value > MAX_LIFETIME_SECONDS)
      throw new TypeError(`must be a number of seconds from 1 to ${MAX_LIFETIME_SECONDS}`);
    return value;
  })({ default: fallback });

/** RFC 7518, 3.2 requires that an HMAC key is at least as long as the hash, which is 32 bytes for HS256. */
export const MIN_SECRET_LENGTH = 32;

export const secret = inFileToo(
  makeExactValidator((input) => {
    if (input.length < MIN_SECRET_LENGTH)
      throw new TypeError(`must have at least ${MIN_SECRET_LENGTH} characters`);
    return input;
  }),
);

/** Splits a comma-separated list, trims the items and drops empty ones. */
export const splitList = (input: string): string[] =>
  input
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const list = makeExactValidator(splitList);
export const secretList = inFileToo(list);

export const listOf = (isValid: (item: string) => boolean, form: string) =>
  makeExactValidator((input) => {
    const items = splitList(input);
    const invalid = items.filter((item) => !isValid(item));
    if (items.length === 0 || invalid.length > 0)
      throw new TypeError(`must be a list of ${form}, comma-separated, and not "${invalid.join(', ')}"`);
    return items;
  });

const NAME = /^[a-z0-9-]{1,64}$/;

/** Distinct names that can be parts of variables, labels and URLs. */
export const nameList = makeExactValidator((input) => {
  const names = splitList(input);
  if (!names.every((name) => NAME.test(name)) || new Set(names).size < names.length)
    throw new TypeError('must be a list of different names of a-z, 0-9 and -');
  return names;
});

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** At least one e-mail domain, comma-separated; converted to lower case. */
export const domainList = makeExactValidator((input) => {
  const names = splitList(input).map((name) => name.toLowerCase());
  if (names.length === 0 || !names.every((name) => DOMAIN.test(name)))
    throw new TypeError('must be a list of domains, such as example.com,example.org');
  return names;
});

export const timeZone = (fallback: string) =>
  makeExactValidator((input) => {
    try {
      Intl.DateTimeFormat('en', { timeZone: input });
    } catch (cause) {
      throw new TypeError('must be a time zone, such as UTC or Europe/Berlin', { cause });
    }
    return input;
  })({ default: fallback });
