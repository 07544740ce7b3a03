import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@platform/shared/config/secrets';
import type { NoticeMail } from '@platform/shared/platform/mail/mail';
import { toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';

/** Notices of events at the user's account, whose number the services do not limit. */
const EVENTS: readonly NoticeMail['template'][] = ['guessing-paused', 'new-device', 'wrong-factors'];

// The first line of a script names it in traces. The member is the id of the mail, so retries count once.
// KEYS: budgets. ARGV: id of the mail, then limit and seconds of each budget. Counts at all of them or at none.
const COUNT = `-- count-notice
  local now = tonumber(redis.call('TIME')[1])
  for i, key in ipairs(KEYS) do
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[2 * i + 1])
    if redis.call('ZSCORE', key, ARGV[1]) then return 1 end
    if redis.call('ZCARD', key) >= tonumber(ARGV[2 * i]) then return 0 end
  end
  for i, key in ipairs(KEYS) do
    redis.call('ZADD', key, now, ARGV[1])
    redis.call('EXPIRE', key, ARGV[2 * i + 1])
  end
  return 1`;

/** How many notices are sent to a user or a recipient. */
type NoticeBudget = { subject: string; limit: number; seconds: number };

const tenAnHour = (subject: string): NoticeBudget => ({ subject, limit: 10, seconds: 3_600 });

/**
 * The budgets for which the notice counts. None for a notice that is always sent: the services limit how often
 * a user can change an account.
 * @param userId the user whose account the notice concerns
 */
export const findNoticeBudgets = (mail: NoticeMail, userId: string | undefined): NoticeBudget[] => {
  const { template, to } = mail;
  if (template === 'wrong-kind')
    return [{ subject: `${template} ${to}`, limit: 1, seconds: 24 * 3_600 }, tenAnHour(to)];
  // Strangers can cause these as often as they like, by requesting the address for an account, or by signing
  // up with it, again after each deletion. They must not use up the notices of the user who owns the address.
  if (!('isEmailVerified' in mail && mail.isEmailVerified)) return [tenAnHour(to)];
  return EVENTS.includes(template) ? [tenAnHour(userId ?? to)] : [];
};

/** The keys are keyed hashes. A new secret resets the counts. */
export const createNoticeKeys = ({ current }: Secret) => {
  const key = Buffer.from(hkdfSync('sha256', current, '', 'notice recipient', 32));
  return ({ subject }: Pick<NoticeBudget, 'subject'>): string =>
    toRedisKey('notices:*', createHmac('sha256', key).update(subject.toLowerCase()).digest('base64url'));
};

/** Counts the notices of each budget. */
export const createNoticeLimit = (redis: Pick<RedisClient, 'eval'>, secret: Secret) => {
  const toKey = createNoticeKeys(secret);

  /**
   * Whether this mail may be sent; also true if Redis cannot count, because a notice matters more than the
   * limit.
   */
  return async (mailId: string, budgets: readonly NoticeBudget[]): Promise<boolean> => {
    if (budgets.length === 0) return true;
    const keys = budgets.map(toKey);
    const limits = budgets.flatMap(({ limit, seconds }) => [String(limit), String(seconds)]);
    const command = redis.eval(COUNT, { keys, arguments: [mailId, ...limits] });
    return await withRedisTimeout(command).then(
      (count) => count === 1,
      () => true,
    );
  };
};

export type NoticeLimit = ReturnType<typeof createNoticeLimit>;
