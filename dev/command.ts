import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '@platform/shared/config/env';
import { StackError, toErrorMessage } from './stack-error.ts';

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
 * Reads the options of a command.
 * @throws StackError that names the first unknown or malformed one
 */
export const readOptions = <const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) => {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new StackError(`${toErrorMessage(error)}. Settings are environment variables: npm start -- --help`);
  }
};
