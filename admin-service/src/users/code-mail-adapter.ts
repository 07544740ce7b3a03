import type { Secret } from '@platform/shared/config/secrets';
import { createCodeSender, type SendCode } from '@platform/shared/platform/codes/code-sender';
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
    /** The first call connects. @throws AppError 429 RESEND_LOCKED, 503 */
    send: (async (...sending) => {
      for (const each of [redis, queueRedis]) await untilReady(each).catch(() => undefined);
      return await send(...sending);
    }) satisfies SendCode,

    close: async (): Promise<void> => {
      await mailQueue.close();
      redis.destroy();
      if (queueRedis !== redis) queueRedis.destroy();
    },
  };
};

export type CodeMailAdapter = ReturnType<typeof createCodeMailAdapter>;
