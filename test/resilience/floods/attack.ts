import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createHttpClient, formatStatus } from '@platform/shared/testing/http-client';
import type { Report } from '@platform/shared/testing/suite';
import { checkWatch, watchProcesses } from '@platform/shared/testing/watch-processes';
import { createPlatform, type RestartableService, startEngines } from '../platform.ts';
import { checkMemory, findLowestMemory, readMetrics, sumSamples } from '../process-metrics.ts';
import { countStatuses, type Flood, range, summarize } from './fixture.ts';
import type { Others, OthersEntry } from './others-thread.ts';

/** An attack within the limits of its networks, which are addresses `127.0.2.1` and so on when `network` is 127.0.2. */
export type Attack = Omit<Flood, 'start'> & {
  start: (gatewayUrl: string, network: string) => Promise<{ stop: () => Promise<string> }>;
};

export type AttackRow = [attack: string, ...figures: (string | number)[]];

/** The limits and the hashes of production. */
const ENVIRONMENT = { RATE_LIMIT_SCALE: '1', BCRYPT_COST: '12' };
const SECONDS = Number(process.env['FLOOD_SECONDS'] ?? 60);
/** An attack before the measurements: the heaps have grown, and the code is compiled. */
const WARM_UP_SECONDS = SECONDS / 4;
const PAUSE_SECONDS = 10;
/** The same requests before the attack and after it. */
const IDLE_SECONDS = SECONDS / 3;
const OTHER_NETWORKS = 4;
const MAX_P99_RATIO = 3;
const ME = '/api/v1/auth/me';

/** Two instances of auth-service, so that the gateway could eject one. */
const startPlatform = async (environment: Attack['environment']) => {
  const engines = await startEngines();
  const watching = watchProcesses();
  const platform = createPlatform(engines, 'smtp://127.0.0.1', watching, { ...ENVIRONMENT, ...environment });
  const stop = async () => {
    platform.killAll();
    await engines.stop();
  };
  try {
    const auth = [await platform.create('auth-service'), await platform.create('auth-service')];
    const admin = await platform.create('admin-service');
    const gateway = await platform.createGateway(auth, [admin]);
    for (const service of [...auth, admin, gateway]) await service.start();
    return { gateway, watching, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Customers in other networks, who request `me` for so many seconds. */
const startOthers = async (gatewayUrl: string) => {
  const createOther = async (index: number): Promise<Others['clients'][number]> => {
    const localAddress = `127.0.1.${index + 1}`;
    const { send } = createHttpClient(gatewayUrl, { localAddress });
    return { localAddress, ...(await createAuthClient('', CUSTOMER, send).createDevice()) };
  };
  const workerData: Others = {
    gatewayUrl,
    clients: await Promise.all(range(OTHER_NETWORKS).map(createOther)),
  };
  const thread = new Worker(new URL('./others-thread.ts', import.meta.url), { workerData });
  return {
    requestFor: async (seconds: number): Promise<OthersEntry[]> => {
      thread.postMessage(seconds);
      const [entries] = await once(thread, 'message');
      return entries;
    },
    stop: () => thread.terminate(),
  };
};

const countFaults = async (gateway: RestartableService) => {
  const samples = await readMetrics(gateway);
  const countOf = (name: string) => sumSamples(samples, name);
  return { ejections: countOf('upstream_left_out_total'), errors: countOf('upstream_errors_total') };
};

type Phase = { entries: OthersEntry[]; megabytes: number };
type Result = { before: Phase; during: OthersEntry[]; after: Phase; ejections: number; errors: number };

/** The times before the attack and during it. */
const summarizePath = ({ before, during }: Result, path: string) => {
  const summarizeEntries = (entries: readonly OthersEntry[]) =>
    summarize(entries.filter((entry) => entry.path === path));
  return { idle: summarizeEntries(before.entries), attacked: summarizeEntries(during) };
};

const toRow = ({ name }: Attack, result: Result, failed: number): AttackRow => {
  const { before, during, after, ejections } = result;
  const { idle, attacked } = summarizePath(result, ME);
  const times = [idle.p50, attacked.p50, idle.p99, attacked.p99].map((value) => `${value.toFixed(0)} ms`);
  const figures = [(attacked.p99 / idle.p99).toFixed(2), ejections];
  const growth = (after.megabytes - before.megabytes).toFixed(1);
  return [name, during.length, failed, ...times, ...figures, growth];
};

const checkAttack = (report: Report, attack: Attack, result: Result): AttackRow => {
  const { name } = attack;
  const { before, during, after, ejections, errors } = result;
  const failed = during.filter(({ status }) => status !== 200);
  report.check(
    during.length > 0 && failed.length === 0,
    `${name}: ${failed.length} of ${during.length} requests of others failed`,
  );
  if (failed.length > 0) report.log(`    ${countStatuses(failed.map(formatStatus))}`);
  const me = summarizePath(result, ME);
  const health = summarizePath(result, '/healthz');
  const ratio = me.attacked.p99 / me.idle.p99;
  report.timeLimit(
    ratio <= MAX_P99_RATIO,
    `${name}: me of others ${me.attacked.times}; idle ${me.idle.times}: × ${ratio.toFixed(2)}`,
  );
  report.log(`    /healthz ${health.attacked.times}; idle ${health.idle.times}`);
  report.check(ejections === 0, `${name}: ${ejections} ejections; ${errors} upstream errors`);
  checkMemory(report, name, before.megabytes, after.megabytes);
  return toRow(attack, result, failed.length);
};

/** Runs an attack against a platform of its own, while clients of other networks request `me`. */
export const runAttack = async (report: Report, attack: Attack): Promise<AttackRow> => {
  const { gateway, watching, stop } = await startPlatform(attack.environment);
  try {
    const others = await startOthers(gateway.url);
    const idleFor = async (seconds: number): Promise<Phase> => {
      const running = others.requestFor(seconds);
      const megabytes = await findLowestMemory(gateway.pid(), running);
      return { entries: await running, megabytes };
    };
    const attackFor = async (seconds: number, network: string): Promise<OthersEntry[]> => {
      const { stop: end } = await attack.start(gateway.url, network);
      const entries = await others.requestFor(seconds);
      report.log(`${attack.name} for ${seconds} s → responses to the attacker: ${await end()}`);
      return entries;
    };
    await attackFor(WARM_UP_SECONDS, '127.0.3');
    await delay(PAUSE_SECONDS * 1_000);
    const [faults, before] = [await countFaults(gateway), await idleFor(IDLE_SECONDS)];
    const during = await attackFor(SECONDS, '127.0.2');
    const after = await idleFor(IDLE_SECONDS);
    const { ejections, errors } = await countFaults(gateway);
    const result = { ejections: ejections - faults.ejections, errors: errors - faults.errors };
    const row = checkAttack(report, attack, { before, during, after, ...result });
    checkWatch(report, await watching.stop());
    await others.stop();
    return row;
  } finally {
    await stop();
  }
};
