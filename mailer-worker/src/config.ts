import { type Environment, port, processVariables, readEnvironment, url } from '@platform/shared/config/env';
import type { ProcessConfig } from '@platform/shared/http/serve';

const variables = { ...processVariables, WORKER_OPS_PORT: port(9303), DATABASE_URL: url(), REDIS_URL: url() };

export type WorkerConfig = ProcessConfig & { databaseUrl: string; redisUrl: string };

/** @throws ConfigError naming everything that is missing or wrong. */
export const readConfig = (environment: Environment): WorkerConfig => {
  const env = readEnvironment(environment, variables);
  return {
    host: env.HOST,
    opsPort: { variable: 'WORKER_OPS_PORT', number: env.WORKER_OPS_PORT },
    logLevel: env.LOG_LEVEL,
    drainSeconds: 0,
    shutdownSeconds: env.SHUTDOWN_SECONDS,
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
  };
};
