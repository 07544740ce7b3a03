import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';
import type { StoredCode } from '../mail/stored-code.ts';
import { CODE_LIFETIME_SECONDS, type CodeSubject, getSendLimits } from './email-code.ts';
import { ATTEMPT, CONSUME, RELEASE, RESERVE, RESERVE_ANONYMOUSLY } from './email-code-scripts.ts';
import type { KeyedHash } from './keyed-hashes.ts';

/**
 * Shorter than the Redis timeout of a request, so a script that runs later belongs to a request that failed
 * with 503.
 */
const DEADLINE_SECONDS = 1;

const createKeys = (
  { kind, purpose, limitedBy, lockedBy = limitedBy, subject, isFromKnownDevice }: CodeSubject,
  hash: KeyedHash,
) => {
  const owner = hash('e-mail', limitedBy);
  return {
    code: `${kind}:${purpose}:${owner}`,
    lock: `${kind}:${purpose}-resend-lock:${hash('e-mail', lockedBy)}`,
    /** Shared by all kinds, because they share the mailbox. */
    sent: `${purpose}-sent${isFromKnownDevice ? '-to-known-device' : ''}:${owner}`,
    hashCode: (code: string) => hash('code', kind, purpose, subject, code),
  };
};

type Keys = ReturnType<typeof createKeys>;
/** The session and device that request a code. `tokenId` is the token record of the session. */
export type CodeRequester = { isSignedIn: boolean; tokenId?: string | undefined };
/** `requestedBy` is the token record of the session that has requested the code. */
type ConsumedCode = { requestedBy: string | undefined };
type CodeComparison = 'correct' | 'wrong' | 'not-compared';

/**
 * Stores codes in Redis as keyed hashes. The first hash is for new codes, the others for codes from before a
 * rotation of the secret. Every method throws AppError 503 if Redis is unavailable.
 */
export const createEmailCodeStore = (redis: RedisClient, hashes: readonly [KeyedHash, ...KeyedHash[]]) => {
  const [newest, ...older] = hashes;

  const run = (script: string, keys: string[], values: string[]) =>
    withRedisTimeout(redis.eval(script, { keys, arguments: values }));

  const runBeforeDeadline = async (script: string, keys: string[], values: string[]) => {
    // Uses the clock of Redis, which may differ from this machine's.
    const [seconds, microseconds] = await withRedisTimeout(redis.time());
    const deadline = Number(seconds) + Number(microseconds) / 1_000_000 + DEADLINE_SECONDS;
    return await run(script, keys, [String(deadline), ...values]);
  };

  /** The times of sent codes that are stored under the other secrets of a rotation. */
  const readTimes = async (otherKeys: Keys[]): Promise<string[]> =>
    (await Promise.all(otherKeys.map(({ sent }) => withRedisTimeout(redis.lRange(sent, 0, -1))))).flat();

  return {
    /**
     * Stores the code and returns 0, or returns the seconds until a code may be sent again.
     * @throws AppError 503, also if Redis is nearly full and the client is not signed in
     */
    reserve: async (
      subject: CodeSubject,
      code: string,
      { isSignedIn, tokenId }: CodeRequester,
    ): Promise<number> => {
      const keys = createKeys(subject, newest);
      const olderKeys = older.map((hash) => createKeys(subject, hash));
      const { perHour, perDay } = getSendLimits(subject);
      const response = await runBeforeDeadline(
        isSignedIn ? RESERVE : RESERVE_ANONYMOUSLY,
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
      const keys = createKeys(subject, newest);
      return { key: keys.code, hash: keys.hashCode(code) };
    },

    /** The seconds until the lock after the last code ends; 0 without one. */
    findLockSeconds: async (subject: CodeSubject): Promise<number> => {
      const locks = hashes.map((hash) => createKeys(subject, hash).lock);
      const milliseconds = await Promise.all(locks.map((lock) => withRedisTimeout(redis.pTTL(lock))));
      return Math.ceil(Math.max(0, ...milliseconds) / 1_000);
    },

    /** Called if the mail could not be queued. The code then does not count as sent. */
    release: async (subject: CodeSubject, code: string): Promise<void> => {
      const keys = createKeys(subject, newest);
      await run(RELEASE, [keys.code, keys.lock, keys.sent], [keys.hashCode(code)]);
    },

    /**
     * Counts the attempt, then compares. If there is no code, or its attempts are exhausted, it does neither.
     */
    verifyAttempt: async (subject: CodeSubject, code: string, network: string): Promise<CodeComparison> => {
      for (const hash of hashes) {
        const keys = createKeys(subject, hash);
        const result = Number(await runBeforeDeadline(ATTEMPT, [keys.code], [keys.hashCode(code), network]));
        if (result >= 0) return result === 1 ? 'correct' : 'wrong';
      }
      return 'not-compared';
    },

    /**
     * Deletes the code. If it is accepted, the resend lock ends with it. Of concurrent calls, one returns the code.
     */
    consume: async (
      subject: CodeSubject,
      code: string,
      isAccepted: boolean,
    ): Promise<ConsumedCode | undefined> => {
      for (const hash of hashes) {
        const keys = createKeys(subject, hash);
        const deleted = isAccepted ? [keys.code, keys.lock] : [keys.code];
        const requestedBy = await runBeforeDeadline(CONSUME, deleted, [keys.hashCode(code)]);
        if (typeof requestedBy === 'string') return { requestedBy: requestedBy || undefined };
      }
      return undefined;
    },
  };
};

export type EmailCodeStore = ReturnType<typeof createEmailCodeStore>;
