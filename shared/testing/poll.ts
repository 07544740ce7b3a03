import { setTimeout as delay } from 'node:timers/promises';

const POLL_MILLISECONDS = 20;

/**
 * Asks again and again until the answer is neither undefined nor false.
 * @throws Error naming `what` when that takes longer than `seconds`
 */
export const eventually = async <Result>(
  what: string,
  ask: () => Promise<Result | undefined | false> | Result | undefined | false,
  seconds = 10,
): Promise<Result> => {
  const deadline = Date.now() + seconds * 1_000;
  while (Date.now() < deadline) {
    const result = await ask();
    if (result !== undefined && result !== false) return result;
    await delay(POLL_MILLISECONDS);
  }
  throw new Error(`Not within ${seconds} s: ${what}`);
};
