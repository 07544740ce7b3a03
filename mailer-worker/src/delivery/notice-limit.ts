import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@platform/shared/config/secrets';
import type { NoticeMail } from '@platform/shared/platform/mail/mail';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';

/** Notices of events at the user's account, whose number the services do not limit. */
const EVENTS: readonly NoticeMail['template'][] = ['guessing-paused', 'new-device', 'wrong-factors'];

const NOTICES_PER_HOUR = 10;
const HOUR_SECONDS = 3_600;

// The first line of a script names it in traces. The member is the id of the mail, so retries count once.
const COUNT = `-- count-notice
  local now = tonumber(redis.call('TIME')[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${HOUR_SECONDS})
  if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 1 end
  if redis.call('ZCARD', KEYS[1]) >= ${NOTICES_PER_HOUR} then return 0 end
  redis.call('ZADD', KEYS[1], now, ARGV[1])
  redis.call('EXPIRE', KEYS[1], ${HOUR_SECONDS})
  return 1`;

/**
 * The user or recipient for whom the notice counts. Undefined for a notice that is always sent: the services
 * limit how often a user can change an account.
 * @param userId the user whose account the notice concerns
 */
export const findNoticeBudget = (mail: NoticeMail, userId: string | undefined): string | undefined => {
  // Strangers can cause these as often as they like, by requesting the address for an account, or by signing
  // up with it, again after each deletion. They must not use up the notices of the user who owns the address.
  if (!('isEmailVerified' in mail && mail.isEmailVerified)) return mail.to;
  return EVENTS.includes(mail.template) ? (userId ?? mail.to) : undefined;
};

/** Counts the notices of each budget under a keyed hash. A new secret resets the counts. */
export const createNoticeLimit = (redis: Pick<RedisClient, 'eval'>, { current }: Secret) => {
  const key = Buffer.from(hkdfSync('sha256', current, '', 'notice recipient', 32));
  const hash = (budget: string) => createHmac('sha256', key).update(budget.toLowerCase()).digest('base64url');

  /**
   * Whether this mail may be sent; also true if Redis cannot count, because a notice matters more than the
   * limit.
   */
  return async (mailId: string, budget: string): Promise<boolean> => {
    const command = redis.eval(COUNT, { keys: [`notices:${hash(budget)}`], arguments: [mailId] });
    return await withRedisTimeout(command).then(
      (count) => count === 1,
      () => true,
    );
  };
};

export type NoticeLimit = ReturnType<typeof createNoticeLimit>;
