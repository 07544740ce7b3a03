import { ConfigError } from '@platform/shared/config/env';
import { StackError } from './stack-error.ts';

/** Shows only the message of an error that the user can fix, and the stack of any other error. */
export const printError = (error: unknown): void => {
  if (error instanceof StackError || error instanceof ConfigError) console.error(`\n${error.message}\n`);
  else console.error(error);
};

/** Runs a command. An error sets the exit code 1. */
export const runCommand = async (command: () => Promise<void>): Promise<void> => {
  try {
    await command();
  } catch (error) {
    printError(error);
    process.exitCode = 1;
  }
};

/**
 * Reads the arguments of a command, which are flags without values.
 * @throws StackError that names the first unknown argument
 */
export const readFlags = <Flag extends string>(
  args: readonly string[],
  flags: Readonly<Record<string, Flag>>,
): Set<Flag> => {
  const unknown = args.find((arg) => flags[arg] === undefined);
  if (unknown === undefined) return new Set(args.flatMap((arg) => flags[arg] ?? []));
  const known = Object.keys(flags).join(', ');
  throw new StackError(
    `Unknown option ${unknown}: ${known === '' ? 'there are none' : `use ${known}`}. Settings are environment variables: npm start -- --help`,
  );
};
