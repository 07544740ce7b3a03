import {
  type Attempt,
  LONGEST_WAIT_SECONDS,
  tooManyWrongPasswords,
  type Verdict,
  type WithPasswordThrottle,
} from './password-throttle.ts';
import type { PasswordThrottleStore } from './password-throttle-store.ts';

const POLL_MILLISECONDS = 100;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));

/** Slows password guessing down without giving a stranger the means to lock the owner out. */
export const createPasswordThrottle = (failures: PasswordThrottleStore): WithPasswordThrottle => {
  /** An owner whose app signs in many times at once sends the right password each time: wait for the first results. */
  const beginInTurn = async (attempt: Attempt, isKnownDevice: boolean): Promise<Verdict> => {
    const deadline = Date.now() + LONGEST_WAIT_SECONDS * 1_000;
    for (;;) {
      const verdict = await failures.begin(attempt, isKnownDevice);
      if (verdict.kind !== 'undecided') return verdict;
      if (Date.now() > deadline) return { kind: 'delayed', seconds: 1 };
      await pause();
    }
  };

  const begin = async (attempt: Attempt, isKnownDevice: () => Promise<boolean>): Promise<void> => {
    let verdict = await beginInTurn(attempt, false);
    // The account limit is the one that strangers can exhaust for the owner.
    if (verdict.kind === 'account-limit' && (await isKnownDevice()))
      verdict = await beginInTurn(attempt, true);
    if (verdict.kind !== 'allowed') throw tooManyWrongPasswords('seconds' in verdict ? verdict.seconds : 1);
  };

  return async (attempt, isKnownDevice, verify) => {
    await begin(attempt, isKnownDevice);
    const result = await verify().catch(async (error: unknown) => {
      await failures.refund(attempt);
      throw error;
    });
    await (result === undefined ? failures.fail(attempt) : failures.succeed(attempt));
    return result;
  };
};
