import { tooManyRequests } from '@platform/shared/errors/app-error';

/** A guess at somebody's password: whose, and from where. */
export type Attempt = { email: string; address: string };

/** Tries from one address at one account that cost nothing but themselves. */
export const FREE_TRIES = 5;
/** After the free ones the delay doubles with every failure, from a second up to this. */
export const LONGEST_DELAY_SECONDS = 900;
/** A failure is forgotten after this, counted from the last one. */
export const FORGET_SECONDS = 3_600;
/** NIST SP 800-63B-4, 3.2.2: however many addresses the guesses come from. */
export const ACCOUNT_CEILING = 100;
/** As long as a try may wait for others, from the same address at the same account, to be judged. */
export const LONGEST_WAIT_SECONDS = 15;

/** Runs `judge` as one try at the account; it answers undefined for wrong credentials. Throws AppError 429. */
export type GuardTry = <Result>(
  attempt: Attempt,
  fingerprint: string,
  judge: () => Promise<Result | undefined>,
) => Promise<Result | undefined>;

export type Verdict =
  | { kind: 'allowed' }
  | { kind: 'delayed'; seconds: number }
  /** The free tries are being judged just now: whether this one is free depends on them. */
  | { kind: 'undecided' }
  /** Too many failures at the account in all; a device that has signed in before is let through. */
  | { kind: 'ceiling'; seconds: number };

export const tooManyTries = (retryAfterSeconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many failed sign-ins; try again later', retryAfterSeconds);
