import { AppError } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { WIDER_NETWORK_FACTOR } from '@platform/shared/network/client-address';
import type { AuditAction } from '@platform/shared/platform/audit/audit-log';
import type { NoticeMail } from '@platform/shared/platform/mail/mail';
import type { ConfirmingCaller } from '../authentication/callers.ts';

const HOUR_SECONDS = 3_600;

/** The secrets that can be guessed. Each has separate counts, so the pause of one never blocks another. */
export type GuessedSecret = 'password' | 'second-factor' | 'code';

/** The owner of the secret. */
export type GuessedAccount = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  language: Language;
};

/** One attempt at a secret. */
export type Guess = {
  secret: GuessedSecret;
  /** Undefined for an e-mail without an account, which has the same limits. */
  account: GuessedAccount | undefined;
  /** The address in lower case. For a code, this is the address to which it was sent. */
  email: string;
  /**
   * Set for a code that proves an address which is not verified yet. Somebody who deletes the account and
   * signs up again, or requests the address for another account, must not start with zero failures.
   */
  countsAtEmail?: boolean;
  /** A device without a fingerprint is never a known one. */
  device: { fingerprint?: string | undefined; context: RequestContext };
  /** Set for a user who is signed in. */
  isSignedIn?: boolean;
};

/** The attempt of a signed-in user at a secret of the user's account. */
export const toOwnGuess = (
  secret: GuessedSecret,
  { account, session, context }: ConfirmingCaller,
): Guess => ({
  secret,
  account,
  email: account.email,
  device: { fingerprint: session.fingerprint, context },
  isSignedIn: true,
});

/**
 * The attempt of a stranger at a code that was mailed to an address. An unverified address may be another
 * person's, so that no device is exempt from its pause.
 */
export const toAddressGuess = (
  account: GuessedAccount | undefined,
  email: string,
  { fingerprint, context }: Guess['device'],
): Guess => {
  const isVerified = account?.isEmailVerified === true;
  const device = { fingerprint: isVerified ? fingerprint : undefined, context };
  return { secret: 'code', account, email, countsAtEmail: !isVerified, device };
};

// An attempt at a six-digit code passes these limits in turn: requests of the network (`codes` in x-rate-limit,
// counted by the gateway), LIMITS over all codes of the account, CHALLENGE_TRIES at a sign-in, CODE_TRIES.

/**
 * Each client network has tries of its own, so that an attacker elsewhere cannot exhaust the owner's. The wider
 * network of an IPv6 address has no limit: it would be eight times as high, which is more than a code has in
 * total. Redis counts wrong attempts beside the code.
 */
export const CODE_TRIES = { perNetwork: 5, inAll: 20 };

/** How often the second step of a sign-in can be tried, with any factor. Redis counts beside its challenge. */
export const CHALLENGE_TRIES = 5;

/**
 * Failures at all codes, passwords or factors count together per scope. `email` is an address without an
 * account, or one that is not proved yet. For codes, `CODE_TRIES` takes the place of the networks.
 */
export type Scope = 'network' | 'wider-network' | 'email' | 'account';

/** From `free` on, every `every`-th failure starts a wait. */
type FailureLimit = {
  free: number;
  every: number;
  /** The first wait. Each following one is twice as long, up to `longestWaitSeconds`. */
  firstWaitSeconds: number;
  longestWaitSeconds: number;
  /**
   * How long after the last failure or wait the failures are forgotten. Null for those of an account, which
   * are consecutive, so that only a success clears them.
   */
  forgottenAfterSeconds: number | null;
};

const FREE_FAILURES = 5;
/** Consecutive failures at an account from any client networks (NIST SP 800-63B-4, 3.2.2). */
const ACCOUNT_FAILURES = 100;

const NETWORK: FailureLimit = {
  free: FREE_FAILURES,
  every: 1,
  firstWaitSeconds: 1,
  longestWaitSeconds: 900,
  forgottenAfterSeconds: HOUR_SECONDS,
};
const ACCOUNT = {
  free: ACCOUNT_FAILURES,
  every: ACCOUNT_FAILURES,
  firstWaitSeconds: HOUR_SECONDS,
  longestWaitSeconds: 24 * HOUR_SECONDS,
  forgottenAfterSeconds: null,
};
export const LIMITS: Readonly<Record<Scope, FailureLimit>> = {
  network: NETWORK,
  'wider-network': { ...NETWORK, free: FREE_FAILURES * WIDER_NETWORK_FACTOR },
  email: { ...ACCOUNT, forgottenAfterSeconds: 24 * HOUR_SECONDS },
  account: ACCOUNT,
};

/** The pause after this many consecutive failures. */
const toPauseSeconds = (failures: number): number =>
  Math.min(ACCOUNT.firstWaitSeconds * 2 ** (failures / ACCOUNT_FAILURES - 1), ACCOUNT.longestWaitSeconds);

/**
 * The owner gets a mail after this many wrong second factors, each of which followed the correct password.
 */
const NOTIFIED_FACTOR_FAILURES = 5;

/** An attempt that is not finished after this time was lost with its process. */
export const MAX_PENDING_SECONDS = 15;

/**
 * The outcome of an attempt. `incomplete` means that the verified secret is correct but another one is due,
 * or that nothing was compared. It counts neither as a failure nor as a success, so the password alone clears
 * no failures.
 */
export type AttemptResult<Result> =
  | { kind: 'wrong'; error: AppError }
  | { kind: 'correct' | 'incomplete'; result: Result };

/** Returns the mail that the owner gets after this many consecutive failures, if one is due. */
export const toNotice = (
  secret: GuessedSecret,
  { email: to, isEmailVerified, language }: GuessedAccount,
  failures: number,
): NoticeMail | undefined => {
  const now = Date.now();
  const notice = { to, language, isEmailVerified };
  if (failures % ACCOUNT_FAILURES === 0) {
    const pausedUntil = new Date(now + toPauseSeconds(failures) * 1_000).toISOString();
    return { template: 'guessing-paused', ...notice, secret, pausedUntil };
  }
  if (secret !== 'second-factor' || failures !== NOTIFIED_FACTOR_FAILURES) return undefined;
  return { template: 'wrong-factors', ...notice, attemptedAt: new Date(now).toISOString() };
};

const MESSAGES: Readonly<Record<GuessedSecret, string>> = {
  password: 'Too many wrong passwords; retry later.',
  'second-factor': 'Too many wrong second factors; retry later.',
  code: 'Too many wrong codes; retry later.',
};

/** Attempts are rejected for a while. `isPause`: those of the whole account, not only those of a network. */
export class GuessesLimited extends AppError {
  readonly seconds: number;
  readonly isPause: boolean;

  constructor(secret: GuessedSecret, seconds: number, scope: Scope) {
    super('RATE_LIMITED', 429, MESSAGES[secret], { headers: { 'Retry-After': String(seconds) } });
    this.seconds = seconds;
    this.isPause = scope === 'account' || scope === 'email';
  }
}

/**
 * The changes of an account by its owner that count together, as named in the audit log. A password reset by
 * code is not limited here, because its codes are limited.
 */
export const LIMITED_CHANGES = {
  password: ['PASSWORD_CHANGED'],
  email: ['EMAIL_CHANGED'],
  factors: [
    'TOTP_ENABLED',
    'TOTP_DISABLED',
    'PASSKEY_ADDED',
    'PASSKEY_REMOVED',
    'RECOVERY_CODES_REPLACED',
    'SECOND_STEP_ENABLED',
    'SECOND_STEP_DISABLED',
  ],
  identities: ['IDENTITY_LINKED', 'IDENTITY_UNLINKED'],
} as const satisfies Record<string, readonly AuditAction[]>;

export type ChangeOf<Limit extends keyof typeof LIMITED_CHANGES> = (typeof LIMITED_CHANGES)[Limit][number];
