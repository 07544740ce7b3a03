import {
  ConfigError,
  type Environment,
  lifetimeSeconds,
  list,
  port,
  processVariables,
  readEnvironment,
  secret,
  text,
  url,
  whole,
} from '@platform/shared/config/env';
import type { ProcessConfig } from '@platform/shared/http/serve';

const variables = {
  ...processVariables,
  AUTH_API_PORT: port(3001),
  AUTH_OPS_PORT: port(9301),
  DATABASE_URL: url(),
  DATABASE_CONNECTIONS: whole(10, 1, 200),
  JWT_CUSTOMER_ACCESS_SECRET_KEY: secret(),
  JWT_CUSTOMER_ACCESS_EXPIRES_IN: lifetimeSeconds(3_600),
  JWT_CUSTOMER_REFRESH_SECRET_KEY: secret(),
  JWT_CUSTOMER_REFRESH_EXPIRES_IN: lifetimeSeconds(7_200),
  JWT_EMPLOYEE_ACCESS_SECRET_KEY: secret(),
  JWT_EMPLOYEE_ACCESS_EXPIRES_IN: lifetimeSeconds(3_600),
  JWT_EMPLOYEE_REFRESH_SECRET_KEY: secret(),
  JWT_EMPLOYEE_REFRESH_EXPIRES_IN: lifetimeSeconds(7_200),
  JWT_ADMIN_ACCESS_SECRET_KEY: secret(),
  JWT_ADMIN_ACCESS_EXPIRES_IN: lifetimeSeconds(3_600),
  JWT_ADMIN_REFRESH_SECRET_KEY: secret(),
  JWT_ADMIN_REFRESH_EXPIRES_IN: lifetimeSeconds(7_200),
  ADMIN_ALLOWED_DOMAINS: list(),
  ADMIN_REGISTRATION: text({ choices: ['open', 'closed'], default: 'open' }),
  CODE_SECRET_KEY: secret(),
  REDIS_URL: url(),
  BCRYPT_COST: whole(12, 4, 16),
  PASSWORD_QUEUE_LIMIT: whole(64, 1, 10_000),
  REFRESH_REUSE_LEEWAY_SECONDS: whole(10, 0, 300),
};

const SECRETS = [
  'JWT_CUSTOMER_ACCESS_SECRET_KEY',
  'JWT_CUSTOMER_REFRESH_SECRET_KEY',
  'JWT_EMPLOYEE_ACCESS_SECRET_KEY',
  'JWT_EMPLOYEE_REFRESH_SECRET_KEY',
  'JWT_ADMIN_ACCESS_SECRET_KEY',
  'JWT_ADMIN_REFRESH_SECRET_KEY',
  'CODE_SECRET_KEY',
] as const;

/** With two secrets alike, a token of one kind or purpose would pass for another. */
const refuseEqualSecrets = (values: Record<(typeof SECRETS)[number], string>): void => {
  const equal = SECRETS.filter((name) =>
    SECRETS.some((other) => other !== name && values[other] === values[name]),
  );
  if (equal.length > 0) throw new ConfigError(`${equal.join(', ')} must all be different`);
};

export type TokenSettings = {
  accessSecret: string;
  accessSeconds: number;
  refreshSecret: string;
  refreshSeconds: number;
};

export type AuthConfig = ProcessConfig & {
  databaseUrl: string;
  databaseConnections: number;
  redisUrl: string;
  codeSecret: string;
  tokens: { customer: TokenSettings; employee: TokenSettings; administrator: TokenSettings };
  adminAllowedDomains: string[];
  isBootstrapOpen: boolean;
  bcryptCost: number;
  passwordQueueLimit: number;
  reuseLeewaySeconds: number;
  validateResponses: boolean;
};

/** @throws ConfigError naming everything that is missing or wrong. */
export const readConfig = (environment: Environment): AuthConfig => {
  const env = readEnvironment(environment, variables);
  refuseEqualSecrets(env);
  return {
    host: env.HOST,
    apiPort: { variable: 'AUTH_API_PORT', number: env.AUTH_API_PORT },
    opsPort: { variable: 'AUTH_OPS_PORT', number: env.AUTH_OPS_PORT },
    logLevel: env.LOG_LEVEL,
    drainSeconds: env.DRAIN_SECONDS,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    redisUrl: env.REDIS_URL,
    codeSecret: env.CODE_SECRET_KEY,
    tokens: {
      customer: {
        accessSecret: env.JWT_CUSTOMER_ACCESS_SECRET_KEY,
        accessSeconds: env.JWT_CUSTOMER_ACCESS_EXPIRES_IN,
        refreshSecret: env.JWT_CUSTOMER_REFRESH_SECRET_KEY,
        refreshSeconds: env.JWT_CUSTOMER_REFRESH_EXPIRES_IN,
      },
      employee: {
        accessSecret: env.JWT_EMPLOYEE_ACCESS_SECRET_KEY,
        accessSeconds: env.JWT_EMPLOYEE_ACCESS_EXPIRES_IN,
        refreshSecret: env.JWT_EMPLOYEE_REFRESH_SECRET_KEY,
        refreshSeconds: env.JWT_EMPLOYEE_REFRESH_EXPIRES_IN,
      },
      administrator: {
        accessSecret: env.JWT_ADMIN_ACCESS_SECRET_KEY,
        accessSeconds: env.JWT_ADMIN_ACCESS_EXPIRES_IN,
        refreshSecret: env.JWT_ADMIN_REFRESH_SECRET_KEY,
        refreshSeconds: env.JWT_ADMIN_REFRESH_EXPIRES_IN,
      },
    },
    adminAllowedDomains: env.ADMIN_ALLOWED_DOMAINS.map((domain) => domain.toLowerCase()),
    isBootstrapOpen: env.ADMIN_REGISTRATION === 'open',
    bcryptCost: env.BCRYPT_COST,
    passwordQueueLimit: env.PASSWORD_QUEUE_LIMIT,
    reuseLeewaySeconds: env.REFRESH_REUSE_LEEWAY_SECONDS,
    validateResponses: env.NODE_ENV !== 'production',
  };
};
