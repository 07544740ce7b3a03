import type { Secret } from '@platform/shared/config/secrets';
import { unavailable } from '@platform/shared/errors/app-error';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import type { Base } from '../infrastructure.ts';
import type { QueueAdapter } from './mail-queue-adapter.ts';
import { mailRoutes } from './mails-routes.ts';
import { createMailService, type MailStores } from './mails-service.ts';

type Config = { redisUrl: string | undefined; queueRedisUrl: string | undefined; codeSecret: Secret };

/** The first request to the mails loads the packages of the queue and connects, because few need them. */
export const createMailsFeature = (base: Base<MailStores, Config>) => {
  const { redisUrl, queueRedisUrl, codeSecret } = base.config;
  const onError = createErrorLog(base.log, 'redis connection lost');
  let queue: Promise<QueueAdapter> | undefined;
  const create = async (url: string): Promise<QueueAdapter> => {
    const { createQueueAdapter } = await import('./mail-queue-adapter.ts');
    return createQueueAdapter({
      queueRedisUrl: url,
      redisUrl,
      cipher: createMailCipher(codeSecret),
      onError,
    });
  };
  const openQueue = async (): Promise<QueueAdapter> => {
    if (queueRedisUrl === undefined) throw unavailable('The mails are unavailable: REDIS_URL is not set');
    queue ??= create(queueRedisUrl);
    return await queue;
  };
  return {
    routes: mailRoutes(createMailService({ ...base, openQueue })),
    close: async (): Promise<void> => (await queue)?.close(),
  };
};
