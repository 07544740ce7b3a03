import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, type Environment } from '../config/env.ts';
import { createLog, type Log } from '../log/log.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { createApiServer } from './api-server.ts';
import { type Checks, createOpsListener, createReadiness, type ReadinessReader } from './ops-listener.ts';

/** A port and the variable that sets it, to name when it is taken. */
export type Port = { variable: string; number: number };

export type ProcessConfig = {
  host: string;
  /** Absent for a process without an API. */
  apiPort?: Port;
  opsPort: Port;
  logLevel: string;
  drainSeconds: number;
  shutdownSeconds: number;
};

export type Runtime = { log: Log; metrics: Metrics };

/** What `compose` returns: the API, what readiness asks, and how to let go of everything. */
export type Composed = {
  /** Given the readiness of its own process, for an API that publishes it. */
  app?: (readiness: ReadinessReader) => RequestListener;
  checks: Checks;
  close: () => Promise<void>;
};

type Service<Config extends ProcessConfig> = {
  name: string;
  readConfig: (environment: Environment) => Config;
  compose: (config: Config, runtime: Runtime) => Promise<Composed> | Composed;
};

const listen = (server: Server, { number, variable }: Port, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new ConfigError(`${variable}: port ${number} on ${host} is taken; free it or set another`)
          : error,
      ),
    );
    server.listen(number, host, resolve);
  });

/** The port that was really taken: 0 asks for any. */
const portOf = (server: Server): number | undefined => (server.address() as AddressInfo | null)?.port;

const SWEEP_MILLISECONDS = 50;

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    // A connection whose last answer was under way falls idle later, and would be kept for its whole timeout.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MILLISECONDS);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
const stopSignal = (log: Log): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let stopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (stopping) {
          log.warn({ signal }, 'second signal: ending at once');
          process.exit(1);
        }
        stopping = true;
        resolve(signal);
      });
  });

const run = async <Config extends ProcessConfig>(service: Service<Config>, config: Config, log: Log) => {
  const stopped = stopSignal(log);
  const metrics = createMetrics(service.name);
  const composed = await service.compose(config, { log, metrics });
  const readiness = createReadiness(composed.checks);
  const app = composed.app?.(readiness);

  let stopping = false;
  const api = createApiServer((req, res) => {
    // Asks the client to come back on a new connection, which the balancer takes elsewhere.
    if (stopping) res.setHeader('Connection', 'close');
    app?.(req, res);
  }, log);
  const ops = createOpsListener(readiness, metrics);
  if (app && config.apiPort) await listen(api, config.apiPort, config.host);
  await listen(ops, config.opsPort, config.host);
  log.info({ port: portOf(api), opsPort: portOf(ops) }, 'listening');

  const signal = await stopped;
  log.info({ signal }, 'stopping');
  const deadline = setTimeout(() => {
    log.warn('stop took too long: cutting what is open');
    api.closeAllConnections();
    setTimeout(() => process.exit(1), 1_000).unref();
  }, config.shutdownSeconds * 1_000);
  deadline.unref();

  readiness.stop();
  stopping = true;
  await delay(config.drainSeconds * 1_000);
  if (api.listening) await close(api);
  await composed.close();
  ops.closeAllConnections();
  await close(ops);
  log.info('stopped');
};

/** Runs one service from its configuration to its clean stop: exit code 0 after a signal, 1 when it cannot start. */
export const serve = async <Config extends ProcessConfig>(service: Service<Config>): Promise<void> => {
  let log = createLog({ service: service.name, level: 'info' });
  try {
    const config = service.readConfig(process.env);
    log = createLog({ service: service.name, level: config.logLevel });
    await run(service, config, log);
    process.exit(0);
  } catch (error) {
    if (error instanceof ConfigError) log.fatal(`Cannot start: ${error.message}`);
    else log.fatal({ err: error }, 'Cannot start');
    process.exit(1);
  }
};
