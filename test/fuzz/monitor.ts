import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { accessHeaders } from '@platform/shared/testing/auth-client';
import { createHttpClient } from '@platform/shared/testing/http-client';
import type { RunningStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';
import type { Identity } from './fixture.ts';

const SNAPSHOT_INTERVAL_REQUESTS = 2_000;
const MAX_GROWTH_MEGABYTES = 60;
const MAX_P99_MILLISECONDS = 1_000;
const PROBE_INTERVAL_MILLISECONDS = 50;
const SETTLE_MILLISECONDS = 3_000;
/** Resident memory in megabytes; Linux only. */
const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** The lines that all processes of the stack have logged. */
export const readLogs = (dataDir: string): string[] => {
  const directory = join(dataDir, 'logs');
  return readdirSync(directory).flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
};

/** Sends a light request every 50 ms: a blocked event loop delays its response. */
const startProbe = (gatewayUrl: string, { kind, device }: Identity) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true });
  const request = { path: `${kind.path}/me`, headers: accessHeaders(device) };
  const milliseconds: number[] = [];
  let failures = 0;
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const response = await client.send(request);
      milliseconds.push(response.milliseconds);
      if (response.status !== 200) failures += 1;
      await delay(PROBE_INTERVAL_MILLISECONDS);
    }
  };
  const running = run();
  return async (report: Report): Promise<void> => {
    isStopped = true;
    await running;
    client.close();
    const sorted = milliseconds.sort((one, other) => one - other);
    const quantile = (share: number): number =>
      Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    const latency = `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, max ${quantile(1)} ms`;
    report.check(
      failures === 0 && quantile(0.99) <= MAX_P99_MILLISECONDS,
      `probe: ${sorted.length} requests of another client, ${failures} failed, ${latency}`,
    );
  };
};

/** Watches the processes of the stack while requests are sent. */
export const startMonitor = ({ stack, dataDir, read }: RunningStack, probeIdentity: Identity) => {
  const { stack: _stack, postgres: _postgres, ...watched } = stack.pids;
  const snapshots: { requests: number; memory: number[] }[] = [];
  const takeSnapshot = (requests: number): void => {
    snapshots.push({ requests, memory: Object.values(watched).map(readMemory) });
  };
  takeSnapshot(0);
  const stopProbe = startProbe(stack.gatewayUrl, probeIdentity);

  const checkMemory = (report: Report): void => {
    // All code is compiled and all validators exist by the first interval.
    const baseline = snapshots[1];
    for (const [index, name] of Object.keys(watched).entries()) {
      const growth =
        (snapshots.at(-1)?.memory[index] ?? Number.NaN) - (baseline?.memory[index] ?? Number.NaN);
      const text = `memory: ${name} has grown by ${growth.toFixed(0)} MB since request ${baseline?.requests}`;
      const history = snapshots.map(({ memory }) => memory[index]?.toFixed(0)).join(', ');
      report.check(growth <= MAX_GROWTH_MEGABYTES, `${text} (${history})`);
    }
  };
  const checkProcesses = async (report: Report): Promise<void> => {
    const { pids } = await read();
    const ended = Object.entries(stack.pids).filter(([name, pid]) => pids[name as keyof typeof pids] !== pid);
    report.check(
      ended.length === 0,
      `processes that ended: ${ended.map(([name]) => name).join(', ') || 'none'}`,
    );
    const errors = readLogs(dataDir).filter((line) => /"level":"(?:error|fatal)"/.test(line));
    report.check(errors.length === 0, `errors in the logs: ${errors.length}`);
    for (const line of errors.slice(0, 3)) report.log(`    ${line.slice(0, 700)}`);
  };

  return {
    onRequest: (requests: number): void => {
      if (requests % SNAPSHOT_INTERVAL_REQUESTS === 0) takeSnapshot(requests);
    },
    check: async (report: Report, requests: number): Promise<void> => {
      await stopProbe(report);
      await delay(SETTLE_MILLISECONDS);
      takeSnapshot(requests);
      checkMemory(report);
      await checkProcesses(report);
    },
  };
};
