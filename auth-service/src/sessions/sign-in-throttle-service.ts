import { type Attempt, type GuardTry, tooManyTries, type Verdict } from './sign-in-throttle.ts';
import type { SignInThrottleStore } from './sign-in-throttle-store.ts';

type Dependencies = {
  failures: SignInThrottleStore;
  /** Whether the account has a session for the device. */
  isKnownDevice: (email: string, fingerprint: string) => Promise<boolean>;
};

/** Slows guessing down without handing a stranger the means to lock the owner out. */
export const createSignInThrottle = ({ failures, isKnownDevice }: Dependencies): GuardTry => {
  const begin = async (attempt: Attempt, fingerprint: string): Promise<void> => {
    let verdict: Verdict = await failures.begin(attempt, false);
    // Asked only then: the ceiling is the one limit that others can exhaust for the owner.
    if (verdict.kind === 'ceiling' && (await isKnownDevice(attempt.email, fingerprint)))
      verdict = await failures.begin(attempt, true);
    if (verdict.kind !== 'allowed') throw tooManyTries(verdict.seconds);
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
