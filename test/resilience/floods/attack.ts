import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { createHttpClient, formatStatus } from '@platform/shared/testing/http-client';
import type { Sample } from '@platform/shared/testing/parse-metrics';
import { expectNoFailures, watchProcesses } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { createPlatform, type RestartableService, startEngines } from '../platform.ts';
import { expectNoGrowth, findLowestMemory, readMetrics, sumSamples } from '../process-metrics.ts';
import { countStatuses, type Flood, range, summarize } from './fixture.ts';
import type { Others, OthersEntry } from './others-thread.ts';

/**
 * An attack that stays within the limits of its networks. If `network` is 127.0.2, these are the addresses
 * `127.0.2.1` and so on.
 */
export type Attack = Omit<Flood, 'start'> & {
  start: (gatewayUrl: string, network: string) => Promise<{ stop: () => Promise<string> }>;
  /** Prints times and memory without checking them. */
  checksFailuresOnly?: true;
  /**
   * The attack sends as much as it can and then pauses, so the median of the others is checked instead of their
   * p99. After a burst, V8 keeps 10 to 60 MB more or less, whether it was the second or the eighth one.
   */
  isBurst?: true;
  /**
   * The attack is over within one or two seconds of its minute. A percentile of that minute would tell how long
   * it lasts, not how long the others wait, so their slowest request is checked.
   */
  isShort?: true;
};

/** The limits and the hash cost of production. */
const ENVIRONMENT = { RATE_LIMIT_SCALE: '1', BCRYPT_COST: '12' };
const SECONDS = Number(process.env['FLOOD_SECONDS'] ?? 60);
/** The duration of an attack before the measurements, during which heaps grow and code is compiled. */
const WARM_UP_SECONDS = SECONDS / 4;
const PAUSE_SECONDS = 10;
/** The duration of the same requests before and after the attack. */
const IDLE_SECONDS = SECONDS / 3;
const OTHER_NETWORKS = 4;
const MAX_P99_RATIO = 3;
const MAX_MILLISECONDS = 2_000;
const BURST = { maxP50Milliseconds: 500, maxGrowthMegabytes: 64 };
const ME = '/api/v1/auth/me';

/** Starts two instances of auth-service, so that the gateway could eject one. */
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

/** Starts customers in other networks, who request `me` for this many seconds. */
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

/** Counts the faults of the platform's own services. */
const countFaults = async (gateway: RestartableService) => {
  const isOwn = ({ labels: { upstream = '' } }: Sample) => /^(?:auth|admin)-service$/.test(upstream);
  const samples = (await readMetrics(gateway)).filter(isOwn);
  const countOf = (name: string) => sumSamples(samples, name);
  return { ejections: countOf('upstream_ejections_total'), errors: countOf('upstream_errors_total') };
};

type Phase = { entries: OthersEntry[]; megabytes: number };
type Result = { before: Phase; during: OthersEntry[]; after: Phase; ejections: number; errors: number };

/** The response times before and during the attack. */
const summarizePath = ({ before, during }: Result, path: string) => {
  const summarizeEntries = (entries: readonly OthersEntry[]) =>
    summarize(entries.filter((entry) => entry.path === path));
  return { idle: summarizeEntries(before.entries), attacked: summarizeEntries(during) };
};

const checkAttack = (result: Result, { checksFailuresOnly, isBurst, isShort }: Attack) => {
  const { before, during, after, ejections, errors } = result;
  const failed = during.filter(({ status }) => status !== 200);
  expect(during).not.to.deep.equal([]);
  expect(countStatuses(failed.map(formatStatus)), 'failed requests of others').to.equal('none');
  const { idle, attacked } = summarizePath(result, ME);
  const ratio = attacked.p99 / idle.p99;
  const health = summarizePath(result, '/healthz');
  console.log(`      me ${attacked.times}; idle ${idle.times}; ${errors} upstream errors`);
  console.log(`      /healthz ${health.attacked.times}; idle ${health.idle.times}`);
  expect(ejections, 'ejections').to.equal(0);
  if (!checksFailuresOnly) {
    expectNoGrowth(before.megabytes, after.megabytes, isBurst && BURST.maxGrowthMegabytes);
    if (isBurst) expect(attacked.p50, 'p50 of others').to.be.at.most(BURST.maxP50Milliseconds);
    else if (isShort) expect(attacked.slowest, 'slowest of others').to.be.at.most(MAX_MILLISECONDS);
    else expect(ratio, 'p99 of others in relation to idle').to.be.at.most(MAX_P99_RATIO);
  }
  return {
    requests: during.length,
    failed: failed.length,
    'p50 idle ms': idle.p50.toFixed(0),
    'p50 ms': attacked.p50.toFixed(0),
    'p99 idle ms': idle.p99.toFixed(0),
    'p99 ms': attacked.p99.toFixed(0),
    ratio: ratio.toFixed(2),
    'growth MB': (after.megabytes - before.megabytes).toFixed(1),
  };
};

/** Runs an attack on a new platform, while clients of other networks request `me`. Returns their figures. */
export const runAttack = async (attack: Attack) => {
  const { gateway, watching, stop } = await startPlatform(attack.environment);
  try {
    const others = await startOthers(gateway.url);
    const idleFor = async (seconds: number): Promise<Phase> => {
      const running = others.requestFor(seconds);
      const megabytes = await findLowestMemory(gateway, running);
      return { entries: await running, megabytes };
    };
    const attackFor = async (seconds: number, network: string): Promise<OthersEntry[]> => {
      const { stop: end } = await attack.start(gateway.url, network);
      const entries = await others.requestFor(seconds);
      console.log(`      responses to the attacker in ${seconds} s: ${await end()}`);
      return entries;
    };
    await attackFor(WARM_UP_SECONDS, '127.0.3');
    await delay(PAUSE_SECONDS * 1_000);
    const [faults, before] = [await countFaults(gateway), await idleFor(IDLE_SECONDS)];
    const during = await attackFor(SECONDS, '127.0.2');
    const after = await idleFor(IDLE_SECONDS);
    const { ejections, errors } = await countFaults(gateway);
    const result = { ejections: ejections - faults.ejections, errors: errors - faults.errors };
    const figures = checkAttack({ before, during, after, ...result }, attack);
    expectNoFailures(await watching.stop());
    await others.stop();
    return figures;
  } finally {
    await stop();
  }
};
