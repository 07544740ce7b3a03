import { availableParallelism } from 'node:os';
import { genSaltSync, getRounds } from 'bcryptjs';
import { Piscina } from 'piscina';
import { unavailable } from '../errors/app-error.ts';

/** bcrypt reads no further than this; a longer password would be cut silently. */
export const MAX_PASSWORD_BYTES = 72;

export type HashTask =
  | { password: string; cost: number }
  | { password: string; against: string; targetCost: number };
/** The hash, or whether the password matches; and the bcrypt rounds that were computed. */
export type HashResult = { value: string | boolean; rounds: number };

const BCRYPT_HASH = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/;

type Options = {
  /** bcrypt's cost: the work is 2^cost rounds. */
  cost: number;
  /** How many tasks may wait; one more is refused with 503 at once. */
  maxQueue: number;
  /** Called after each task with how long it took, waiting included, and with the bcrypt rounds that it computed. */
  onDone?: (seconds: number, rounds: number) => void;
  /** The highest cost of any stored hash, undefined when there is none; read at most once in 10 s. */
  readHighestCost?: () => Promise<number | undefined>;
};

/** Hashes and compares in a thread per core: a hash takes a quarter of a second that the event loop must not spend. */
export const createPasswordHasher = ({
  cost,
  maxQueue,
  onDone,
  readHighestCost = async () => undefined,
}: Options) => {
  const targetCost = createTargetCost({ cost, readHighest: readHighestCost });
  const pool = new Piscina<HashTask, HashResult>({
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
    const { value, rounds } = await pool.run(task);
    onDone?.((performance.now() - started) / 1_000, rounds);
    return value;
  };

  // Well formed, but the hash of no password: comparing with it takes the work of every other failed comparison.
  const decoy = genSaltSync(cost) + 'A'.repeat(31);

  return {
    /** @throws AppError 503 when the queue is full. */
    hash: async (password: string): Promise<string> => String(await run({ password, cost })),
    /**
     * Every failed comparison takes the same work: with no hash (unknown account), and with one of any cost.
     * @throws AppError 503 when the queue is full.
     */
    compare: async (password: string, passwordHash = decoy): Promise<boolean> => {
      // bcrypt ignores the bytes after the 72nd, so a longer text would match a password of exactly that length.
      const isWhole = Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
      const against = isWhole && BCRYPT_HASH.test(passwordHash) ? passwordHash : decoy;
      return (await run({ password, against, targetCost: await targetCost() })) === true;
    },
    /**
     * Whether the hash was made at another cost than new ones are. A higher one counts too: wrong passwords at every account
     * take the work of the highest stored cost, so a lowered cost has no effect before such hashes are renewed.
     */
    isOutdated: (passwordHash: string): boolean => getRounds(passwordHash) !== cost,
    waiting: () => pool.queueSize,
    close: () => pool.destroy(),
  };
};

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** The highest cost that this platform sets. One imported hash of a higher one must not slow every wrong password. */
export const MAX_BCRYPT_COST = 16;

type TargetCostOptions = {
  /** The cost of new hashes. */
  cost: number;
  /** The highest cost of any stored hash; undefined when there is none. */
  readHighest: () => Promise<number | undefined>;
  /** How long a value is used before it is read again. */
  maxAgeMilliseconds?: number;
};

/**
 * The cost whose work each failed comparison takes: the highest one in use, or a hash of a lower cost would be recognised by
 * its time. While it cannot be read, the last known one holds.
 */
export const createTargetCost = ({ cost, readHighest, maxAgeMilliseconds = 10_000 }: TargetCostOptions) => {
  let highest = Promise.resolve(cost);
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (last: Promise<number>): Promise<number> => {
    try {
      return Math.min(Math.max(cost, (await readHighest()) ?? cost), MAX_BCRYPT_COST);
    } catch {
      return await last;
    }
  };
  return (): Promise<number> => {
    if (performance.now() - readAt >= maxAgeMilliseconds) {
      readAt = performance.now();
      highest = read(highest);
    }
    return highest;
  };
};
