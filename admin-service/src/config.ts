import {
  type Environment,
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
  ADMIN_API_PORT: port(3002),
  ADMIN_OPS_PORT: port(9302),
  DATABASE_URL: url(),
  DATABASE_CONNECTIONS: whole(10, 1, 200),
  JWT_ADMIN_ACCESS_SECRET_KEY: secret(),
  CONTACT_INBOX: text(),
};

export type AdminConfig = ProcessConfig & {
  databaseUrl: string;
  databaseConnections: number;
  accessSecret: string;
  contactInbox: string;
  validateResponses: boolean;
};

/** @throws ConfigError naming everything that is missing or wrong. */
export const readConfig = (environment: Environment): AdminConfig => {
  const env = readEnvironment(environment, variables);
  return {
    host: env.HOST,
    apiPort: { variable: 'ADMIN_API_PORT', number: env.ADMIN_API_PORT },
    opsPort: { variable: 'ADMIN_OPS_PORT', number: env.ADMIN_OPS_PORT },
    logLevel: env.LOG_LEVEL,
    drainSeconds: env.DRAIN_SECONDS,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    accessSecret: env.JWT_ADMIN_ACCESS_SECRET_KEY,
    contactInbox: env.CONTACT_INBOX,
    validateResponses: env.NODE_ENV !== 'production',
  };
};
