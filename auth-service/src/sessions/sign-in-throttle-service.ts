import {
  type Attempt,
  type GuardTry,
  LONGEST_WAIT_SECONDS,
  tooManyTries,
  type Verdict,
} from './sign-in-throttle.ts';
import type { SignInThrottleStore } from './sign-in-throttle-store.ts';

type Dependencies = {
  failures: SignInThrottleStore;
  /** Whether the account has a session for the device. */
  isKnownDevice: (email: string, fingerprint: string) => Promise<boolean>;
};

const POLL_MILLISECONDS = 100;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));

/** Slows guessing down without handing a stranger the means to lock the owner out. */
export const createSignInThrottle = ({ failures, isKnownDevice }: Dependencies): GuardTry => {
  /** An owner who signs in many times at once is right each time: those beyond the free tries wait for the first ones. */
  const beginInTurn = async (attempt: Attempt): Promise<Verdict> => {
    const deadline = Date.now() + LONGEST_WAIT_SECONDS * 1_000;
    for (;;) {
      const verdict = await failures.begin(attempt, false);
      if (verdict.kind !== 'undecided') return verdict;
      if (Date.now() > deadline) return { kind: 'delayed', seconds: 1 };
      await pause();
    }
  };

  const begin = async (attempt: Attempt, fingerprint: string): Promise<void> => {
    let verdict = await beginInTurn(attempt);
    // Asked only then: the ceiling is the one limit that others can exhaust for the owner.
    if (verdict.kind === 'ceiling' && (await isKnownDevice(attempt.email, fingerprint)))
      verdict = await failures.begin(attempt, true);
    if (verdict.kind !== 'allowed') throw tooManyTries('seconds' in verdict ? verdict.seconds : 1);
  };

  return async (attempt, fingerprint, judge) => {
    await begin(attempt, fingerprint);
    const result = await judge().catch(async (error: unknown) => {
      await failures.takeBack(attempt);
      throw error;
    });
    await (result === undefined ? failures.fail(attempt) : failures.succeed(attempt));
    return result;
  };
};
