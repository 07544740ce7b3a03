import { tooManyRequests } from '@platform/shared/errors/app-error';

/** One guess at a password: whose (an e-mail or a user id), and the client network that it comes from. */
export type Attempt = { subject: string; network: string };

/** Attempts of one client network at one account without a delay. */
export const FREE_ATTEMPTS = 5;
/** After the free attempts the delay doubles with each failure, from one second up to this. */
export const LONGEST_DELAY_SECONDS = 900;
/** A network's failures expire this long after the last one, an account's this long after the first one. */
export const FAILURES_EXPIRE_SECONDS = 3_600;
/** NIST SP 800-63B-4, 3.2.2: at most this many failures, whatever networks the guesses come from. */
export const ACCOUNT_LIMIT = 100;
/** The longest time that an attempt waits for the result of others from the same network at the same account. */
export const LONGEST_WAIT_SECONDS = 15;

/**
 * Counts `verify` as one attempt; it returns undefined for a wrong password. `isKnownDevice` tells whether the device has
 * signed in to the account from this network before, and is called only when the account limit is reached.
 * @throws AppError 429 RATE_LIMITED
 */
export type WithPasswordThrottle = <Result>(
  attempt: Attempt,
  isKnownDevice: () => Promise<boolean>,
  verify: () => Promise<Result | undefined>,
) => Promise<Result | undefined>;

export type Verdict =
  | { kind: 'allowed' }
  | { kind: 'delayed'; seconds: number }
  /** The free attempts are being verified: whether this one is free depends on their result. */
  | { kind: 'undecided' }
  | { kind: 'account-limit'; seconds: number };

export const tooManyWrongPasswords = (retryAfterSeconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many wrong passwords; try again later', retryAfterSeconds);
