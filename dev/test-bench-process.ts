import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type StackConfig, toPageUrl } from './config.ts';
import { isFullyReady } from './ports.ts';
import type { Addresses, ServiceKey } from './services.ts';
import type { StackPorts } from './stack-state.ts';
import type { Preparation } from './start-engines.ts';
import type { ProcessPlan } from './supervisor.ts';

/** How clients reach the test bench. */
export type TestBenchAccess = { url: string; secret: string };

const SECRET_BYTES = 32;

/** A new secret for each start. Undefined without a test bench. */
export const createTestBenchAccess = ({ config, ports }: Preparation): TestBenchAccess | undefined => {
  const { enabled, urlHost } = config.testBench;
  if (!enabled) return undefined;
  return {
    url: `http://${urlHost}:${ports.testBench.port}`,
    secret: randomBytes(SECRET_BYTES).toString('base64url'),
  };
};

/** The services take the address of the proxy as that of the platform, and its word on where requests come from. */
export const toProxyVariables = (
  { testBench, host, env }: StackConfig,
  { gateway }: Pick<StackPorts, 'gateway'>,
): Record<string, string> => {
  if (!testBench.enabled) return {};
  const PUBLIC_URL = env.PUBLIC_URL || toPageUrl(`http://${host}:${gateway.port}`);
  return { PUBLIC_URL, TRUSTED_PROXY_HOPS: '1' };
};

type Access = { addresses: Addresses; inboxUrl: string | null; testBench: TestBenchAccess };

/** The process has the settings of auth-service and admin-service, whose features it uses as the owner of the database. */
export const planTestBench = (
  { config, ports, logFile }: Preparation,
  { auth, admin }: Record<ServiceKey, ProcessPlan>,
  { addresses, inboxUrl, testBench }: Access,
): ProcessPlan => {
  const { host, urlHost } = config.testBench;
  const variables = {
    DATABASE_URL: addresses.databaseUrl,
    LISTEN_HOST: config.listenHost,
    TEST_BENCH_HOST: host,
    TEST_BENCH_PORT: String(ports.testBench.port),
    TEST_BENCH_OPS_PORT: String(ports.testBenchOps.port),
    TEST_BENCH_PROXY_PORT: String(ports.gateway.port),
    TEST_BENCH_GATEWAY_URL: addresses.proxiedGatewayUrl,
    TEST_BENCH_INBOX_URL: inboxUrl ?? '',
    TEST_BENCH_SECRET: testBench.secret,
  };
  return {
    name: 'test-bench',
    command: {
      ...auth.command,
      args: auth.command.args.with(-1, join(config.root, 'test-bench/src/main.ts')),
      env: { ...admin.command.env, ...auth.command.env, ...variables },
      logFile: logFile('test-bench'),
    },
    isReady: () => isFullyReady(`http://${urlHost}:${ports.testBenchOps.port}`),
    stopSeconds: config.stopSeconds,
  };
};
