import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { BotCheckSettings } from '@platform/shared/platform/bot-check/bot-check-settings';
import type { Base } from '../infrastructure.ts';

type Config = { botCheck: BotCheckSettings | undefined; redisUrl: string | undefined };

/** Verifies solutions of challenges of auth-service, and loads what this needs only if bots are checked. */
export const createBotCheckFeature = async ({
  config,
  log,
  metrics,
}: Pick<Base<unknown, Config>, 'config' | 'log' | 'metrics'>) => {
  const { botCheck, redisUrl } = config;
  if (!botCheck || redisUrl === undefined) return { close: () => undefined };
  const { connectRedis } = await import('@platform/shared/redis/redis');
  const { createBotCheck } = await import('@platform/shared/platform/bot-check/bot-check');
  // The Redis of auth-service, so that a solution is good once for both services.
  const redis = connectRedis(redisUrl, createErrorLog(log, 'redis connection lost'));
  const { requireSolution } = createBotCheck({ ...botCheck, redis, metrics });
  return { requireSolution, close: () => redis.destroy() };
};
