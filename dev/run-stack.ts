import { printError } from './command.ts';
import { listWarnings, type StackConfig } from './config.ts';
import { describeOrphanedDatabases, listOrphanedDatabases } from './engines/orphaned-databases.ts';
import { readEphemeralRange } from './ports.ts';
import { createStack } from './stack.ts';
import { formatSummary } from './summary.ts';

/**
 * npm forwards a signal that the terminal has already sent to the process group, so one Ctrl-C may arrive
 * twice.
 */
const sameSignalMilliseconds = 1_000;
const killMilliseconds = 3_000;

/** Runs the stack until a signal stops it. */
export const runStack = async (config: StackConfig): Promise<void> => {
  for (const line of listWarnings(config, readEphemeralRange())) console.log(line);
  const stack = createStack(config, (line) => console.log(line));
  let stoppedAt: number | undefined;
  let exitCode = 0;

  const stop = async () => {
    stoppedAt = Date.now();
    try {
      await stack.stop();
    } catch (error) {
      printError(error);
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  const fail = (error: unknown) => {
    if (stoppedAt !== undefined) return; // a start step that the stop has aborted
    printError(error);
    exitCode = 1;
    void stop();
  };
  const onSignal = () => {
    if (stoppedAt === undefined) {
      console.log('\nStopping. A second Ctrl-C kills everything immediately.');
      void stop();
    } else if (Date.now() - stoppedAt > sameSignalMilliseconds) {
      console.log('Killing everything.');
      exitCode = 1;
      stack.kill();
      setTimeout(() => process.exit(1), killMilliseconds);
    }
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', fail);
  console.log(`Starting the platform. Data and logs: ${config.dataDir}`);
  // The terminal, or the reader of a pipe, may exit before the stack does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const report = await stack.start();
    console.log(formatSummary(config, report, performance.now() / 1000));
    for (const line of report.warnings.filter((warning) => warning !== config.misspelt)) console.log(line);
    for (const line of describeOrphanedDatabases(listOrphanedDatabases())) console.log(line);
  } catch (error) {
    fail(error);
  }
};
