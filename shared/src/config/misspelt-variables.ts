import { ConfigError, type Environment, getReadValues } from './env.ts';

/** Variables of other programs that resemble one of the platform (LOGO_FILE, MAIL_FROM, PAGES). */
const ORDINARY_NAMES = new Set(['LOG_FILE', 'MAILFROM', 'PAGER']);

/** The name, and what is left of it without each of its characters. */
const listShortened = (name: string): string[] => [
  name,
  ...Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1)),
];

/** Whether one character is missing, too many, wrong or in another place. */
const isOneEdit = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false;
  const shortened = new Set(listShortened(one));
  return listShortened(other).some((text) => shortened.has(text));
};

/** Whether one name is the beginning of the other, up to an underscore: SECOND_FACTOR_REQUIRED of …_FOR. */
const isBeginning = (one: string, other: string): boolean => {
  const [shorter = '', longer = ''] = one.length < other.length ? [one, other] : [other, one];
  return shorter.includes('_') && longer.startsWith(`${shorter}_`);
};

/** An environment that records the names of the variables that are read from it, whether they are set or not. */
const recordReads = (environment: Environment) => {
  const names = new Set<string>();
  const recorded = new Proxy<Environment>(environment, {
    get: (variables, name) => {
      if (typeof name !== 'string') return undefined;
      names.add(name);
      return variables[name];
    },
  });
  return { environment: recorded, names };
};

/**
 * Describes the variables of the environment that nothing reads and whose name differs by one character or
 * one word at the end from one that is read: CORS_ORIGIN would otherwise be ignored silently.
 * @returns one line; undefined if there are none
 */
export const findMisspelt = (environment: Environment, known: ReadonlySet<string>): string | undefined => {
  const isUnknown = (name: string) => environment[name] && !known.has(name) && !ORDINARY_NAMES.has(name);
  const lines = Object.keys(environment)
    .filter(isUnknown)
    .flatMap((name) => {
      const find = (isMeant: typeof isOneEdit) => [...known].find((other) => isMeant(name, other));
      const meant = find(isOneEdit) ?? find(isBeginning);
      return meant === undefined ? [] : [`${name} is not a setting; is it ${meant}?`];
    });
  return lines.length === 0 ? undefined : lines.join(' ');
};

/**
 * Reads a configuration with its values by variable, and finds the misspelt names by the names that it reads.
 * @throws ConfigError that also describes them, because a missing variable may be one of them
 */
export const readWithMisspelt = <Config>(
  environment: Environment,
  readConfig: (environment: Environment) => Config,
): { config: Config; misspelt: string | undefined; values: Readonly<Record<string, unknown>> } => {
  const recorded = recordReads(environment);
  try {
    const config = readConfig(recorded.environment);
    return {
      config,
      misspelt: findMisspelt(environment, recorded.names),
      values: getReadValues(recorded.environment),
    };
  } catch (error) {
    const misspelt = findMisspelt(environment, recorded.names);
    if (!(error instanceof ConfigError) || misspelt === undefined) throw error;
    throw new ConfigError(`${error.message}; ${misspelt}`, { cause: error });
  }
};
