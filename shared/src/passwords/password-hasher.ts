import { availableParallelism } from 'node:os';
import { genSaltSync, getRounds } from 'bcryptjs';
import { Piscina } from 'piscina';
import { unavailable } from '../errors/app-error.ts';

/** bcrypt reads no further than this; a longer password would be cut silently. */
export const MAX_PASSWORD_BYTES = 72;

export type HashTask = { password: string; cost: number } | { password: string; against: string };

type Options = {
  /** bcrypt's cost: the work is 2^cost rounds. */
  cost: number;
  /** How many tasks may wait; one more is refused with 503 at once. */
  maxQueue: number;
  /** Told of each task how long it took, waiting included. */
  onDone?: (seconds: number) => void;
};

/** Hashes and compares in a thread per core: a hash takes a quarter of a second that the event loop must not spend. */
export const createPasswordHasher = ({ cost, maxQueue, onDone }: Options) => {
  const pool = new Piscina<HashTask, string | boolean>({
    filename: new URL('./hash-worker.mjs', import.meta.url).href,
    name: 'runHashTask',
    minThreads: 1,
    maxThreads: availableParallelism(),
    maxQueue,
    idleTimeout: 60_000,
    // bcrypt needs next to nothing; a thread by itself would set aside several times as much.
    resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });

  const run = async (task: HashTask): Promise<string | boolean> => {
    if (pool.queueSize >= maxQueue) throw unavailable('Too many passwords to check at once');
    const started = performance.now();
    const result = await pool.run(task);
    onDone?.((performance.now() - started) / 1_000);
    return result;
  };

  // Well formed and of the same cost, but the hash of nothing: comparing with it takes the time of a real comparison.
  const decoy = genSaltSync(cost) + 'A'.repeat(31);

  return {
    /** @throws AppError 503 when the queue is full. */
    hash: async (password: string): Promise<string> => String(await run({ password, cost })),
    /** With no hash (unknown account) it takes the time of a real comparison, then answers false. @throws AppError 503 */
    compare: async (password: string, passwordHash: string | undefined): Promise<boolean> => {
      const matches = await run({ password, against: passwordHash ?? decoy });
      // bcrypt leaves out what comes after, so a longer text would pass for a password of just that length.
      const isWhole = Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
      return matches === true && isWhole && passwordHash !== undefined;
    },
    /** Whether the hash was made at a lower cost than new ones are. */
    isOutdated: (passwordHash: string): boolean => getRounds(passwordHash) < cost,
    waiting: () => pool.queueSize,
    close: () => pool.destroy(),
  };
};

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;
