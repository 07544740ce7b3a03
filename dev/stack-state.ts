import { portVariables, type StackConfig } from './config.ts';
import { type StackDescription, writeStackFile } from './data-dir.ts';
import { hasCompanyProvider } from './oidc-provider/company-provider.ts';
import { type PortRequest, type ReservedPort, reservePorts } from './ports.ts';
import type { Progress } from './progress.ts';
import type { ServiceKey } from './services.ts';
import { toErrorMessage } from './stack-error.ts';
import type { StackLock } from './stack-lock.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from './supervisor.ts';

export type ProcessKey = ServiceKey | 'postgres' | 'redis' | 'inbox' | 'oidc' | 'testBench';

/** The resources of one run of the stack: the start acquires them, the stop releases them. */
export type StackRun = {
  config: StackConfig;
  progress: Progress;
  stopping: AbortController;
  processes: Map<ProcessKey, SupervisedProcess>;
  /** The steps of the start, which a stop waits for: if one fails, the others may still be running. */
  pending: Promise<unknown>[];
  ports?: StackPorts;
  lock?: StackLock;
  dataDir?: string;
  description?: StackDescription;
};

/** Writes stack.json, which does not exist during a start or a stop. */
export const writeDescription = (run: StackRun): void => {
  const { description, dataDir, stopping } = run;
  if (!description || dataDir === undefined || stopping.signal.aborted) return;
  try {
    writeStackFile(dataDir, description);
  } catch (error) {
    run.progress.log(`stack.json cannot be written: ${toErrorMessage(error)}`);
  }
};

/** Updates the process id of a restarted process. */
const updatePid = (run: StackRun, key: ProcessKey): void => {
  if (run.description) run.description.pids[key] = run.processes.get(key)?.pid() ?? null;
  writeDescription(run);
};

/** Runs steps concurrently and registers them, so that a stop waits for them. */
export const runConcurrently = <Steps extends Promise<unknown>[]>(run: StackRun, ...steps: Steps) => {
  run.pending.push(...steps);
  return Promise.all(steps);
};

/** Releases the ports of a process, starts it, and keeps it running. */
export const startProcess = async (
  run: StackRun,
  key: ProcessKey,
  plan: ProcessPlan,
  ports: ReservedPort[],
): Promise<void> => {
  run.stopping.signal.throwIfAborted();
  const supervised = superviseProcess(plan, {
    log: run.progress.log,
    onRestarted: () => updatePid(run, key),
    progress: run.progress,
  });
  run.processes.set(key, supervised);
  await Promise.all(ports.map((port) => port.release()));
  await supervised.start();
};

/** `gateway` is that of the proxy if there is a test bench; `proxiedGateway` is then that of the gateway. */
type PortKey =
  | keyof typeof portVariables
  | 'postgres'
  | 'redis'
  | 'smtp'
  | 'proxiedGateway'
  | 'testBench'
  | 'testBenchOps';

export type StackPorts = Record<PortKey, ReservedPort>;

const loopback = '127.0.0.1';

/**
 * Reserves all ports of the stack before any process starts.
 * @param timeoutSeconds how long to wait for a fixed port
 * @throws StackError that names each unavailable port and its variable
 */
export const reserveStackPorts = (config: StackConfig, timeoutSeconds: number): Promise<StackPorts> => {
  const { ports, listenHost, external, env, testBench } = config;
  const fixed = (key: keyof typeof portVariables, host: string): PortRequest => ({
    port: ports[key],
    host,
    variable: portVariables[key],
  });
  const any = (host: string): PortRequest => ({ port: 0, host });
  return reservePorts(
    {
      gateway: fixed('gateway', listenHost),
      auth: fixed('auth', listenHost),
      admin: fixed('admin', listenHost),
      inbox: external.smtpUrl ? any(loopback) : fixed('inbox', loopback),
      oidc: hasCompanyProvider(env) ? fixed('oidc', loopback) : any(loopback),
      gatewayOps: fixed('gatewayOps', listenHost),
      authOps: fixed('authOps', listenHost),
      adminOps: fixed('adminOps', listenHost),
      workerOps: fixed('workerOps', listenHost),
      postgres: any(loopback),
      redis: any(loopback),
      smtp: any(loopback),
      proxiedGateway: any(listenHost),
      testBench: testBench.enabled
        ? { port: testBench.port, host: testBench.host, variable: 'TEST_BENCH_PORT' }
        : any(loopback),
      testBenchOps: any(testBench.enabled ? testBench.host : loopback),
    },
    timeoutSeconds,
  );
};
