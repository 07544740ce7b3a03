import { readConfig as readAdminConfig } from '@platform/admin-service/config';
import { readConfig as readAuthConfig } from '@platform/auth-service/config';
import { httpUrl } from '@platform/shared/config/addresses';
import { ConfigError, type Environment, port, readEnvironment, text } from '@platform/shared/config/env';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { createHostCheck } from '@platform/shared/network/known-hosts';

const variables = {
  ...processVariables,
  /** The address that the API listens on. LISTEN_HOST is that of the proxy. */
  TEST_BENCH_HOST: text({ default: '127.0.0.1' }),
  TEST_BENCH_PORT: port(8027),
  TEST_BENCH_OPS_PORT: port(0),
  TEST_BENCH_PROXY_PORT: port(3000),
  /** The gateway behind the proxy. */
  TEST_BENCH_GATEWAY_URL: httpUrl(),
  TEST_BENCH_INBOX_URL: httpUrl(),
  TEST_BENCH_SECRET: text(),
  /** The address of the proxy for browsers. */
  PUBLIC_URL: httpUrl({ default: undefined }),
};

/** @throws ConfigError */
const rejectProduction = ({ NODE_ENV }: { NODE_ENV: string }): void => {
  if (NODE_ENV === 'production')
    throw new ConfigError('NODE_ENV=production: the test bench does not run in production');
};

/** @throws ConfigError that names every missing or invalid variable, also those of the services */
export const readConfig = (environment: Environment) => {
  const env = readEnvironment(environment, variables, [rejectProduction]);
  return {
    ...toProcessConfig(env),
    host: env.TEST_BENCH_HOST,
    isKnownHost: createHostCheck(),
    apiPort: { variable: 'TEST_BENCH_PORT', number: env.TEST_BENCH_PORT },
    opsPort: { variable: 'TEST_BENCH_OPS_PORT', number: env.TEST_BENCH_OPS_PORT },
    proxy: { host: env.LISTEN_HOST, port: env.TEST_BENCH_PROXY_PORT, gatewayUrl: env.TEST_BENCH_GATEWAY_URL },
    inboxUrl: env.TEST_BENCH_INBOX_URL,
    secret: env.TEST_BENCH_SECRET,
    publicUrl: env.PUBLIC_URL,
    /** The settings of the services. DATABASE_URL has the login of the owner. */
    auth: readAuthConfig(environment),
    admin: readAdminConfig(environment),
  };
};

export type TestBenchConfig = ReturnType<typeof readConfig>;
