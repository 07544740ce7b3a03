import type { Background } from '@platform/shared/async/background';
import type { Database } from '@platform/shared/db/database';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { Stores } from '../stores.ts';
import { createFailureMemory, createFailureStore } from './failures-store.ts';
import { createGuessLimits } from './guess-limits-service.ts';
import { createGuessNotice } from './guess-notice-service.ts';
import { createPausedAccountStore } from './paused-accounts-store.ts';

type Needs = {
  database: Database;
  redis: RedisClient;
  stores: Stores;
  hashEmail: (email: string) => string;
  background: Background;
};

export const composeGuessLimits = ({ database, redis, stores, hashEmail, background }: Needs) =>
  createGuessLimits({
    failures: createFailureStore(redis),
    memory: createFailureMemory(),
    pausedAccounts: createPausedAccountStore(database),
    hashEmail,
    hasSignedInFrom: stores.sessions.hasSignedInFrom,
    notifyOwner: createGuessNotice(stores, background),
  });
