import { type RedisClient, withRedisTimeout } from '@platform/shared/redis/redis';
import { KIND_NAMES, type Kind } from '../kinds.ts';
import {
  CODE_LIFETIME_SECONDS,
  type CodeGuess,
  type CodeHasher,
  type CodeSubject,
  RESEND_LOCK_SECONDS,
} from './email-code.ts';
import { ATTEMPT, CONFIRM, CONSUME, RELEASE, RESERVE } from './email-code-scripts.ts';

/** Less than a request waits for a frozen Redis: a script that is executed later belongs to a request answered with 503. */
const DEADLINE_SECONDS = 1;

// The braces keep the keys of a script on one node of a cluster.
const createKeys = ({ kind, purpose, email }: CodeSubject, hasher: CodeHasher) => {
  const tag = `{${hasher.hashEmail(email)}}`;
  const lockOf = (name: Kind) => `${name}:${purpose}-resend-lock:${tag}`;
  return {
    hasher,
    code: `${kind}:${purpose}:${tag}`,
    lock: lockOf(kind),
    otherLocks: KIND_NAMES.filter((name) => name !== kind).map(lockOf),
    /** Over all kinds: they share the mailbox. */
    sent: `${purpose}-sent:${tag}`,
    /** Over all kinds and purposes: they share the account. */
    wrong: `wrong-codes:${tag}`,
  };
};

type Keys = ReturnType<typeof createKeys>;

/** Codes in Redis, as keyed hashes only. Every method throws AppError 503 when Redis is away. */
export const createEmailCodeStore = (redis: RedisClient, hashers: readonly [CodeHasher, ...CodeHasher[]]) => {
  const [newest, ...older] = hashers;

  const run = async (script: string, keys: string[], values: string[]): Promise<number> =>
    Number(await withRedisTimeout(redis.eval(script, { keys, arguments: values })));

  const runBeforeDeadline = async (
    script: string,
    keys: string[],
    values: string[] = [],
  ): Promise<number> => {
    // By Redis's clock: ours may differ.
    const [seconds, microseconds] = await withRedisTimeout(redis.time());
    const deadline = Number(seconds) + Number(microseconds) / 1_000_000 + DEADLINE_SECONDS;
    return await run(script, keys, [String(deadline), ...values]);
  };

  /** What was counted under the other secrets of a rotation counts too. */
  const timesElsewhere = async (elsewhere: Keys[], list: 'sent' | 'wrong'): Promise<string[]> =>
    (await Promise.all(elsewhere.map((keys) => withRedisTimeout(redis.lRange(keys[list], 0, -1))))).flat();

  return {
    /** Stores the code unless none may be sent yet; then the seconds until the next may be. */
    reserve: async (subject: CodeSubject, code: string): Promise<number> => {
      const keys = createKeys(subject, newest);
      const elsewhere = older.map((hasher) => createKeys(subject, hasher));
      const lockedSeconds = await runBeforeDeadline(
        RESERVE,
        [keys.code, keys.lock, keys.sent, ...keys.otherLocks],
        [
          newest.hashCode(subject, code),
          String(CODE_LIFETIME_SECONDS),
          ...(await timesElsewhere(elsewhere, 'sent')),
        ],
      );
      // The code that it replaces may be one from before a rotation of the secret.
      if (lockedSeconds === 0)
        for (const keysElsewhere of elsewhere) await withRedisTimeout(redis.del(keysElsewhere.code));
      return lockedSeconds;
    },

    /** The mail is queued: the code counts as sent, and the lock holds in full. */
    confirm: async (subject: CodeSubject): Promise<void> => {
      const { lock, sent } = createKeys(subject, newest);
      await runBeforeDeadline(CONFIRM, [lock, sent], [String(RESEND_LOCK_SECONDS)]);
    },

    /** The mail could not be queued: leaves neither code nor lock. */
    release: async (subject: CodeSubject, code: string): Promise<void> => {
      const keys = createKeys(subject, newest);
      await run(RELEASE, [keys.code, keys.lock], [newest.hashCode(subject, code)]);
    },

    /** Counts the attempt, then compares; `lockedSeconds` above 0 means that the account has too many wrong ones. */
    attempt: async (
      subject: CodeSubject,
      { code, network }: CodeGuess,
    ): Promise<{ isRight: boolean; lockedSeconds: number }> => {
      const everywhere = hashers.map((hasher) => createKeys(subject, hasher));
      for (const keys of everywhere) {
        const elsewhere = await timesElsewhere(
          everywhere.filter((other) => other !== keys),
          'wrong',
        );
        const values = [keys.hasher.hashCode(subject, code), network, ...elsewhere];
        const result = await runBeforeDeadline(ATTEMPT, [keys.code, keys.wrong], values);
        if (result !== 0) return { isRight: result > 0, lockedSeconds: Math.max(-result, 0) };
      }
      return { isRight: false, lockedSeconds: 0 };
    },

    /** Uses the code up: true for one caller only. */
    consume: async (subject: CodeSubject, code: string): Promise<boolean> => {
      for (const hasher of hashers) {
        const keys = createKeys(subject, hasher);
        if ((await runBeforeDeadline(CONSUME, [keys.code], [hasher.hashCode(subject, code)])) === 1)
          return true;
      }
      return false;
    },
  };
};

export type EmailCodeStore = ReturnType<typeof createEmailCodeStore>;
