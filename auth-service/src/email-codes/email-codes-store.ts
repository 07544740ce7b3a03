import { inTime, type RedisClient } from '@platform/shared/redis/connect-redis';
import {
  CODE_LIFETIME_SECONDS,
  CODE_TRIES,
  type CodeHasher,
  type CodeSubject,
  RESEND_LOCK_SECONDS,
} from './email-code.ts';

/** Held until the mail is queued, so that a process that dies before leaves no lock of two minutes behind. */
const PROVISIONAL_LOCK_SECONDS = 10;
/** A frozen Redis reads what it was sent when it thaws: a request answered with 503 by then must leave nothing. */
const RESERVE_WITHIN_SECONDS = 1;

// → 0 when reserved, else the seconds until the lock goes. The new code replaces the old one.
const RESERVE = `
  if tonumber(redis.call('TIME')[1]) > tonumber(ARGV[4]) then return redis.error_reply('ERR too late') end
  if not redis.call('SET', KEYS[2], '1', 'NX', 'EX', ARGV[2]) then return math.max(redis.call('TTL', KEYS[2]), 1) end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'hash', ARGV[1], 'tries', 0)
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  return 0`;

// The try is counted before anything is compared, so that parallel guesses cannot share one.
const TRY = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  if redis.call('HINCRBY', KEYS[1], 'tries', 1) > tonumber(ARGV[2]) then return 0 end
  return redis.call('HGET', KEYS[1], 'hash') == ARGV[1] and 1 or 0`;

const CONSUME = `
  if redis.call('HGET', KEYS[1], 'hash') ~= ARGV[1] then return 0 end
  return redis.call('DEL', KEYS[1])`;

/** Codes in Redis, as keyed hashes only. Every method throws AppError 503 when Redis is away. */
export const createEmailCodeStore = (redis: RedisClient, hashers: readonly [CodeHasher, ...CodeHasher[]]) => {
  const [newest, ...older] = hashers;
  // The braces keep the two keys of a script on one node of a cluster.
  const keysOf = (subject: CodeSubject, hasher = newest): [string, string] => {
    const tail = `{${hasher.hashSubject(subject)}}`;
    return [
      `${subject.kind}:${subject.purpose}:${tail}`,
      `${subject.kind}:${subject.purpose}-resend-lock:${tail}`,
    ];
  };
  const run = async (script: string, keys: string[], values: (string | number)[]): Promise<number> =>
    Number(await inTime(redis.eval(script, { keys, arguments: values.map(String) })));

  /** A code that was stored before the secret was replaced is found under the earlier one. */
  const holdsForOne = async (
    script: string,
    subject: CodeSubject,
    code: string,
    more: number[],
  ): Promise<boolean> => {
    for (const hasher of hashers) {
      const [key] = keysOf(subject, hasher);
      if ((await run(script, [key], [hasher.hashCode(subject, code), ...more])) === 1) return true;
    }
    return false;
  };

  return {
    /** Stores the code unless one was sent a moment ago; then the seconds until the next may be. */
    reserve: async (subject: CodeSubject, code: string): Promise<number> => {
      // By Redis's clock: ours may differ.
      const [now] = await inTime(redis.time());
      const lockedSeconds = await run(RESERVE, keysOf(subject), [
        newest.hashCode(subject, code),
        PROVISIONAL_LOCK_SECONDS,
        CODE_LIFETIME_SECONDS,
        Number(now) + RESERVE_WITHIN_SECONDS,
      ]);
      // The code that it replaces may be one from before a rotation of the secret.
      if (lockedSeconds === 0)
        for (const hasher of older) await inTime(redis.del(keysOf(subject, hasher)[0]));
      return lockedSeconds;
    },

    /** The mail is queued: from now on the lock holds in full. */
    confirm: async (subject: CodeSubject): Promise<void> => {
      await inTime(redis.expire(keysOf(subject)[1], RESEND_LOCK_SECONDS));
    },

    /** The mail could not be queued: leaves neither code nor lock. */
    release: async (subject: CodeSubject): Promise<void> => {
      await inTime(redis.del(keysOf(subject)));
    },

    /** Counts the try, then compares. */
    isRight: (subject: CodeSubject, code: string): Promise<boolean> =>
      holdsForOne(TRY, subject, code, [CODE_TRIES]),

    /** Uses the code up: true for one caller only. */
    consume: (subject: CodeSubject, code: string): Promise<boolean> =>
      holdsForOne(CONSUME, subject, code, []),
  };
};

export type EmailCodeStore = ReturnType<typeof createEmailCodeStore>;
