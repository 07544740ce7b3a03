import type { CodeSubject } from '@platform/shared/platform/codes/email-code';
import { BEFORE_DEADLINE } from '@platform/shared/platform/codes/email-code-scripts';
import { createCodeKeys, runBeforeDeadline } from '@platform/shared/platform/codes/email-codes-store';
import type { KeyedHash } from '@platform/shared/platform/codes/keyed-hashes';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { CODE_TRIES } from './guess-limits.ts';

/**
 * Counts a wrong attempt; rejected attempts do not count. The last one deletes the code, so that its mail is
 * not sent again. KEYS: code. ARGV: hash of the attempted code, client network. Returns 1 (correct), 0 (wrong)
 * or -1 (not compared). Without a deadline, a late attempt costs at most one try.
 */
const ATTEMPT = `#!lua flags=allow-oom
-- attempt-code
  local network = 'tries:' .. ARGV[2]
  local code = redis.call('HMGET', KEYS[1], 'hash', network)
  if not code[1] then return -1 end
  if tonumber(code[2] or '0') >= ${CODE_TRIES.perNetwork} then return -1 end
  if code[1] == ARGV[1] then return 1 end
  redis.call('HINCRBY', KEYS[1], network, 1)
  if redis.call('HINCRBY', KEYS[1], 'tries', 1) >= ${CODE_TRIES.inAll} then redis.call('DEL', KEYS[1]) end
  return 0`;

/**
 * Deletes a code, with the lock if it is among the keys: a reader of the mailbox may request the next code at
 * once. KEYS: code, optionally lock. ARGV: deadline, hash of the code. Returns the session that requested it,
 * or an empty string, for one of concurrent callers, and nil for the others.
 */
const CONSUME = `-- consume-code
  ${BEFORE_DEADLINE}
  local code = redis.call('HMGET', KEYS[1], 'hash', 'requested-by')
  if code[1] ~= ARGV[2] then return nil end
  redis.call('DEL', unpack(KEYS))
  return code[2] or ''`;

/** `requestedBy` is the token record of the session that has requested the code. */
type ConsumedCode = { requestedBy: string | undefined };

/**
 * Compares codes with those that are stored under any of the hashes, and counts the wrong ones. Every method
 * throws AppError 503 if Redis is unavailable.
 */
export const createCodeTryStore = (redis: RedisClient, hashes: readonly KeyedHash[]) => ({
  /** Compares nothing if there is no code, or if its tries are exhausted. */
  attempt: async (
    subject: CodeSubject,
    code: string,
    network: string,
  ): Promise<'correct' | 'wrong' | 'not-compared'> => {
    for (const hash of hashes) {
      const keys = createCodeKeys(subject, hash);
      const attempted = { keys: [keys.code], arguments: [keys.hashCode(code), network] };
      const result = Number(await withRedisTimeout(redis.eval(ATTEMPT, attempted)));
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
      const keys = createCodeKeys(subject, hash);
      const deleted = isAccepted ? [keys.code, keys.lock] : [keys.code];
      const requestedBy = await runBeforeDeadline(redis, CONSUME, deleted, [keys.hashCode(code)]);
      if (typeof requestedBy === 'string') return { requestedBy: requestedBy || undefined };
    }
    return undefined;
  },
});

export type CodeTryStore = ReturnType<typeof createCodeTryStore>;
