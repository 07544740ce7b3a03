import { type AppError, tooManyRequests } from '@platform/shared/errors/app-error';

/** An attempt at the password of `subject` (an e-mail or a user id) from a client network. */
export type Attempt = { subject: string; network: string };

/** Attempts of one client network at one account without a delay. */
export const FREE_ATTEMPTS = 5;
/** After the free attempts the delay doubles with each failure, from one second up to this. */
export const MAX_DELAY_SECONDS = 900;
/** A network's failures expire this long after the last one, an account's this long after the first one. */
export const FAILURES_EXPIRE_SECONDS = 3_600;
/** NIST SP 800-63B-4, 3.2.2: the most failures of an account, over all client networks. */
export const ACCOUNT_LIMIT = 100;
/** How long an attempt waits at most for pending attempts of the same network at the same account. */
export const MAX_PENDING_SECONDS = 15;

export type ThrottleDecision =
  | { kind: 'allowed' }
  | { kind: 'delayed'; seconds: number }
  /** The free attempts are being verified: their results decide whether this one is allowed. */
  | { kind: 'pending' }
  | { kind: 'account-limit'; seconds: number };

/** Implemented in Redis by password-throttle-store.ts. */
export type AttemptCounter = {
  /** Counts the attempt if it is allowed. */
  begin: (attempt: Attempt, isKnownDevice: boolean) => Promise<ThrottleDecision>;
  /** The password was wrong. */
  fail: (attempt: Attempt) => Promise<void>;
  /** The password was correct. */
  succeed: (attempt: Attempt) => Promise<void>;
  /** The password was not compared, or a second factor is missing. */
  refund: (attempt: Attempt) => Promise<void>;
};

/**
 * The outcome of an attempt. `incomplete`: what was verified is correct, but the account has a second factor that was not: the
 * attempt counts neither as a failure nor as a success, so that the password alone clears no delay of wrong factors.
 */
export type Verdict<Result> =
  | { kind: 'wrong'; error: AppError }
  | { kind: 'correct' | 'incomplete'; result: Result };

/**
 * Counts `verify` as one attempt; throws its error when it was wrong. `isKnownDevice` returns whether the device has
 * signed in to the account from this network before, and is called only when the account limit is reached.
 * @throws AppError 429 RATE_LIMITED
 */
export type WithPasswordThrottle = <Result>(
  attempt: Attempt,
  isKnownDevice: () => Promise<boolean>,
  verify: () => Promise<Verdict<Result>>,
) => Promise<Result>;

const tooManyFailedAttempts = (retryAfterSeconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many wrong passwords; retry later.', retryAfterSeconds);

const END_OF_ATTEMPT = { wrong: 'fail', correct: 'succeed', incomplete: 'refund' } as const;

const POLL_MILLISECONDS = 100;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));

/** Slows down password guessing without letting an attacker lock the owner out. */
export const createPasswordThrottle = (attempts: AttemptCounter): WithPasswordThrottle => {
  /** An app that signs its owner in many times at once sends the correct password each time: wait for the first results. */
  const waitForDecision = async (attempt: Attempt, isKnownDevice: boolean): Promise<ThrottleDecision> => {
    const deadline = Date.now() + MAX_PENDING_SECONDS * 1_000;
    for (;;) {
      const decision = await attempts.begin(attempt, isKnownDevice);
      if (decision.kind !== 'pending') return decision;
      if (Date.now() > deadline) return { kind: 'delayed', seconds: 1 };
      await pause();
    }
  };

  const begin = async (attempt: Attempt, isKnownDevice: () => Promise<boolean>): Promise<void> => {
    let decision = await waitForDecision(attempt, false);
    // The account limit is the one that attackers on other networks can exhaust, so the owner's devices are exempt.
    if (decision.kind === 'account-limit' && (await isKnownDevice()))
      decision = await waitForDecision(attempt, true);
    if (decision.kind !== 'allowed')
      throw tooManyFailedAttempts('seconds' in decision ? decision.seconds : 1);
  };

  return async (attempt, isKnownDevice, verify) => {
    await begin(attempt, isKnownDevice);
    const verdict = await verify().catch(async (error: unknown) => {
      await attempts.refund(attempt);
      throw error;
    });
    await attempts[END_OF_ATTEMPT[verdict.kind]](attempt);
    if (verdict.kind === 'wrong') throw verdict.error;
    return verdict.result;
  };
};
