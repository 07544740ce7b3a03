import type { Secret } from '@platform/shared/config/secrets';
import { unavailable } from '@platform/shared/errors/app-error';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import type { Base } from '../infrastructure.ts';
import type { CodeMailAdapter } from './code-mail-adapter.ts';
import type { PendingChangeAdapter } from './pending-change-adapter.ts';
import { createUserAccessService, type UserAccessStores } from './user-access-service.ts';
import { createUserDataService, type UserDataStores } from './user-data-service.ts';
import { userAccessRoutes, userDataRoutes, userMailRoutes } from './user-help-routes.ts';
import { createUserMailService } from './user-mails-service.ts';
import { internalUserRoutes, userRoutes } from './users-routes.ts';
import { createUserService, type UserLists, type UserStores } from './users-service.ts';

type Config = {
  adminAllowedDomains: readonly string[];
  secondFactorRequiredFor: readonly PlatformRole[];
  redisUrl: string | undefined;
  queueRedisUrl: string | undefined;
  codeSecret: Secret;
};

/** The first deletion or code loads the Redis client and connects, because few processes need it. */
export const createUsersFeature = (
  base: Base<UserStores & UserAccessStores & UserDataStores, Config, UserLists>,
) => {
  const { redisUrl } = base.config;
  const onError = createErrorLog(base.log, 'redis connection lost');
  let pendingChanges: Promise<PendingChangeAdapter> | undefined;
  const open = async (url: string): Promise<PendingChangeAdapter> => {
    const { createPendingChangeAdapter } = await import('./pending-change-adapter.ts');
    return createPendingChangeAdapter(url, onError);
  };
  const removePendingChange = async (userId: string): Promise<void> => {
    if (redisUrl === undefined) return;
    pendingChanges ??= open(redisUrl);
    await (await pendingChanges).remove(userId);
  };
  let codeMails: Promise<CodeMailAdapter> | undefined;
  const connectCodeMails = async (): Promise<CodeMailAdapter> => {
    const { queueRedisUrl = redisUrl, codeSecret } = base.config;
    if (redisUrl === undefined || queueRedisUrl === undefined)
      throw unavailable('Codes are unavailable', new Error('REDIS_URL is not set'));
    const { createCodeMailAdapter } = await import('./code-mail-adapter.ts');
    return createCodeMailAdapter({ redisUrl, queueRedisUrl, codeSecret, onError });
  };
  const openCodeMails = (): Promise<CodeMailAdapter> => {
    codeMails ??= connectCodeMails();
    return codeMails;
  };
  const [hash] = createKeyedHashes(base.config.codeSecret);
  const users = createUserService({ ...base, removePendingChange, hash });
  return {
    routes: {
      ...userRoutes(users),
      ...userAccessRoutes(createUserAccessService({ ...base, hash })),
      ...userDataRoutes(createUserDataService(base)),
      ...userMailRoutes(createUserMailService({ ...base, openCodeMails })),
    },
    internalRoutes: internalUserRoutes(users),
    close: async (): Promise<void> => {
      (await pendingChanges)?.close();
      await (await codeMails?.catch(() => undefined))?.close();
    },
  };
};
