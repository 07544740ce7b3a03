import { ConfigError, secret, secretList } from './env.ts';

/** The current secret signs; previous ones only verify what they signed. */
export type Secret = { current: string; previous: string[] };

type Variables<Name extends string> = Record<Name, ReturnType<typeof secret>> &
  Record<`${Name}_PREVIOUS`, ReturnType<typeof secretList>>;

/** `NAME` required and `NAME_PREVIOUS` optional, comma-separated, for each of the names. */
export const secretVariables = <Name extends string>(names: readonly Name[]): Variables<Name> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [name, secret()],
      [`${name}_PREVIOUS`, secretList({ default: [] })],
    ]),
  ) as Variables<Name>;

const PLACEHOLDER =
  /change[-_ ]?(?:me|this)|placeholder|replace[-_ ]?(?:me|this|with)|your[-_ ]|insert[-_ ]|todo/i;
const MIN_DISTINCT_CHARACTERS = 10;
const MIN_LENGTH = 32;

const isPlaceholder = (value: string): boolean =>
  PLACEHOLDER.test(value) || new Set(value).size < MIN_DISTINCT_CHARACTERS;

type Values<Name extends string> = Record<Name, string> &
  Record<`${Name}_PREVIOUS`, string[]> & { NODE_ENV: string };

/**
 * Reads the named secrets. Equal ones, previous ones included, would make a token of one kind or purpose valid as another.
 * @throws ConfigError that names all secrets that are equal, too short or, in production, placeholders
 */
export const readSecrets = <Name extends string>(
  values: Values<Name>,
  names: readonly Name[],
): Record<Name, Secret> => {
  const isProduction = values.NODE_ENV === 'production';
  const all = names.flatMap((name) => [
    { name: name as string, value: values[name] as string },
    ...(values[`${name}_PREVIOUS`] as string[]).map((value) => ({ name: `${name}_PREVIOUS`, value })),
  ]);
  const equal = all.filter(({ value }, index) =>
    all.some((other, at) => at !== index && other.value === value),
  );
  const short = all.filter(({ value }) => value.length < MIN_LENGTH);
  const placeholders = isProduction ? all.filter(({ value }) => isPlaceholder(value)) : [];
  const namesOf = (found: typeof all) => [...new Set(found.map(({ name }) => name))].join(', ');
  const problems = [
    ...(equal.length > 0 ? [`${namesOf(equal)} must all be different`] : []),
    ...(short.length > 0 ? [`${namesOf(short)} must have at least ${MIN_LENGTH} characters`] : []),
    ...(placeholders.length > 0
      ? [`${namesOf(placeholders)} must be a random secret, not a placeholder`]
      : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  const entries = names.map((name): [Name, Secret] => [
    name,
    { current: values[name], previous: values[`${name}_PREVIOUS`] as string[] },
  ]);
  return Object.fromEntries(entries) as Record<Name, Secret>;
};
