// `npm start`: the whole platform on this machine. Ctrl-C stops it.
import { readStackConfig, type StackConfig } from './config.ts';
import { createStack } from './stack.ts';
import { StackError } from './stack-error.ts';
import { summarize } from './stack-summary.ts';

/** npm passes on a signal that the terminal has sent to the whole group already, so one Ctrl-C may come twice. */
const sameSignalMilliseconds = 1_000;
const killMilliseconds = 3_000;

const complain = (error: unknown): void => {
  if (error instanceof StackError) console.error(`\n${error.message}\n`);
  else console.error(error);
};

const runStack = async (config: StackConfig): Promise<void> => {
  const stack = createStack(config, (line) => console.log(line));
  let stoppedAt: number | undefined;
  let exitCode = 0;

  const stop = async () => {
    stoppedAt = Date.now();
    try {
      await stack.stop();
    } catch (error) {
      complain(error);
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  const fail = (error: unknown) => {
    if (stoppedAt !== undefined) return; // a step that the stop has cut off
    complain(error);
    exitCode = 1;
    void stop();
  };
  const onSignal = () => {
    if (stoppedAt === undefined) {
      console.log('\nStopping. A second Ctrl-C kills everything at once.');
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
  // The terminal, or the program that the output is piped to, may go away before the stack does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const report = await stack.start();
    console.log(summarize(config, report, performance.now() / 1000));
  } catch (error) {
    fail(error);
  }
};

try {
  await runStack(readStackConfig(process.env));
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
