import { LANGUAGES, type Language } from '@platform/shared/http/language';
import { findBrokenTextRule, isInstant, isNewEmail, tidyText } from '@platform/shared/http/text-rules';
import { normaliseEmail } from '../accounts/account.ts';
import { KIND_CONFIGS, type ProfileKind } from '../kinds.ts';
import { BCRYPT_HASH } from '../passwords/password.ts';

/** A user of another system. */
export type ImportedUser = {
  kind: ProfileKind;
  email: string;
  /** If null, the user sets a password by a code. */
  passwordHash: string | null;
  isEmailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  language: Language;
  createdAt: Date;
};

export type Line = { number: number; text: string };
export type LineWithReason = Line & { reason: string };
type ParsedLine = { user: ImportedUser } | { reason: string };

type Rule = { isValid: (value: unknown) => boolean; message: string };

/** Texts have the same rule as at sign-up. */
const text = (maxLength: number): Rule => ({
  isValid: (value) =>
    typeof value === 'string' &&
    value.length > 0 &&
    [...value].length <= maxLength &&
    findBrokenTextRule(value, 'one-line') === undefined &&
    value.isWellFormed(),
  message: `must be a text of 1 to ${maxLength} characters, one of them visible, without control characters`,
});

const oneOf = (values: readonly unknown[]): Rule => ({
  isValid: (value) => values.includes(value),
  message: `must be one of: ${values.join(', ')}`,
});

/** Every failed sign-in takes as long as the stored hash with the highest cost. */
const hash = (maxCost: number): Rule => ({
  isValid: (value) => {
    const cost = typeof value === 'string' && BCRYPT_HASH.test(value) ? Number(value.slice(4, 6)) : 0;
    return cost >= 4 && cost <= maxCost;
  },
  message: `must be a bcrypt hash ($2a$, $2b$ or $2y$) of cost 4 to ${maxCost} (BCRYPT_COST)`,
});

const EMAIL: Rule = {
  isValid: (value) => typeof value === 'string' && isNewEmail(value),
  message: 'must be an e-mail address of at most 254 characters, 64 of them before the @',
};

const PAST: Rule = {
  isValid: (value) => {
    const time = typeof value === 'string' && isInstant(value) ? Date.parse(value) : -1;
    return time >= 0 && time <= Date.now();
  },
  message: 'must be a time with a time zone (RFC 3339), not before 1970 and not in the future',
};

const createRules = (maxCost: number): ReadonlyMap<string, Rule> =>
  new Map([
    ['kind', oneOf(['customer', 'employee'] satisfies ProfileKind[])],
    ['email', EMAIL],
    ['passwordHash', hash(maxCost)],
    ['isEmailVerified', oneOf([true, false])],
    ['firstName', text(100)],
    ['lastName', text(100)],
    ['phone', text(32)],
    ['language', oneOf(LANGUAGES)],
    ['createdAt', PAST],
  ]);

const REQUIRED = ['kind', 'email'];

const findProblems = (fields: Record<string, unknown>, rules: ReadonlyMap<string, Rule>): string[] => [
  ...REQUIRED.filter((name) => (fields[name] ?? null) === null).map((name) => `${name} is missing`),
  ...Object.entries(fields).flatMap(([name, value]) => {
    const rule = rules.get(name);
    if (!rule) return [`${name} is not a known field`];
    return value === null || rule.isValid(value) ? [] : [`${name} ${rule.message}`];
  }),
];

const DEFAULTS = {
  passwordHash: null,
  isEmailVerified: false,
  firstName: null,
  lastName: null,
  phone: null,
  language: LANGUAGES[0],
};

/** Expects fields without problems. Null counts as absent. */
const toUser = (fields: Record<string, unknown>): ImportedUser => {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const user = { ...DEFAULTS, ...given } as Omit<ImportedUser, 'createdAt'> & { createdAt?: string };
  const { email, createdAt = new Date() } = user;
  return { ...user, email: normaliseEmail(email), createdAt: new Date(createdAt) };
};

const NAMES = ['firstName', 'lastName', 'phone'];

const tidyNames = (field: string, value: unknown): unknown =>
  typeof value === 'string' && NAMES.includes(field) ? tidyText(value, 'one-line') : value;

const parseObject = (json: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(json, tidyNames);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** The reason names every problem of the line. `maxCost` is BCRYPT_COST. */
export const createLineParser = (maxCost: number) => {
  const rules = createRules(maxCost);
  return (line: string): ParsedLine => {
    // Decoders replace bytes that are not UTF-8 by this character.
    if (line.includes('\ufffd')) return { reason: 'The line is not UTF-8' };
    const fields = parseObject(line);
    if (!fields) return { reason: 'The line is not a JSON object' };
    const problems = findProblems(fields, rules);
    return problems.length > 0 ? { reason: problems.join('; ') } : { user: toUser(fields) };
  };
};

export type ParseLine = ReturnType<typeof createLineParser>;

/** A user who already has the address of a line. */
export type StoredUser = {
  email: string;
  roles: string[];
  isEmailVerified: boolean;
  passwordHash: string | null;
};

export const isOfKind = ({ kind }: ImportedUser, { roles }: StoredUser): boolean =>
  roles.includes(KIND_CONFIGS[kind].profile.role);

/**
 * Anybody can sign up with the address of somebody else. An account that an earlier run created has the
 * password of the line until its owner signs in.
 */
export const mayBeOfStranger = (user: ImportedUser, { isEmailVerified, passwordHash }: StoredUser): boolean =>
  !isEmailVerified && passwordHash !== user.passwordHash;
