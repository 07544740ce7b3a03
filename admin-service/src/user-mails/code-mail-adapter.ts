import type { Secret } from '@platform/shared/config/secrets';
import { createCodeSender } from '@platform/shared/platform/codes/code-sender';
import { createEmailCodeStore } from '@platform/shared/platform/codes/email-codes-store';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import { connectRedis, untilReady } from '@platform/shared/redis/redis';

type Options = {
  /** Where auth-service stores codes. */
  redisUrl: string;
  queueRedisUrl: string;
  codeSecret: Secret;
  onError: (error: Error) => void;
};

/** Sends codes as auth-service does. */
export const createCodeMailAdapter = ({ redisUrl, queueRedisUrl, codeSecret, onError }: Options) => {
  const redis = connectRedis(redisUrl, onError);
  const queueRedis = queueRedisUrl === redisUrl ? redis : connectRedis(queueRedisUrl, onError);
  const mailQueue = createMailQueue(queueRedis, createMailCipher(codeSecret));
  const send = createCodeSender({
    codes: createEmailCodeStore(redis, createKeyedHashes(codeSecret)),
    mailQueue,
  });
  return {
    /** Waits for the connections, at most two seconds: `send` fails at once without them. */
    ready: async (): Promise<void> => {
      await Promise.allSettled([redis, queueRedis].map(untilReady));
    },

    /** @throws AppError 429 RESEND_LOCKED, 503 */
    send,

    close: async (): Promise<void> => {
      await mailQueue.close();
      redis.destroy();
      if (queueRedis !== redis) queueRedis.destroy();
    },
  };
};

export type CodeMailAdapter = ReturnType<typeof createCodeMailAdapter>;
