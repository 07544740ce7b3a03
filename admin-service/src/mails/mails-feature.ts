import type { Secret } from '@platform/shared/config/secrets';
import { unavailable } from '@platform/shared/errors/app-error';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import type { ServiceScopes } from '@platform/shared/platform/services/service-scopes';
import type { Base } from '../infrastructure.ts';
import { internalMailRoutes } from './internal-mails-routes.ts';
import type { QueueAdapter } from './mail-queue-adapter.ts';
import {
  createMailsOfUserService,
  type UserMailLists,
  type UserMailStores,
} from './mails-of-user-service.ts';
import { mailRoutes } from './mails-routes.ts';
import { createMailService, type MailStores } from './mails-service.ts';
import type { LinkTargets } from './service-mail.ts';
import { createServiceMailService, type ServiceMailStores } from './service-mails-service.ts';

type Config = {
  redisUrl: string | undefined;
  queueRedisUrl: string | undefined;
  codeSecret: Secret;
  mailLinkTargets: LinkTargets;
  serviceScopes: ServiceScopes;
};

/** The first request to the mails loads the packages of the queue and connects, because few need them. */
export const createMailsFeature = (
  base: Base<MailStores & ServiceMailStores & UserMailStores, Config, UserMailLists>,
) => {
  const { redisUrl, queueRedisUrl, codeSecret, mailLinkTargets, serviceScopes } = base.config;
  const senders = [...serviceScopes]
    .filter(([, scopes]) => scopes.includes('mails:send'))
    .map(([name]) => name);
  const countAccepted = base.metrics.counter(
    'service_mails_total',
    'Mails that another service has created',
    { caller: senders },
  );
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
    if (queueRedisUrl === undefined)
      throw unavailable('The mails are unavailable', new Error('REDIS_URL is not set'));
    queue ??= create(queueRedisUrl);
    return await queue;
  };
  const mails = createMailService({ ...base, openQueue });
  return {
    routes: mailRoutes(mails, createMailsOfUserService({ ...base, mails })),
    listFailedCodes: mails.listFailedCodes,
    internalRoutes: internalMailRoutes(
      createServiceMailService({ ...base, linkTargets: mailLinkTargets, countAccepted }),
    ),
    close: async (): Promise<void> => (await queue)?.close(),
  };
};
