import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { PROCESS_SECONDS } from '../src/async/patience.ts';

const POLL_MILLISECONDS = 20;
/** Longer than any process takes to start; ends a test whose condition never becomes true. */
const TIMEOUT_SECONDS = PROCESS_SECONDS;

type PollOptions = { timeoutSeconds?: number; everyMilliseconds?: number };
type Probe<Result> = () => Promise<Result | undefined | false> | Result | undefined | false;

/**
 * Runs `probe` until it returns something other than undefined and false. Returns undefined after the
 * timeout.
 */
export const poll = async <Result>(
  probe: Probe<Result>,
  { timeoutSeconds = TIMEOUT_SECONDS, everyMilliseconds = POLL_MILLISECONDS }: PollOptions = {},
): Promise<Result | undefined> => {
  const deadline = Date.now() + timeoutSeconds * 1_000;
  while (Date.now() < deadline) {
    const result = await probe();
    if (result !== undefined && result !== false) return result;
    await delay(everyMilliseconds);
  }
  return undefined;
};

/** Returns text such as `load 27.9, 4 cores`, because a busy machine may explain a timeout. */
const describeLoad = (): string => `load ${loadavg()[0]?.toFixed(1)}, ${availableParallelism()} cores`;

/**
 * Polls until the condition holds, and returns the result of `probe`.
 * @throws Error naming the condition after the timeout
 */
export const waitFor = async <Result>(
  condition: string,
  probe: Probe<Result>,
  timeoutSeconds = TIMEOUT_SECONDS,
): Promise<Result> => {
  const result = await poll(probe, { timeoutSeconds });
  if (result === undefined)
    throw new Error(`Timeout after ${timeoutSeconds} s: ${condition} (${describeLoad()})`);
  return result;
};

/**
 * Resolves when all checks of a composed service succeed at the same time, so that its connections are open.
 */
export const waitForChecks = async (checks: Record<string, () => Promise<unknown>>): Promise<void> => {
  const succeed = async (): Promise<boolean> => {
    await Promise.all(Object.values(checks).map((check) => check()));
    return true;
  };
  await waitFor(`${Object.keys(checks)} succeed`, () => succeed().catch(() => false));
};
