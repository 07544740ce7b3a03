import { availableParallelism } from 'node:os';
import { tooManyRequests } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { withSpan } from '@platform/shared/tracing/tracing';
import { genSaltSync } from 'bcryptjs';
import { Piscina } from 'piscina';
import { createHashQueue, HashQueueOverload } from './hash-queue.ts';
import { BCRYPT_HASH, type HashRequester, type SignInRequester } from './password.ts';
import { createTargetCost } from './target-cost.ts';

/** bcrypt ignores all further bytes, so a longer password would be truncated silently. */
const MAX_PASSWORD_BYTES = 72;

export type HashTask =
  | { password: string; cost: number }
  | { password: string; against: string; targetCost: number };
/** The hash, or whether the password matches, and the number of bcrypt rounds that were computed. */
export type HashResult = { value: string | boolean; rounds: number };

/** The length of the prefix of a hash, such as `$2b$12$`. */
const PREFIX_LENGTH = 7;

type Options = {
  /** bcrypt's cost: the work is 2^cost rounds. */
  cost: number;
  /** Maximum number of waiting tasks; further ones are rejected with 503. */
  maxQueue: number;
  /** How long a task may wait before it is rejected with 503. */
  maxWaitMilliseconds?: number;
  metrics?: Metrics;
  /** The highest cost of all stored hashes, if any; called at most every 10 s. */
  readHighestCost?: () => Promise<number | undefined>;
};

const THREADS = availableParallelism();
/** One more, so that a known device does not wait until an attacker's hash has ended. */
const PRIORITY_THREADS = 1;
/**
 * The niceness of the threads on Linux: all hashes yield to the handling of requests, and ordinary ones yield
 * to those with priority.
 */
const NICENESS = { priority: 5, ordinary: 10 };

/** Per signed-in user, so that requests with one token cannot fill the queue. */
const MAX_CHECKS_PER_USER = 2;

const startThreads = (maxThreads: number, niceness: number) =>
  new Piscina<HashTask, HashResult>({
    filename: new URL('./hash-worker.mjs', import.meta.url).href,
    name: 'runHashTask',
    minThreads: 1,
    maxThreads,
    workerData: { niceness },
    idleTimeout: 60_000,
    // Piscina's histograms take 0.7 MB, and observeDuration records the same.
    recordTiming: false,
    // bcrypt needs little memory; V8's defaults per thread reserve several times as much.
    resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });

/**
 * Hashes and compares in threads, because a hash would block the event loop for a quarter of a second: one
 * hash per core, and one more with priority.
 */
export const createPasswordHasher = ({
  cost,
  maxQueue,
  maxWaitMilliseconds = 3_000,
  metrics,
  readHighestCost = async () => undefined,
}: Options) => {
  const targetCost = createTargetCost({ cost, readHighest: readHighestCost });
  const threads = {
    priority: startThreads(THREADS + PRIORITY_THREADS, NICENESS.priority),
    ordinary: startThreads(THREADS, NICENESS.ordinary),
  };

  const observeDuration = metrics?.histogram(
    'password_hash_duration_seconds',
    'Duration of a password hash or comparison, including the time in the queue',
    {},
  );
  const countRounds = metrics?.counter(
    'password_hash_rounds_total',
    'Rounds of bcrypt computed for password hashes and comparisons',
    {},
  );
  metrics?.gauge('password_queue_length', 'Passwords waiting to be hashed or compared', () =>
    queue.waiting(),
  );

  const queue = createHashQueue({
    permits: THREADS,
    priorityPermits: PRIORITY_THREADS,
    maxWaiting: maxQueue,
    maxWaitMilliseconds,
  });
  const checksByUser = new Map<string, number>();

  const run = async (task: HashTask, requester: HashRequester): Promise<string | boolean> => {
    const started = performance.now();
    const { hasPriority, release } = await withSpan('wait for a password thread', {}, () =>
      queue.acquire(requester),
    );
    try {
      const { value, rounds } = await withSpan('hash a password', {}, () =>
        (hasPriority ? threads.priority : threads.ordinary).run(task),
      );
      countRounds?.({}, rounds);
      return value;
    } finally {
      release();
      observeDuration?.({}, (performance.now() - started) / 1_000);
    }
  };

  // A well-formed hash that no password matches. Comparing with it takes the same work as any failed
  // comparison.
  const decoy = genSaltSync(cost) + 'A'.repeat(31);
  const prefix = decoy.slice(0, PREFIX_LENGTH);

  /** @throws AppError 503 if the queue is full or too slow */
  const hash = async (password: string, requester: HashRequester): Promise<string> =>
    String(await run({ password, cost }, requester));

  return {
    hash,
    /** Returns undefined if the queue is full or too slow; the next sign-in can renew the hash. */
    renew: (password: string, requester: SignInRequester): Promise<string | undefined> =>
      hash(password, requester).catch((error: unknown) => {
        if (error instanceof HashQueueOverload) return undefined;
        throw error;
      }),
    /**
     * Runs `check`, which hashes a password of this signed-in user, unless several others are running.
     * @throws AppError 429
     */
    limitChecks: async <Result>(userId: string, check: () => Promise<Result>): Promise<Result> => {
      const checks = checksByUser.get(userId) ?? 0;
      if (checks >= MAX_CHECKS_PER_USER)
        throw tooManyRequests(
          'RATE_LIMITED',
          'Too many password checks of this account at the same time; retry later.',
          1,
        );
      checksByUser.set(userId, checks + 1);
      try {
        return await check();
      } finally {
        const left = (checksByUser.get(userId) ?? 1) - 1;
        if (left === 0) checksByUser.delete(userId);
        else checksByUser.set(userId, left);
      }
    },

    /**
     * Every failed comparison takes the same work, whatever the cost of the hash, and even without a hash
     * (unknown account, account without a password).
     * @throws AppError 503 if the queue is full or too slow
     */
    compare: async (
      password: string,
      passwordHash: string | null | undefined,
      requester: HashRequester,
    ): Promise<boolean> => {
      // bcrypt ignores the bytes after the 72nd, so a longer text would match a password of exactly that
      // length.
      const isWhole = Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
      const against = isWhole && passwordHash && BCRYPT_HASH.test(passwordHash) ? passwordHash : decoy;
      return (await run({ password, against, targetCost: await targetCost() }, requester)) === true;
    },
    /**
     * Whether the prefix or cost differs from that of new hashes. A higher cost counts, too: every wrong
     * password takes the work of the highest stored cost, so lowering the cost has no effect until such
     * hashes are renewed.
     */
    isOutdated: (passwordHash: string): boolean => passwordHash.slice(0, PREFIX_LENGTH) !== prefix,
    waiting: () => queue.waiting(),
    close: () => Promise.all(Object.values(threads).map((pool) => pool.destroy())),
  };
};

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;
