import type { Secret } from '@platform/shared/config/secrets';
import { unavailable } from '@platform/shared/errors/app-error';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { Base } from '../infrastructure.ts';
import type { CodeMailAdapter } from './code-mail-adapter.ts';
import { userMailRoutes } from './user-mails-routes.ts';
import { createUserMailService, type UserMailStores } from './user-mails-service.ts';

type Config = { redisUrl: string | undefined; queueRedisUrl: string | undefined; codeSecret: Secret };

/** The first code loads the Redis client and connects, because few processes need it. */
export const createUserMailsFeature = (base: Base<UserMailStores, Config>) => {
  let codeMails: Promise<CodeMailAdapter> | undefined;
  const connect = async (): Promise<CodeMailAdapter> => {
    const { redisUrl, queueRedisUrl = redisUrl, codeSecret } = base.config;
    if (redisUrl === undefined || queueRedisUrl === undefined)
      throw unavailable('Codes are unavailable', new Error('REDIS_URL is not set'));
    const { createCodeMailAdapter } = await import('./code-mail-adapter.ts');
    const onError = createErrorLog(base.log, 'redis connection lost');
    return createCodeMailAdapter({ redisUrl, queueRedisUrl, codeSecret, onError });
  };
  const openCodeMails = (): Promise<CodeMailAdapter> => {
    codeMails ??= connect();
    return codeMails;
  };
  return {
    routes: userMailRoutes(createUserMailService({ ...base, openCodeMails })),
    close: async (): Promise<void> => {
      await (await codeMails?.catch(() => undefined))?.close();
    },
  };
};
