import type { Background } from '@platform/shared/async/tasks';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { AuthConfig } from '../config.ts';
import type { Stores } from '../stores.ts';
import { createFailureMemory, createFailureStore } from './failures-store.ts';
import { createKeyedHashes } from './guess-limits.ts';
import { createGuessLimitService } from './guess-limits-service.ts';

type Dependencies = { config: AuthConfig; redis: RedisClient; stores: Stores; background: Background };

/** Part of the infrastructure: the other features limit guesses by it. */
export const createGuessLimits = ({ config, redis, stores, background }: Dependencies) => {
  const [hash] = createKeyedHashes(config.codeSecret);
  const [failures, memory] = [createFailureStore(redis), createFailureMemory()];
  return createGuessLimitService({ stores, failures, memory, hash, background });
};
