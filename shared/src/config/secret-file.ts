import { readFileSync } from 'node:fs';
import { EnvMissingError } from 'envalid';

type Variables = Readonly<Record<string, string | undefined>>;

/** `error` prevents the start; `emptyFile` does so only if the variable is required. */
type SecretReading = { value?: string; error?: string; emptyFile?: string };

const readFile = (variable: string, path: string): SecretReading => {
  let content: string;
  try {
    content = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    // Node's message without its end, which repeats the path: "EACCES: permission denied".
    const [reason] = (error as Error).message.split(',');
    return { error: `${variable}: cannot read ${path}: ${reason}` };
  }
  if (content.trim() === '') return { emptyFile: `${variable}: ${path} is empty` };
  // URL parsers skip line breaks silently, and a key with a line break would differ from the same key in a
  // variable.
  if (/[\r\n]/.test(content)) return { error: `${variable}: ${path} has more than one line` };
  return { value: content };
};

/**
 * Reads the variable, or the file that `<name>_FILE` names, as in the official PostgreSQL image. Secrets
 * mounted as files appear neither in `docker inspect` nor in /proc/<pid>/environ. Messages never contain the
 * content.
 */
export const readSecretVariable = (environment: Variables, name: string): SecretReading => {
  const variable = `${name}_FILE`;
  const { [name]: value, [variable]: path } = environment;
  if (!path) return value ? { value } : {};
  if (value) return { error: `${name} and ${variable} are both set: unset one of them` };
  return readFile(variable, path);
};

const SECRET = Symbol('secret');

/** Marks the variables of a validator as secrets, which may be stored in a file. */
export const inFileToo = <Maker extends (...options: never[]) => object>(make: Maker): Maker =>
  // The function has the overloads of `make`, which TypeScript cannot infer.
  ((...options: Parameters<Maker>) => ({ ...make(...options), [SECRET]: true })) as Maker;

/** Whether the variable of a validator is a secret. */
export const isSecret = (validator: object): boolean => SECRET in validator;

type Readings = Map<string, SecretReading>;

const readVariable = (environment: Variables, name: string, validator: object): SecretReading => {
  if (isSecret(validator)) return readSecretVariable(environment, name);
  const { [name]: value } = environment;
  return value ? { value } : {};
};

/** Reads each variable that has a validator; an empty one counts as unset. */
export const readVariables = (environment: Variables, validators: Record<string, object>): Readings =>
  new Map(
    Object.entries(validators).map(([name, validator]) => [name, readVariable(environment, name, validator)]),
  );

/** The message of the validator of choices reads differently from all others. */
const describe = (error: Error | undefined): string => {
  const [, choices] = /^Value ".*" not in choices \[(.*)\]$/s.exec(error?.message ?? '') ?? [];
  return choices === undefined ? `${error?.message}` : `must be one of ${choices.replaceAll(',', ', ')}`;
};

/**
 * Returns a line for each variable that is unreadable, missing or invalid; `errors` come from the validators.
 */
export const describeProblems = (
  readings: Readings,
  errors: Partial<Record<string, Error | undefined>>,
): string[] => [
  ...[...readings.values()].flatMap(({ error }) => error ?? []),
  ...Object.entries(errors).flatMap(([name, error]) => {
    const reading = readings.get(name);
    if (reading?.error !== undefined) return [];
    if (!(error instanceof EnvMissingError)) return [`${name} ${describe(error)}`];
    return [reading?.emptyFile ?? `${name} is required`];
  }),
];
