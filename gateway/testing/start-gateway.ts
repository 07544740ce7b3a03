import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createApiServer } from '@platform/shared/server/api-server';
import { createReadiness } from '@platform/shared/server/ops-listener';
import { compose } from '../src/compose.ts';
import { type GatewayConfig, readConfig } from '../src/config.ts';
import { createUpstreams, type OtherService } from '../src/upstreams.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';

export type Gateway = {
  url: string;
  server: Server;
  metrics: () => Promise<string>;
  stop: () => Promise<void>;
};

/** Waits for nothing, counts for itself, and answers requests with any host. */
const CONFIG: GatewayConfig = {
  ...readConfig({
    NODE_ENV: 'test',
    GATEWAY_PORT: '0',
    GATEWAY_OPS_PORT: '0',
    AUTH_SERVICE_URLS: 'http://127.0.0.1:1',
    ADMIN_SERVICE_URLS: 'http://127.0.0.1:1',
    DRAIN_SECONDS: '0',
    SHUTDOWN_SECONDS: '5',
    UPSTREAM_TIMEOUT_SECONDS: '5',
    RATE_LIMIT_SCALE: '100',
    PAGES: 'off',
  }),
  isKnownHost: undefined,
};
export const { pages: NO_PAGES } = CONFIG;

/** `logOutput` receives every log line. By default nothing is logged. */
type Options = Partial<GatewayConfig> & {
  auth: string[];
  admin: string[];
  services?: OtherService[];
  logOutput?: Writable;
};

/** Starts the complete gateway in this process, on a free port. */
export const startGateway = async ({
  auth,
  admin,
  services = [],
  logOutput,
  ...config
}: Options): Promise<Gateway> => {
  const upstreams = createUpstreams({ 'auth-service': auth, 'admin-service': admin }, services);
  const log = createLog({ service: 'gateway', level: logOutput ? 'trace' : 'silent' }, logOutput);
  const metrics = createMetrics('gateway');
  const { app, checks, optionalChecks, close } = compose(
    { ...CONFIG, upstreams, ...config },
    { log, metrics },
  );
  if (!app) throw new Error('The gateway has an API');
  const listener = app(createReadiness(checks, optionalChecks));
  const server = createApiServer(listener, { log, metrics }, { ...CONFIG, ...config });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    metrics: metrics.render,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await close();
    },
  };
};

type Stoppable = { stop: () => Promise<void> };

/** Starts servers for a single test and stops them after it. Call it inside `describe`. */
export const useTestServers = () => {
  const running: Stoppable[] = [];
  afterEach('stop the servers', async () => {
    for (const { stop } of running.splice(0)) await stop();
  });
  const stopAfterTest = <Server extends Stoppable>(server: Server): Server => {
    running.unshift(server);
    return server;
  };
  return {
    stopAfterTest,
    startUpstream: async (...options: Parameters<typeof startFakeUpstream>): Promise<FakeUpstream> =>
      stopAfterTest(await startFakeUpstream(...options)),
    /** `urls` are the instances of both services, unless the options set those of one service. */
    startGatewayTo: async (urls: string[], config: Partial<Options> = {}): Promise<Gateway> =>
      stopAfterTest(await startGateway({ auth: urls, admin: urls, ...config })),
  };
};

/**
 * An upstream with this listener for both services, and a gateway in front of it, for the tests of a suite.
 */
export const useGateway = (listener?: RequestListener) => {
  let upstream: FakeUpstream;
  let running: Gateway;
  before('start the gateway', async () => {
    upstream = await startFakeUpstream(listener);
    running = await startGateway({ auth: [upstream.url], admin: [upstream.url] });
  });
  beforeEach('forget the requests', () => {
    upstream.received.length = 0;
  });
  after('stop the gateway', () => Promise.all([running.stop(), upstream.stop()]));
  return { service: () => upstream, gateway: () => running };
};
