import { createPendingChangeStore } from '@platform/auth-service/own-account/own-account-store';
import { TOTP_SET_UP_SECONDS } from '@platform/auth-service/second-factor/second-factor';
import { createNoticeKeys } from '@platform/mailer-worker/delivery/notice-limit';
import type { Secret } from '@platform/shared/config/secrets';
import { createInTransaction, type Database } from '@platform/shared/db/database';
import { createCipher } from '@platform/shared/encryption/cipher';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { passTimeOfKeys } from '@platform/shared/testing/pass-time';
import { createAccountKeyStore } from './account-keys-store.ts';
import { createAccountTimeStore } from './account-times-store.ts';
import { createAgeService } from './age-service.ts';

type Dependencies = {
  /** The connection has the login of the owner. */
  database: Database;
  redis: RedisClient;
  /** Of the services. */
  config: { codeSecret: Secret; proofSeconds: number };
};

export const createTimeFeature = ({ database, redis, config }: Dependencies) => {
  const { codeSecret, proofSeconds } = config;
  const hashes = createKeyedHashes(codeSecret);
  const accountKeys = createAccountKeyStore({
    redis,
    hashes,
    noticeKey: createNoticeKeys(codeSecret),
    pendingChanges: createPendingChangeStore(redis, createCipher(codeSecret, 'pending e-mail')),
  });
  return createAgeService({
    inTransaction: createInTransaction(database, createAccountTimeStore),
    accountKeys,
    hashes,
    durations: { proofSeconds, setUpSeconds: TOTP_SET_UP_SECONDS },
    passTimeOfKeys: (keys, seconds) => passTimeOfKeys(redis, keys, seconds),
  });
};
