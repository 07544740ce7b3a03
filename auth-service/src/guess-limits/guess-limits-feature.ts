import type { Secret } from '@platform/shared/config/secrets';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { Base } from '../infrastructure.ts';
import { createChangeLimitService } from './change-limits-service.ts';
import { createCodeTryStore } from './code-tries-store.ts';
import type { FailureStore } from './failures-store.ts';
import { createGuessLimitService } from './guess-limits-service.ts';

type Stores = { failures: FailureStore; outbox: MailOutbox };

export const createGuessLimitsFeature = (base: Base<Stores, { codeSecret: Secret }>) => {
  const hashes = createKeyedHashes(base.config.codeSecret);
  const codeTries = createCodeTryStore(base.redis, hashes);
  return {
    codeTries,
    guessLimits: createGuessLimitService({ ...base, hash: hashes[0], codeTries }),
    changeLimits: createChangeLimitService(),
  };
};

export type GuessLimitsFeature = ReturnType<typeof createGuessLimitsFeature>;
