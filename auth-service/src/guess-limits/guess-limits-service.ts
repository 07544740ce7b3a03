import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Background } from '@platform/shared/async/tasks';
import { AppError } from '@platform/shared/errors/app-error';
import { toClientNetworks } from '@platform/shared/http/client-address';
import type { Stores } from '../stores.ts';
import type { FailureCounts, FailureDecision, FailureStore } from './failures-store.ts';
import {
  type Guess,
  HOUR_SECONDS,
  type KeyedHash,
  MAX_PENDING_SECONDS,
  toAccountLimit,
  toNetworkLimits,
  toNotice,
  tooManyFailures,
  type Verdict,
} from './guess-limits.ts';

type Dependencies = {
  stores: Stores;
  failures: FailureStore;
  /** Of this process, while Redis is unavailable. */
  memory: FailureStore;
  hash: KeyedHash;
  background: Background;
};

/** Counts `verify` as one attempt; throws its error when it was wrong. @throws AppError 429 RATE_LIMITED */
type LimitGuesses = <Result>(guess: Guess, verify: () => Promise<Verdict<Result>>) => Promise<Result>;

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
const toCounts = ({ secret, account, email, device }: Guess, hash: KeyedHash): FailureCounts => ({
  secret,
  // By user where the count lasts, so that it does not pass to the next owner of the e-mail.
  subject: hash('e-mail', secret === 'code' && account ? account.userId : email),
  limits: [
    ...(secret === 'code' ? [] : toNetworkLimits(toClientNetworks(device.context.address))),
    ...(secret === 'code' ? [toAccountLimit(CODE_FAILURES_SECONDS)] : []),
    ...(secret !== 'code' && !account ? [toAccountLimit(UNKNOWN_FAILURES_SECONDS)] : []),
  ],
});

/** Slows down guessing without letting an attacker lock the owner out. docs/failed-attempts.md has the limits and how they interact. */
export const createGuessLimitService = (dependencies: Dependencies) => {
  const { stores, failures, memory, hash, background } = dependencies;
  const { pausedAccounts } = stores;

  /** Whether the device has signed in to the account from this network: clients choose their fingerprint. */
  const isKnownDevice = async ({ account, device: { fingerprint, context } }: Guess): Promise<boolean> => {
    if (fingerprint === undefined || account === undefined) return false;
    const [network] = toClientNetworks(context.address);
    return await stores.sessions.hasSignedInFrom(account.userId, fingerprint, network);
  };

  /** Without Redis each process counts in memory. Codes are in Redis themselves, so they fail with 503. */
  const beginInStore = (counts: FailureCounts): Promise<FailureDecision> =>
    failures.begin(counts).catch((error: unknown) => {
      if (counts.secret === 'code' || !(error instanceof AppError)) throw error;
      return memory.begin(counts);
    });

  /** An app that signs its owner in many times at once sends the right password each time: wait for the first results. */
  const waitForDecision = async (counts: FailureCounts) => {
    const deadline = Date.now() + MAX_PENDING_SECONDS * 1_000;
    for (;;) {
      const decision = await beginInStore(counts);
      if (decision.kind !== 'pending') return decision;
      if (Date.now() > deadline) throw tooManyFailures(counts.secret, 1);
      await delay(POLL_MILLISECONDS);
    }
  };

  /** Counts the attempt in Redis. @throws AppError 429 */
  const begin = async (guess: Guess): Promise<FailureCounts & { atAccount: number }> => {
    const counts = toCounts(guess, hash);
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

  const refund = async ({ account, secret }: Guess, counts: FailureCounts, atAccount: number) => {
    await endInStores('refund', counts);
    if (account && atAccount > 0)
      await pausedAccounts.refund(account.userId, secret).catch(ignoreUnavailable);
  };

  const clear = async (guess: Guess): Promise<void> => {
    await endInStores('succeed', toCounts(guess, hash));
    const { account, secret } = guess;
    if (account && secret !== 'code')
      await pausedAccounts.clear(account.userId, secret).catch(ignoreUnavailable);
  };

  const notifyOwner = ({ account, secret }: Guess, failures: number): void => {
    const notice = account && failures > 0 ? toNotice(secret, account, failures) : undefined;
    if (account && notice) background.run(() => stores.outbox.add(notice, randomUUID(), account.userId));
  };

  const limit = async <Result>(
    guess: Guess,
    verify: () => Promise<Verdict<Result>>,
    { inParallel }: { inParallel: boolean },
  ): Promise<Result> => {
    const counts = await begin(guess);
    let counting = Promise.resolve(0);
    const attempt = async () => {
      if (inParallel) await requireNoPause(guess);
      counting = countAtAccount(guess);
      if (!inParallel) await counting;
      return await Promise.all([verify(), counting]);
    };
    const [verdict, atAccount] = await attempt().catch(async (error: unknown) => {
      await refund(guess, counts, await counting.catch(() => 0));
      throw error;
    });
    if (verdict.kind === 'wrong') {
      await endInStores('fail', counts);
      notifyOwner(guess, atAccount || counts.atAccount);
      throw verdict.error;
    }
    await (verdict.kind === 'correct' ? clear(guess) : refund(guess, counts, atAccount));
    return verdict.result;
  };

  const limitGuesses: LimitGuesses = (guess, verify) => limit(guess, verify, { inParallel: false });
  /**
   * For a slow comparison that changes nothing: it runs while the attempt is counted, so that the response takes no longer for
   * an e-mail with an account than without.
   */
  const limitComparisons: LimitGuesses = (guess, compare) => limit(guess, compare, { inParallel: true });

  /** `clearFailures`: after a success by other means. */
  return { limitGuesses, limitComparisons, clearFailures: clear };
};
