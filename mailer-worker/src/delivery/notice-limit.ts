import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@platform/shared/config/secrets';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';

/**
 * Notices that strangers can trigger. Codes, contact forms and notices of a change are always sent, because
 * the services limit their causes.
 */
export const LIMITED_NOTICES = [
  'email-change-taken',
  'guessing-paused',
  'new-device',
  'wrong-factors',
] as const satisfies Mail['template'][];
type LimitedNotice = (typeof LIMITED_NOTICES)[number];

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

export const isLimitedNotice = (template: Mail['template']): template is LimitedNotice =>
  LIMITED_NOTICES.some((limited) => limited === template);

/** Counts the limited notices of each subject under a keyed hash. A new secret resets the counts. */
export const createNoticeLimit = (redis: Pick<RedisClient, 'eval'>, { current }: Secret) => {
  const key = Buffer.from(hkdfSync('sha256', current, '', 'notice recipient', 32));
  const hash = (subject: string) =>
    createHmac('sha256', key).update(subject.toLowerCase()).digest('base64url');

  /**
   * Whether this mail may be sent; also true if Redis cannot count, because a notice matters more than the
   * limit. The subject is the id of the user whose account the notice concerns. Otherwise it is the
   * recipient, so that strangers cannot use up the notices of the account.
   */
  return async (mailId: string, subject: string): Promise<boolean> => {
    const command = redis.eval(COUNT, { keys: [`notices:${hash(subject)}`], arguments: [mailId] });
    return await withRedisTimeout(command).then(
      (count) => count === 1,
      () => true,
    );
  };
};

export type NoticeLimit = ReturnType<typeof createNoticeLimit>;
