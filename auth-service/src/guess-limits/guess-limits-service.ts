import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@platform/shared/errors/app-error';
import { toClientNetworks } from '@platform/shared/http/client-address';
import type { FailureCounts, FailureDecision, FailureStore } from './failures-store.ts';
import {
  ACCOUNT_FAILURES,
  type Guess,
  HOUR_SECONDS,
  type LimitGuesses,
  MAX_PENDING_SECONDS,
  NOTIFIED_FACTOR_FAILURES,
  type NotifyOwner,
  toAccountLimit,
  toNetworkLimits,
  tooManyFailures,
  toPauseSeconds,
  type Verdict,
} from './guess-limits.ts';
import type { PausedAccountStore } from './paused-accounts-store.ts';

type Device = { fingerprint: string; network: string };

type Dependencies = {
  failures: FailureStore;
  /** Of this process, while Redis is unavailable. */
  memory: FailureStore;
  pausedAccounts: PausedAccountStore;
  /** A keyed hash: e-mails must not appear in Redis. */
  hashEmail: (email: string) => string;
  /** Whether the device has signed in to the account from this network: clients choose their fingerprint. */
  hasSignedInFrom: (userId: string, device: Device) => Promise<boolean>;
  notifyOwner: NotifyOwner;
};

const POLL_MILLISECONDS = 100;

/** The attempt itself is decided. */
const ignoreUnavailable = (error: unknown): void => {
  if (!(error instanceof AppError)) throw error;
};
/** Long, because they are consecutive failures. */
const CODE_FAILURES_SECONDS = 30 * 24 * HOUR_SECONDS;
/** Shorter, because anyone can have failures at unknown e-mails stored. */
const UNKNOWN_FAILURES_SECONDS = 24 * HOUR_SECONDS;
/** The lookup of a pause takes the same time without an account. */
const NO_USER_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The failures that Redis counts: by network, and by account where Postgres does not. Postgres does not count codes, which are in
 * Redis themselves, so that the response to a known and an unknown e-mail takes the same time.
 */
const toCounts = ({ secret, account, email, device }: Guess, hash: (text: string) => string) => ({
  secret,
  // By user where the count lasts, so that it does not pass to the next owner of the e-mail.
  subject: hash(secret === 'code' && account ? account.userId : email),
  limits: [
    ...(secret === 'code' ? [] : toNetworkLimits(toClientNetworks(device.address))),
    ...(secret === 'code' ? [toAccountLimit(CODE_FAILURES_SECONDS)] : []),
    ...(secret !== 'code' && !account ? [toAccountLimit(UNKNOWN_FAILURES_SECONDS)] : []),
  ],
});

/** Slows down guessing without letting an attacker lock the owner out. SECURITY.md has the limits and how they interact. */
export const createGuessLimits = (dependencies: Dependencies) => {
  const { failures, memory, pausedAccounts, hashEmail, hasSignedInFrom, notifyOwner } = dependencies;

  const isKnownDevice = async ({ account, device: { fingerprint, address } }: Guess): Promise<boolean> => {
    if (fingerprint === undefined || account === undefined) return false;
    const [network] = toClientNetworks(address);
    return await hasSignedInFrom(account.userId, { fingerprint, network });
  };

  /** Without Redis each process counts in memory. Codes are in Redis themselves, so they fail with 503. */
  const beginInStore = (counts: FailureCounts): Promise<FailureDecision> =>
    failures.begin(counts).catch((error: unknown) => {
      if (counts.secret === 'code' || !(error instanceof AppError)) throw error;
      return memory.begin(counts);
    });

  /** An app that signs its owner in many times at once sends the right password each time: wait for the first results. */
  const waitForDecision = async (
    counts: FailureCounts,
  ): Promise<Exclude<FailureDecision, { kind: 'pending' }>> => {
    const deadline = Date.now() + MAX_PENDING_SECONDS * 1_000;
    for (;;) {
      const decision = await beginInStore(counts);
      if (decision.kind !== 'pending') return decision;
      if (Date.now() > deadline) throw tooManyFailures(counts.secret, 1);
      await delay(POLL_MILLISECONDS);
    }
  };

  /** Counts the attempt. @throws AppError 429 */
  const begin = async (guess: Guess): Promise<FailureCounts & { atAccount: number }> => {
    const counts = toCounts(guess, hashEmail);
    const decision = await waitForDecision(counts);
    if (decision.kind === 'counted')
      return { ...counts, atAccount: guess.secret === 'code' ? decision.failures : 0 };
    // Attackers on other networks can reach the limit of an account, so the owner's devices are exempt.
    if (decision.limit.name === 'account' && (await isKnownDevice(guess)))
      return { ...counts, limits: [], atAccount: 0 };
    throw tooManyFailures(guess.secret, decision.seconds);
  };

  /** Returns the consecutive failures of an account that Postgres counts, or 0. @throws AppError 429 */
  const countAtAccount = async (guess: Guess): Promise<number> => {
    const { secret, account } = guess;
    if (!account || secret === 'code') return 0;
    const { userId } = account;
    const counted =
      (await pausedAccounts.count(userId, secret, false)) ??
      ((await isKnownDevice(guess)) ? await pausedAccounts.count(userId, secret, true) : undefined);
    if (counted === undefined)
      throw tooManyFailures(secret, Math.max(1, await pausedAccounts.findPauseSeconds(userId, secret)));
    return counted;
  };

  /** Before a slow comparison. @throws AppError 429 */
  const requireNoPause = async (guess: Guess): Promise<void> => {
    const { account, secret } = guess;
    const seconds = await pausedAccounts.findPauseSeconds(account?.userId ?? NO_USER_ID, secret);
    if (seconds > 0 && !(await isKnownDevice(guess))) throw tooManyFailures(secret, seconds);
  };

  /** In memory too, because Redis may have become available, or unavailable, since the attempt began. */
  const endInStores = async (end: 'fail' | 'succeed' | 'refund', counts: FailureCounts): Promise<void> => {
    if (counts.limits.length === 0) return;
    await memory[end](counts);
    await failures[end](counts).catch(ignoreUnavailable);
  };

  const clear = async (guess: Guess): Promise<void> => {
    await endInStores('succeed', toCounts(guess, hashEmail));
    const { account, secret } = guess;
    if (account && secret !== 'code')
      await pausedAccounts.clear(account.userId, secret).catch(ignoreUnavailable);
  };

  const notifyOfFailure = ({ account, secret }: Guess, atAccount: number): void => {
    if (!account || atAccount === 0) return;
    if (atAccount % ACCOUNT_FAILURES === 0)
      notifyOwner(account, { kind: 'paused', secret, seconds: toPauseSeconds(atAccount) });
    else if (secret === 'second-factor' && atAccount === NOTIFIED_FACTOR_FAILURES)
      notifyOwner(account, { kind: 'wrong-factors' });
  };

  const limit = async <Result>(
    guess: Guess,
    verify: () => Promise<Verdict<Result>>,
    { inParallel }: { inParallel: boolean },
  ): Promise<Result> => {
    const counts = await begin(guess);
    let counting = Promise.resolve(0);
    const refund = async () => {
      await endInStores('refund', counts);
      const { account, secret } = guess;
      const atAccount = await counting.catch(() => 0);
      if (account && atAccount > 0)
        await pausedAccounts.refund(account.userId, secret).catch(ignoreUnavailable);
    };
    const attempt = async () => {
      if (inParallel) await requireNoPause(guess);
      counting = countAtAccount(guess);
      if (!inParallel) await counting;
      return await Promise.all([verify(), counting]);
    };
    const [verdict, atAccount] = await attempt().catch(async (error: unknown) => {
      await refund();
      throw error;
    });
    if (verdict.kind === 'wrong') {
      await endInStores('fail', counts);
      notifyOfFailure(guess, atAccount || counts.atAccount);
      throw verdict.error;
    }
    await (verdict.kind === 'correct' ? clear(guess) : refund());
    return verdict.result;
  };

  const limitGuesses: LimitGuesses = (guess, verify) => limit(guess, verify, { inParallel: false });
  /**
   * For a slow comparison that changes nothing: it runs while the attempt is counted, so that the response takes no longer for
   * an e-mail with an account than without.
   */
  const limitComparisons: LimitGuesses = (guess, compare) => limit(guess, compare, { inParallel: true });

  return {
    limitGuesses,
    limitComparisons,
    /** After a success by other means. */
    clearFailures: clear,
  };
};
