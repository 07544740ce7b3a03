import { databaseUrl, httpUrl, isUnencrypted, originList, redisUrl } from '@platform/shared/config/addresses';
import {
  ConfigError,
  domainList,
  type Environment,
  integer,
  lifetimeSeconds,
  list,
  onOff,
  port,
  productName,
  readEnvironment,
  text,
  toNumber,
} from '@platform/shared/config/env';
import { findPages, listPageCallbacks, pagesVariables, readPages } from '@platform/shared/config/pages';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { readSecrets, type Secret, secretVariables } from '@platform/shared/config/secrets';
import { platformRoleList } from '@platform/shared/platform/access/platform-role';
import { proofVariables } from '@platform/shared/platform/access/recent-proof';
import { botCheckVariables, readBotCheck } from '@platform/shared/platform/bot-check/bot-check-settings';
import { readServiceScopes } from '@platform/shared/platform/services/service-scopes';
import { nameServiceSecrets, readServiceSecrets } from '@platform/shared/platform/services/service-secrets';
import { HEADERS_KIB_BEHIND_GATEWAY } from '@platform/shared/server/api-server';
import type { CleanedEnv } from 'envalid';
import type { TokenSettings } from './kinds.ts';
import { oidcVariables, readOidcSettings } from './oidc/oidc-settings.ts';
import { MAX_BCRYPT_COST } from './passwords/target-cost.ts';
import { toWebauthnSettings } from './webauthn/webauthn-settings.ts';

const SECRETS = [
  'JWT_CUSTOMER_ACCESS_SECRET_KEY',
  'JWT_CUSTOMER_REFRESH_SECRET_KEY',
  'JWT_EMPLOYEE_ACCESS_SECRET_KEY',
  'JWT_EMPLOYEE_REFRESH_SECRET_KEY',
  'JWT_ADMIN_ACCESS_SECRET_KEY',
  'JWT_ADMIN_REFRESH_SECRET_KEY',
  'CODE_SECRET_KEY',
  'SECOND_FACTOR_KEY',
] as const;

/** Also read by `npm run role:assign`. */
export const allowedDomainVariables = { ADMIN_ALLOWED_DOMAINS: domainList() };

/** Also read by `npm run users:import`. */
export const hashCostVariables = { BCRYPT_COST: integer(12, 4, MAX_BCRYPT_COST) };

const lifetimes = {
  JWT_CUSTOMER_ACCESS_EXPIRES_IN: lifetimeSeconds(3_600),
  JWT_CUSTOMER_REFRESH_EXPIRES_IN: lifetimeSeconds(7_200),
  JWT_EMPLOYEE_ACCESS_EXPIRES_IN: lifetimeSeconds(3_600),
  JWT_EMPLOYEE_REFRESH_EXPIRES_IN: lifetimeSeconds(7_200),
  JWT_ADMIN_ACCESS_EXPIRES_IN: lifetimeSeconds(3_600),
  JWT_ADMIN_REFRESH_EXPIRES_IN: lifetimeSeconds(7_200),
};
/** Seconds that a refresh token lives for who chose to stay signed in; 0 does not offer the choice. */
const staySeconds = integer(2_592_000, 0, 10 * 365 * 24 * 3_600);
const stayVariables = {
  JWT_CUSTOMER_STAY_EXPIRES_IN: staySeconds,
  JWT_EMPLOYEE_STAY_EXPIRES_IN: staySeconds,
};
type Lifetimes = Record<keyof typeof lifetimes, number>;

const variables = {
  ...secretVariables(SECRETS),
  ...processVariables,
  AUTH_API_PORT: port(3001),
  AUTH_OPS_PORT: port(9301),
  DATABASE_URL: databaseUrl(),
  DATABASE_CONNECTIONS: integer(10, 1, 200),
  ...lifetimes,
  ...stayVariables,
  ...allowedDomainVariables,
  ADMIN_REGISTRATION: text({ choices: ['open', 'closed'], default: 'open' }),
  REDIS_URL: redisUrl(),
  QUEUE_REDIS_URL: redisUrl({ default: undefined }),
  ...hashCostVariables,
  PASSWORD_QUEUE_LIMIT: integer(64, 1, 10_000),
  REFRESH_REUSE_LEEWAY_SECONDS: integer(10, 0, 300),
  /** Seconds after the sign-in at which a session ends, even if it is refreshed; 0 sets no limit. */
  SESSION_MAX_AGE: integer(0, 0, 10 * 365 * 24 * 3_600),
  PASSWORD_BLOCKLIST: onOff('on'),
  BREACHED_PASSWORDS_URL: httpUrl({ default: undefined }),
  SECOND_FACTOR_REQUIRED_FOR: platformRoleList({ default: [] }),
  ...proofVariables,
  WEBAUTHN_RP_ID: text({ default: undefined }),
  WEBAUTHN_ORIGINS: list({ default: [] }),
  ...oidcVariables,
  ...pagesVariables,
  /** Mails of codes may lead back to these origins; the gateway has the same setting. */
  ACCOUNT_RETURN_ORIGINS: originList({ default: [] }),
  ...botCheckVariables,
  EMAIL_CODE_SIGN_IN: onOff('on'),
  SIGN_UP: onOff('on'),
  NEW_DEVICE_CODE: onOff('off'),
  NEW_DEVICE_NOTICE: onOff('off'),
  PRODUCT_NAME: productName,
};

/** OWASP's minimum for bcrypt. */
const MIN_PRODUCTION_COST = 10;

/** @throws ConfigError that names the variables whose value is only for development */
const rejectInProduction = (env: CleanedEnv<typeof variables>): void => {
  const { NODE_ENV, BCRYPT_COST: cost, BREACHED_PASSWORDS_URL: url } = env;
  if (NODE_ENV !== 'production') return;
  const problems = [
    ...(cost < MIN_PRODUCTION_COST ? [`BCRYPT_COST must be at least ${MIN_PRODUCTION_COST}`] : []),
    ...(url !== undefined && isUnencrypted(url) ? ['BREACHED_PASSWORDS_URL must use https'] : []),
  ];
  if (problems.length > 0) throw new ConfigError(`${problems.join('; ')} with NODE_ENV=production`);
};

/** The pages of the gateway may use passkeys and providers without being listed. @throws ConfigError */
const readWebauthn = (env: CleanedEnv<typeof variables>) => toWebauthnSettings(env, findPages(env).origin);
const readOidc = (environment: Environment, env: CleanedEnv<typeof variables>) =>
  readOidcSettings(environment, env, listPageCallbacks(findPages(env)));

/** A lifetime that is not a number is replaced by the default, which the operator may not have intended. */
const findWarnings = (environment: Environment, seconds: Lifetimes): string[] =>
  (Object.keys(lifetimes) as (keyof typeof lifetimes)[]).flatMap((name) => {
    const { [name]: value } = environment;
    const isIgnored = value && Number.isNaN(toNumber(value));
    return isIgnored ? [`${name}: "${value}" is not a number, so the lifetime is ${seconds[name]} s`] : [];
  });

const toTokenSettings = (
  name: 'CUSTOMER' | 'EMPLOYEE' | 'ADMIN',
  secrets: Record<(typeof SECRETS)[number], Secret>,
  seconds: Lifetimes,
  staySeconds: number,
): TokenSettings => ({
  accessSecret: secrets[`JWT_${name}_ACCESS_SECRET_KEY`],
  accessSeconds: seconds[`JWT_${name}_ACCESS_EXPIRES_IN`],
  refreshSecret: secrets[`JWT_${name}_REFRESH_SECRET_KEY`],
  refreshSeconds: seconds[`JWT_${name}_REFRESH_EXPIRES_IN`],
  staySeconds,
});

/** @throws ConfigError that names every missing or invalid variable */
export const readConfig = (environment: Environment) => {
  const env = readEnvironment(environment, variables, [
    rejectInProduction,
    (values) => readSecrets(values, [...SECRETS, 'BOT_CHECK_KEY']),
    readBotCheck,
    readPages,
    readWebauthn,
    (values) => readOidc(environment, values),
    (values) => readServiceScopes(environment, readServiceSecrets(environment, values)),
  ]);
  const secrets = readSecrets(env, [...SECRETS, 'BOT_CHECK_KEY']);
  const serviceSecrets = readServiceSecrets(environment, env);
  return {
    ...toProcessConfig(env),
    secrets: { ...secrets, ...nameServiceSecrets(serviceSecrets) },
    apiPort: { variable: 'AUTH_API_PORT', number: env.AUTH_API_PORT },
    opsPort: { variable: 'AUTH_OPS_PORT', number: env.AUTH_OPS_PORT },
    warnings: findWarnings(environment, env),
    headersKib: HEADERS_KIB_BEHIND_GATEWAY,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    primaryConnections: env.DATABASE_CONNECTIONS,
    redisUrl: env.REDIS_URL,
    queueRedisUrl: env.QUEUE_REDIS_URL ?? env.REDIS_URL,
    codeSecret: secrets.CODE_SECRET_KEY,
    tokens: {
      customer: toTokenSettings('CUSTOMER', secrets, env, env.JWT_CUSTOMER_STAY_EXPIRES_IN),
      employee: toTokenSettings('EMPLOYEE', secrets, env, env.JWT_EMPLOYEE_STAY_EXPIRES_IN),
      administrator: toTokenSettings('ADMIN', secrets, env, 0),
    },
    adminAllowedDomains: env.ADMIN_ALLOWED_DOMAINS,
    isBootstrapOpen: env.ADMIN_REGISTRATION === 'open',
    bcryptCost: env.BCRYPT_COST,
    passwordQueueLimit: env.PASSWORD_QUEUE_LIMIT,
    reuseLeewaySeconds: env.REFRESH_REUSE_LEEWAY_SECONDS,
    /** If undefined, there is no limit. */
    sessionMaxAgeSeconds: env.SESSION_MAX_AGE || undefined,
    rejectCommonPasswords: env.PASSWORD_BLOCKLIST === 'on',
    /** A k-anonymity range API; undefined if there is none. */
    breachedPasswordsUrl: env.BREACHED_PASSWORDS_URL,
    secondFactorKey: secrets.SECOND_FACTOR_KEY,
    /** A user with one of these roles who signed in with one factor may only set up a second one. */
    secondFactorRequiredFor: env.SECOND_FACTOR_REQUIRED_FOR,
    adminProofSeconds: env.ADMIN_PROOF_SECONDS,
    /** If undefined, passkeys are disabled. */
    webauthn: readWebauthn(env),
    oidc: readOidc(environment, env),
    serviceSecrets,
    serviceScopes: readServiceScopes(environment, serviceSecrets),
    /** If undefined, bots are not checked. */
    botCheck: readBotCheck(env),
    /** Whether new customers and employees may sign up, also with a provider. */
    isSignUpOpen: env.SIGN_UP === 'on',
    /** Whether customers and employees may sign in with a mailed code. */
    offersEmailCodes: env.EMAIL_CODE_SIGN_IN === 'on',
    /** Whether the password of a customer or employee needs a mailed code on a new device. */
    newDeviceCode: env.NEW_DEVICE_CODE === 'on',
    newDeviceNotice: env.NEW_DEVICE_NOTICE === 'on',
    productName: env.PRODUCT_NAME,
    returnOrigins: env.ACCOUNT_RETURN_ORIGINS,
    validateResponses: env.NODE_ENV !== 'production',
  };
};

export type AuthConfig = ReturnType<typeof readConfig>;
