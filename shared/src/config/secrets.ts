import { ConfigError, MIN_SECRET_LENGTH, secret, secretList } from './env.ts';

/** The current secret signs; previous ones only verify. */
export type Secret = { current: string; previous: string[] };

type Variables<Name extends string> = Record<Name, ReturnType<typeof secret>> &
  Record<`${Name}_PREVIOUS`, ReturnType<typeof secretList>>;

/** For each name: `NAME` is required, and `NAME_PREVIOUS` is optional and comma-separated. */
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

const isPlaceholder = (value: string): boolean =>
  PLACEHOLDER.test(value) || new Set(value).size < MIN_DISTINCT_CHARACTERS;

/** An optional secret may be undefined. */
type Values<Name extends string> = Record<Name, string | undefined> &
  Record<`${Name}_PREVIOUS`, string[]> & { NODE_ENV: string };

/** Returns a line for each problem, with the names of the affected variables. */
export const findSecretProblems = (
  all: readonly { name: string; value: string }[],
  isProduction: boolean,
): string[] => {
  const problems: [(value: string) => boolean, problem: string][] = [
    [(value) => all.filter((other) => other.value === value).length > 1, 'must all be different'],
    [(value) => value.length < MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`],
    [(value) => isProduction && isPlaceholder(value), 'must be a random secret, not a placeholder'],
  ];
  return problems.flatMap(([hasProblem, problem]) => {
    const names = new Set(all.filter(({ value }) => hasProblem(value)).map(({ name }) => name));
    return names.size > 0 ? `${[...names].join(', ')} ${problem}` : [];
  });
};

/**
 * Reads the named secrets. If two were equal, a token of one kind or purpose would be valid as another; this
 * includes previous secrets. A secret without a value is left out.
 * @throws ConfigError that names all secrets that are equal, too short or, in production, placeholders
 */
export const readSecrets = <Name extends string>(
  values: Values<Name>,
  names: readonly Name[],
): Record<Name, Secret> => {
  // A missing secret has already been reported and must not hide the problems of the others.
  const secrets = names
    .filter((name) => ({ ...values })[name] !== undefined)
    .map((name) => ({
      name,
      current: values[name] as string,
      previous: values[`${name}_PREVIOUS`] as string[],
    }));
  const all = secrets.flatMap(({ name, current, previous }) => [
    { name: name as string, value: current },
    ...previous.map((value) => ({ name: `${name}_PREVIOUS`, value })),
  ]);
  const problems = findSecretProblems(all, values.NODE_ENV === 'production');
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return Object.fromEntries(secrets.map(({ name, ...secret }) => [name, secret])) as Record<Name, Secret>;
};
