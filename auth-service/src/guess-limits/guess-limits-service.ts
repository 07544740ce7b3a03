import { randomUUID } from 'node:crypto';
import type { Background } from '@platform/shared/async/tasks';
import { AppError } from '@platform/shared/errors/app-error';
import { toClientNetworks, toClientSubnet } from '@platform/shared/network/client-address';
import { type CodeSubject, codeInvalid } from '@platform/shared/platform/codes/email-code';
import { hashAddress, type KeyedHash } from '@platform/shared/platform/codes/keyed-hashes';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { HashRequester } from '../passwords/password.ts';
import type { CodeTryStore } from './code-tries-store.ts';
import type { Counter, Counters, FailureStore } from './failures-store.ts';
import { type AttemptResult, type Guess, GuessesLimited, toNotice } from './guess-limits.ts';

type Dependencies = {
  stores: { failures: FailureStore; outbox: MailOutbox };
  hash: KeyedHash;
  codeTries: CodeTryStore;
  background: Background;
};

/** Used without an account, so that the response takes the same time. */
const NO_USER_ID = '00000000-0000-0000-0000-000000000000';
const ENDS = { wrong: 'fail', correct: 'clear', incomplete: 'refund' } as const;

/** An outage does not fail the request: the result of the attempt itself is already known. */
const ignoreUnavailable = (error: unknown): void => {
  if (!(error instanceof AppError)) throw error;
};

const toCounters = (guess: Guess, hash: KeyedHash): Counters => {
  const { secret, account, email, countsAtEmail, device } = guess;
  const address = hashAddress(hash, email);
  const networks = secret === 'code' ? [] : toClientNetworks(device.context.address);
  const atNetworks = networks.map((network, index): Counter => {
    return { scope: index === 0 ? 'network' : 'wider-network', subject: `${address} ${network}` };
  });
  const counters = atNetworks;
  if (!account || countsAtEmail) counters.push({ scope: 'email', subject: address });
  // Counts by user id, because this count lasts and must not pass to the next owner of the e-mail.
  if (account) counters.push({ scope: 'account', subject: account.userId });
  return { secret, counters };
};

/**
 * Slows down guessing without letting an attacker lock the owner out. docs/limits.md lists the
 * limits and how they interact.
 */
export const createGuessLimitService = ({ stores, hash, codeTries, background }: Dependencies) => {
  /**
   * Whether the device has signed in to the account from this network. The network matters, because clients
   * choose their fingerprint; `isNewDevice` of the sessions asks for the fingerprint alone.
   */
  const isKnownDevice = async ({
    account,
    device: { fingerprint, context },
  }: Pick<Guess, 'account' | 'device'>): Promise<boolean> =>
    fingerprint !== undefined &&
    (await stores.failures.isKnownDevice(
      account?.userId ?? NO_USER_ID,
      fingerprint,
      toClientSubnet(context.address),
    ));

  /**
   * Returns the consecutive failures at the account, including this attempt. Attempts that are still being
   * verified count as failures, and none waits for another, because waiting requests would occupy the
   * service. @throws AppError 429
   */
  const begin = async (
    guess: Guess,
    counters: Counters,
    isKnown: () => Promise<boolean>,
  ): Promise<number> => {
    let decision = await stores.failures.begin(counters, false);
    // Attackers on other networks can reach the limit of an account, so the owner's devices are exempt.
    if (decision.kind === 'rejected' && !decision.scope.endsWith('network') && (await isKnown()))
      decision = await stores.failures.begin(counters, true);
    if (decision.kind === 'rejected')
      throw new GuessesLimited(guess.secret, decision.seconds, decision.scope);
    return decision.failuresAtAccount;
  };

  const end = (kind: 'fail' | 'clear' | 'refund', counters: Counters): Promise<void> =>
    stores.failures.end(kind, counters).catch(ignoreUnavailable);

  const notifyOwner = ({ account, secret }: Guess, failures: number): void => {
    const notice = account && toNotice(secret, account, failures);
    if (notice) background.run(() => stores.outbox.add(notice, randomUUID(), account.userId));
  };

  /** Decides when the hashes of the attempt are computed. */
  const toRequester = async (
    guess: Guess,
    isKnown = (): Promise<boolean> => isKnownDevice(guess),
  ): Promise<HashRequester> => ({
    address: guess.device.context.address,
    knownAccountId: (await isKnown()) ? guess.account?.userId : undefined,
    userId: guess.isSignedIn ? guess.account?.userId : undefined,
  });

  /**
   * Counts `verify` as one attempt; throws its error if it was wrong. `verify` gets the requester of its hashes
   * from a function. @throws AppError 429 RATE_LIMITED
   */
  const limitGuesses = async <Result>(
    guess: Guess,
    verify: (toRequester: () => Promise<HashRequester>) => Promise<AttemptResult<Result>>,
  ): Promise<Result> => {
    const counters = toCounters(guess, hash);
    let known: Promise<boolean> | undefined;
    const isKnown = (): Promise<boolean> => {
      known ??= isKnownDevice(guess);
      return known;
    };
    const failures = await begin(guess, counters, isKnown);
    const attempt = await verify(() => toRequester(guess, isKnown)).catch(async (error: unknown) => {
      await end('refund', counters);
      throw error;
    });
    await end(ENDS[attempt.kind], counters);
    if (attempt.kind !== 'wrong') return attempt.result;
    notifyOwner(guess, failures);
    throw attempt.error;
  };

  /** Compares a mailed code as one attempt. @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
  const verifyCode = (guess: Guess, subject: CodeSubject, code: string): Promise<void> =>
    limitGuesses(guess, async () => {
      const result = await codeTries.attempt(subject, code, toClientSubnet(guess.device.context.address));
      if (result === 'not-compared') throw codeInvalid();
      return result === 'correct'
        ? { kind: 'correct', result: undefined }
        : { kind: 'wrong', error: codeInvalid() };
    });

  return {
    isKnownDevice,
    toRequester,
    limitGuesses,
    verifyCode,

    /**
     * Verifies a mailed code and makes it unusable. If it is accepted, the resend lock ends. Returns the
     * session that requested it. @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503
     */
    useCode: async (
      guess: Guess,
      subject: CodeSubject,
      code: string,
      isAccepted: boolean,
    ): Promise<string | undefined> => {
      await verifyCode(guess, subject, code);
      const consumed = await codeTries.consume(subject, code, isAccepted);
      if (!consumed) throw codeInvalid();
      return consumed.requestedBy;
    },

    /** Called after a success by other means. */
    clearFailures: (guess: Guess): Promise<void> => end('clear', toCounters(guess, hash)),
  };
};

export type GuessLimitService = ReturnType<typeof createGuessLimitService>;
