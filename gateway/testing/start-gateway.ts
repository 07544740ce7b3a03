import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { DEFAULT_KIND_NAMES } from '@platform/shared/config/appearance';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createApiServer } from '@platform/shared/server/api-server';
import { createReadiness } from '@platform/shared/server/ops-listener';
import { compose } from '../src/compose.ts';
import type { GatewayConfig } from '../src/config.ts';
import type { PageSettings } from '../src/pages/page-settings.ts';
import { createSecurityHeaders } from '../src/security-headers.ts';
import { createUpstreams, type OtherService } from '../src/upstreams.ts';
import { type FakeUpstream, startFakeUpstream } from './fake-upstream.ts';

export type Gateway = {
  url: string;
  server: Server;
  metrics: () => Promise<string>;
  stop: () => Promise<void>;
};

export const NO_PAGES: PageSettings = {
  names: [],
  isRequired: false,
  directory: '',
  productName: 'Marketplace',
  kindNames: DEFAULT_KIND_NAMES,
  environmentName: undefined,
  desks: { OPERATOR: undefined, ARBITER: undefined },
  supportEmail: undefined,
  termsUrl: undefined,
  privacyUrl: undefined,
  returnOrigins: [],
  logo: undefined,
  logoDark: undefined,
  accent: { colour: undefined, dark: undefined },
  brandPanel: undefined,
  providerLogos: new Map(),
};

const CONFIG: Omit<GatewayConfig, 'upstreams'> = {
  host: '127.0.0.1',
  isKnownHost: undefined,
  apiPort: { variable: 'GATEWAY_PORT', number: 0 },
  opsPort: { variable: 'GATEWAY_OPS_PORT', number: 0 },
  logLevel: 'silent',
  drainSeconds: 0,
  shutdownSeconds: 5,
  allowedOrigins: 'loopback',
  responseHeaders: createSecurityHeaders('subdomains'),
  keepAliveSeconds: 65,
  trustedProxyHops: 0,
  upstreamTimeoutSeconds: 5,
  rateLimitScale: 100,
  redisUrl: undefined,
  blockedNetworks: [],
  blockedPaths: [],
  developmentPageDir: undefined,
  pages: NO_PAGES,
  tracing: undefined,
};

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
