import { toRedisKey } from '../../redis/key-families.ts';
import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';
import type { StoredCode } from '../mail/stored-code.ts';
import { CODE_LIFETIME_SECONDS, type CodeSubject, getSendLimits } from './email-code.ts';
import { RELEASE, RESERVE, RESERVE_ANONYMOUSLY } from './email-code-scripts.ts';
import type { KeyedHash } from './keyed-hashes.ts';

/** Shorter than the Redis timeout of a request. */
const DEADLINE_SECONDS = 1;

/**
 * Runs a script unless its request has already failed with 503: a frozen Redis runs its pending commands
 * later. Without the deadline, a user who repeats the request would wait two minutes for another code, or
 * would find the correct one used up. This costs a second round trip, because the clock of Redis may differ
 * from this machine's.
 */
export const runBeforeDeadline = async (
  redis: RedisClient,
  script: string,
  keys: string[],
  values: string[],
): Promise<unknown> => {
  const [seconds, microseconds] = await withRedisTimeout(redis.time());
  const deadline = Number(seconds) + Number(microseconds) / 1_000_000 + DEADLINE_SECONDS;
  return await withRedisTimeout(redis.eval(script, { keys, arguments: [String(deadline), ...values] }));
};

export const createCodeKeys = (
  { kind, purpose, limitedBy, lockedBy = limitedBy, subject, isFromKnownDevice }: CodeSubject,
  hash: KeyedHash,
) => {
  const owner = hash('e-mail', limitedBy);
  return {
    code: toRedisKey(`*:${purpose}:*`, kind, owner),
    lock: toRedisKey('*-resend-lock:*', `${kind}:${purpose}`, hash('e-mail', lockedBy)),
    /** Shared by all kinds, because they share the mailbox. */
    sent: toRedisKey(isFromKnownDevice ? '*-sent-to-known-device:*' : '*-sent:*', purpose, owner),
    hashCode: (code: string) => hash('code', kind, purpose, subject, code),
  };
};

type Keys = ReturnType<typeof createCodeKeys>;
export type CodeRequester = {
  /**
   * Set for anonymous clients, who may not fill the last quarter of the memory. Users who are signed in or
   * have proved their password, and administrators, may.
   */
  needsFreeMemory: boolean;
  /** The token record of the session that requests the code. */
  tokenId?: string | undefined;
};

/**
 * Stores codes in Redis as keyed hashes. The first hash is for new codes, the others for codes from before a
 * rotation of the secret. Every method throws AppError 503 if Redis is unavailable.
 */
export const createEmailCodeStore = (redis: RedisClient, hashes: readonly [KeyedHash, ...KeyedHash[]]) => {
  const [newest, ...older] = hashes;

  /** The times of sent codes that are stored under the other secrets of a rotation. */
  const readTimes = async (otherKeys: Keys[]): Promise<string[]> =>
    (await Promise.all(otherKeys.map(({ sent }) => withRedisTimeout(redis.lRange(sent, 0, -1))))).flat();

  return {
    /**
     * Stores the code and returns 0, or returns the seconds until a code may be sent again.
     * @throws AppError 503, also if `needsFreeMemory` and Redis is nearly full
     */
    reserve: async (
      subject: CodeSubject,
      code: string,
      { needsFreeMemory, tokenId }: CodeRequester,
    ): Promise<number> => {
      const keys = createCodeKeys(subject, newest);
      const olderKeys = older.map((hash) => createCodeKeys(subject, hash));
      const { perHour, perDay } = getSendLimits(subject);
      const response = await runBeforeDeadline(
        redis,
        needsFreeMemory ? RESERVE_ANONYMOUSLY : RESERVE,
        [keys.code, keys.lock, keys.sent],
        [
          ...[keys.hashCode(code), String(CODE_LIFETIME_SECONDS), String(subject.lockSeconds)],
          ...[tokenId ?? '', String(perHour), String(perDay)],
          ...(await readTimes(olderKeys)),
        ],
      );
      const lockedSeconds = Number(response);
      // The replaced code may be stored under an older secret.
      if (lockedSeconds === 0) for (const other of olderKeys) await withRedisTimeout(redis.del(other.code));
      return lockedSeconds;
    },

    /** Where `reserve` stores the code. */
    locate: (subject: CodeSubject, code: string): StoredCode => {
      const keys = createCodeKeys(subject, newest);
      return { key: keys.code, hash: keys.hashCode(code) };
    },

    /** The seconds until the lock after the last code ends; 0 without one. */
    findLockSeconds: async (subject: CodeSubject): Promise<number> => {
      const locks = hashes.map((hash) => createCodeKeys(subject, hash).lock);
      const milliseconds = await Promise.all(locks.map((lock) => withRedisTimeout(redis.pTTL(lock))));
      return Math.ceil(Math.max(0, ...milliseconds) / 1_000);
    },

    /** Called if the mail could not be queued. The code then does not count as sent. */
    release: async (subject: CodeSubject, code: string): Promise<void> => {
      const keys = createCodeKeys(subject, newest);
      const stored = [keys.code, keys.lock, keys.sent];
      await withRedisTimeout(redis.eval(RELEASE, { keys: stored, arguments: [keys.hashCode(code)] }));
    },
  };
};

export type EmailCodeStore = ReturnType<typeof createEmailCodeStore>;
