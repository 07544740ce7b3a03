import type { Infrastructure } from '../infrastructure.ts';
import { createFailureMemory, createFailureStore } from './failures-store.ts';
import { createKeyedHashes } from './guess-limits.ts';
import { createGuessLimitService } from './guess-limits-service.ts';

export const createGuessLimitsFeature = ({ config, redis, stores, background }: Infrastructure) => {
  const [hash] = createKeyedHashes(config.codeSecret);
  return createGuessLimitService({
    stores,
    failures: createFailureStore(redis),
    memory: createFailureMemory(),
    hash,
    background,
  });
};
