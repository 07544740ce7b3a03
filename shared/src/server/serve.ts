import { createServer, type RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, type Environment } from '../config/env.ts';
import { readWithMisspelt } from '../config/misspelt-variables.ts';
import type { TracingSettings } from '../config/process-variables.ts';
import type { Secret } from '../config/secrets.ts';
import { createLog, type Log, logOutput } from '../log/log.ts';
import { createErrorLog } from '../log/repeated-errors.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { registerSecretFingerprints } from '../metrics/secret-fingerprints.ts';
import { registerSettingFingerprints } from '../metrics/setting-fingerprints.ts';
import { registerSwitches } from '../metrics/switches.ts';
import type { HostCheck } from '../network/known-hosts.ts';
import { VERSION } from '../tracing/tracer.ts';
import { startTracing, stopTracing } from '../tracing/tracing.ts';
import { createApiServer } from './api-server.ts';
import { createServerCloser } from './close-server.ts';
import { getPort, listen, listenOnIpv6Loopback, type Port } from './listen.ts';
import {
  createOpsListener,
  createReadiness,
  type Readiness,
  type ReadinessChecks,
  registerReadinessMetric,
} from './ops-listener.ts';
import { requireKnownHost } from './require-known-host.ts';

export type ProcessConfig = {
  host: string;
  /** The hosts of requests that are served; undefined if they may have any. */
  isKnownHost?: HostCheck | undefined;
  apiPort?: Port;
  opsPort: Port;
  logLevel: string;
  drainSeconds: number;
  shutdownSeconds: number;
  headersKib?: number;
  responseHeaders?: ReadonlyMap<string, string>;
  /** How long a connection of the API may be idle. */
  keepAliveSeconds?: number;
  /** The maximum number of connections to the primary that the process opens. Absent without a database. */
  primaryConnections?: number;
  tracing?: TracingSettings | undefined;
  /** Secrets by variable that other processes must have too. */
  secrets?: Readonly<Record<string, Secret>>;
  /** Ignored values, which are logged at the start. */
  warnings?: readonly string[];
};

export type Runtime = {
  log: Log;
  metrics: Metrics;
  /**
   * Aborted when the process stops, after the drain. Requests that wait for something then respond at once.
   */
  stopping?: AbortSignal;
};

/** The result of `compose`: the API, the readiness checks, and a function that closes all connections. */
export type ComposedService = {
  /** Gets the readiness of the process, for an API that publishes it. */
  app?: (readiness: Readiness) => RequestListener;
  checks: ReadinessChecks;
  /**
   * Checks of dependencies that the process can serve without. Their failure is reported, and the process
   * stays ready.
   */
  optionalChecks?: ReadinessChecks;
  close: () => Promise<void>;
};

type Service<Config extends ProcessConfig> = {
  name: string;
  readConfig: (environment: Environment) => Config;
  compose: (config: Config, runtime: Runtime) => Promise<ComposedService> | ComposedService;
};

/** Long enough for each active connection to be used once more, and to get `Connection: close`. */
const GRACE_MILLISECONDS = 500;

/** Resolves at the first SIGTERM or SIGINT. The second one terminates the process immediately. */
const waitForStopSignal = (log: Log): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (stopping) {
          log.warn({ signal }, 'second signal: terminating');
          process.exit(1);
        }
        stopping = true;
        resolve(signal);
      });
  });

const run = async <Config extends ProcessConfig>(
  service: Service<Config>,
  config: Config,
  { log, metrics }: Runtime,
) => {
  const stopped = waitForStopSignal(log);
  if (config.secrets) registerSecretFingerprints(metrics, config.secrets);
  const instance = await startTracing(service.name, config.tracing, createErrorLog(log, 'tracing error'));
  // Only this line contains the instance. On every line it would take a tenth of the log, and collectors add
  // the container anyway.
  log.info({ version: VERSION, node: process.version, instance }, 'starting');
  const stopping = new AbortController();
  const composed = await service.compose(config, { log, metrics, stopping: stopping.signal });
  const readiness = createReadiness(composed.checks, composed.optionalChecks);
  registerReadinessMetric(metrics, readiness);
  const app = composed.app?.(readiness);

  const { isKnownHost } = config;
  const guard = (listener: RequestListener) =>
    isKnownHost ? requireKnownHost(isKnownHost, listener) : listener;
  const api = createApiServer(app && guard(app), { log, metrics }, config);
  const closeApi = createServerCloser(api);
  const ops = createServer(guard(createOpsListener(readiness, metrics, log)));
  if (app && config.apiPort) await listen(api, config.apiPort, config.host);
  // Only in development, where the server checks the hosts of its requests.
  const ipv6 =
    isKnownHost && config.host === '127.0.0.1' && api.listening ? listenOnIpv6Loopback(api) : undefined;
  await listen(ops, config.opsPort, config.host);
  log.info({ port: getPort(api), opsPort: getPort(ops) }, 'listening');

  const signal = await stopped;
  log.info({ signal }, 'stopping');
  readiness.stop();
  await delay(config.drainSeconds * 1_000);
  stopping.abort();
  ipv6?.close();
  const deadline = setTimeout(() => {
    log.warn('shutdown timed out: closing open connections');
    api.closeAllConnections();
    setTimeout(() => process.exit(1), 1_000).unref();
  }, config.shutdownSeconds * 1_000);
  deadline.unref();

  if (api.listening) await closeApi(Math.min(GRACE_MILLISECONDS, config.drainSeconds * 1_000));
  await composed.close();
  await stopTracing();
  ops.closeAllConnections();
  ops.close();
  log.info('stopped');
};

/** Reads the configuration, and logs the values and names that it ignores. @throws ConfigError */
const configure = <Config extends ProcessConfig>(
  service: Service<Config>,
  metrics: Metrics,
): { config: Config; log: Log } => {
  const { config, misspelt, values } = readWithMisspelt(process.env, service.readConfig);
  registerSettingFingerprints(metrics, values);
  registerSwitches(metrics, values);
  metrics.labeledGauge('build_info', 'The release of the process', 'version', () => ({ [VERSION]: 1 }));
  const log = createLog({ service: service.name, level: config.logLevel });
  // `npm start` shows these lines.
  for (const warning of [misspelt ?? [], config.warnings ?? []].flat()) log.warn({ setting: true }, warning);
  return { config, log };
};

/** Runs a service until it is stopped by a signal. The exit code is 0, or 1 if it cannot start. */
export const serve = async <Config extends ProcessConfig>(service: Service<Config>): Promise<void> => {
  const metrics = createMetrics(service.name);
  logOutput.on('drop', () => metrics.countDroppedLine({ reason: 'output' }));
  let log = createLog({ service: service.name, level: 'info' });
  try {
    const configured = configure(service, metrics);
    ({ log } = configured);
    await run(service, configured.config, { log, metrics });
    process.exit(0);
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(`Cannot start: ${error.message}`);
    else log.fatal({ err: error }, 'Cannot start');
    process.exit(1);
  }
};
