import { databaseUrl, httpUrl, mailAddress, originList, redisUrl } from '@platform/shared/config/addresses';
import {
  ConfigError,
  domainList,
  type Environment,
  integer,
  port,
  readEnvironment,
} from '@platform/shared/config/env';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { readSecrets, secretVariables } from '@platform/shared/config/secrets';
import { platformRoleList } from '@platform/shared/platform/access/platform-role';
import { proofVariables } from '@platform/shared/platform/access/recent-proof';
import {
  type BotCheckVariables,
  botCheckVariables,
  readBotCheck,
} from '@platform/shared/platform/bot-check/bot-check-settings';
import { readServiceScopes } from '@platform/shared/platform/services/service-scopes';
import { nameServiceSecrets, readServiceSecrets } from '@platform/shared/platform/services/service-secrets';
import { HEADERS_KIB_BEHIND_GATEWAY } from '@platform/shared/server/api-server';

const SECRETS = ['JWT_ADMIN_ACCESS_SECRET_KEY', 'CODE_SECRET_KEY'] as const;

const variables = {
  ...processVariables,
  ADMIN_API_PORT: port(3002),
  ADMIN_OPS_PORT: port(9302),
  DATABASE_URL: databaseUrl(),
  /** A read replica for lists, searches and the audit log. */
  DATABASE_READ_URL: databaseUrl({ default: undefined }),
  DATABASE_CONNECTIONS: integer(10, 1, 200),
  ...secretVariables(SECRETS),
  /** The platform roles that require a sign-in with two factors; auth-service has the same setting. */
  SECOND_FACTOR_REQUIRED_FOR: platformRoleList({ default: [] }),
  ...proofVariables,
  /** The e-mail domains of administrators; auth-service has the same setting. */
  ADMIN_ALLOWED_DOMAINS: domainList(),
  CONTACT_INBOX: mailAddress(),
  /** The URL of the platform, which is the source of its events. */
  PUBLIC_URL: httpUrl({ default: undefined }),
  /** Mails of other services may have links to these origins; the gateway has the same setting. */
  ACCOUNT_RETURN_ORIGINS: originList({ default: [] }),
  /** The mails, the bot check and deletions use Redis. */
  REDIS_URL: redisUrl({ default: undefined }),
  QUEUE_REDIS_URL: redisUrl({ default: undefined }),
  ...botCheckVariables,
};

/** Solutions are good once, which Redis knows. @throws ConfigError */
const requireRedisForBotCheck = (env: BotCheckVariables & { REDIS_URL: string | undefined }): void => {
  if (readBotCheck(env) && env.REDIS_URL === undefined)
    throw new ConfigError('REDIS_URL is required with BOT_CHECK');
};

/** @throws ConfigError that names all missing and invalid variables. */
export const readConfig = (environment: Environment) => {
  const env = readEnvironment(environment, variables, [
    (values) => readSecrets(values, [...SECRETS, 'BOT_CHECK_KEY']),
    requireRedisForBotCheck,
    (values) => readServiceScopes(environment, readServiceSecrets(environment, values)),
  ]);
  const secrets = readSecrets(env, [...SECRETS, 'BOT_CHECK_KEY']);
  const serviceSecrets = readServiceSecrets(environment, env);
  // Few connections, so that searches, which may read a whole table, leave processors to everything else.
  const searches = Math.ceil(env.DATABASE_CONNECTIONS / 4);
  const lists = Math.max(1, env.DATABASE_CONNECTIONS - searches);
  // Twice DATABASE_CONNECTIONS in total. A read replica has separate connections for lists and searches.
  const databaseConnections = { short: env.DATABASE_CONNECTIONS, lists, searches };
  return {
    ...toProcessConfig(env),
    secrets: { ...secrets, ...nameServiceSecrets(serviceSecrets) },
    apiPort: { variable: 'ADMIN_API_PORT', number: env.ADMIN_API_PORT },
    opsPort: { variable: 'ADMIN_OPS_PORT', number: env.ADMIN_OPS_PORT },
    headersKib: HEADERS_KIB_BEHIND_GATEWAY,
    databaseUrl: env.DATABASE_URL,
    databaseReadUrl: env.DATABASE_READ_URL,
    databaseConnections,
    primaryConnections: Object.values(databaseConnections).reduce((sum, size) => sum + size),
    accessSecret: secrets.JWT_ADMIN_ACCESS_SECRET_KEY,
    codeSecret: secrets.CODE_SECRET_KEY,
    serviceSecrets,
    serviceScopes: readServiceScopes(environment, serviceSecrets),
    secondFactorRequiredFor: env.SECOND_FACTOR_REQUIRED_FOR,
    adminProofSeconds: env.ADMIN_PROOF_SECONDS,
    adminAllowedDomains: env.ADMIN_ALLOWED_DOMAINS,
    contactInbox: env.CONTACT_INBOX,
    /** If undefined, bots are not checked. */
    botCheck: readBotCheck(env),
    eventSource: env.PUBLIC_URL ?? '/marketplace',
    mailLinkTargets: {
      platformOrigin: env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin,
      returnOrigins: env.ACCOUNT_RETURN_ORIGINS,
      allowsLoopback: env.NODE_ENV !== 'production',
    },
    /** Where auth-service stores codes. */
    redisUrl: env.REDIS_URL,
    queueRedisUrl: env.QUEUE_REDIS_URL ?? env.REDIS_URL,
    validateResponses: env.NODE_ENV !== 'production',
  };
};

export type AdminConfig = ReturnType<typeof readConfig>;
