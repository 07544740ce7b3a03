// `npm run test:fuzz`: 10,000 requests made up from the two OpenAPI documents, then mutated. FUZZ_SEED repeats a run.
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { createHttpClient } from '../resilience/load/http-client.ts';
import { loadContract } from './contract.ts';
import { createWorld } from './fixture.ts';
import { readMemory } from './memory.ts';
import { startProbe } from './probe.ts';
import { chooseSeed } from './random.ts';
import { judgeRun, type Measured, type Snapshot } from './run-checker.ts';
import { runRequests } from './run-requests.ts';
import { createTally } from './tally.ts';

/** FUZZ_REQUESTS asks for more, or fewer. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
const SNAPSHOT_EVERY = 2_000;
/** Until then everything has been compiled, and every validator made. */
const WARM_AFTER = 2_000;
const SETTLE_SECONDS = 3;
const ENVIRONMENT = {
  // The suite validates the answers itself; in development the services would, too, with compiled schemas of their own.
  NODE_ENV: 'production',
  CORS_ORIGINS: 'http://localhost:5173',
  RATE_LIMIT_SCALE: '100000',
  LOG_LEVEL: 'warn',
  // What is kept shows sooner when little is left lying for a later collection.
  NODE_OPTIONS: '--max-semi-space-size=2',
};

const watchedPids = ({ stack: { pids } }: RunningStack) => {
  const { gateway, auth, admin, worker, redis, inbox } = pids;
  return { gateway, auth, admin, worker, redis, inbox };
};

const measure = async (stack: RunningStack, seed: number): Promise<Measured> => {
  const pids = watchedPids(stack);
  const { gatewayUrl } = stack.stack;
  const [operations, world] = await Promise.all([loadContract(), createWorld(stack)]);
  const client = createHttpClient(gatewayUrl);
  const tally = createTally();
  const snapshots: Snapshot[] = [];
  const takeSnapshot = (requests: number) => snapshots.push({ requests, memory: readMemory(pids) });
  const probing = startProbe(client, await world.create('CUSTOMER'));
  const faults = await runRequests({
    ...{ seed, operations, world, gatewayUrl, tally, requests: REQUESTS },
    onRequest: (number) => {
      if (number % SNAPSHOT_EVERY === 0) takeSnapshot(number);
    },
  });
  const probe = await probing.stop();
  await delay(SETTLE_SECONDS * 1_000);
  takeSnapshot(REQUESTS);
  client.close();
  await world.close();
  return { dataDir: stack.dataDir, operations, tally, faults, probe, snapshots, warmAfter: WARM_AFTER };
};

const judgeProcesses = async (report: Report, stack: RunningStack): Promise<void> => {
  const before = Object.entries(stack.stack.pids);
  const { pids } = await stack.read();
  const ended = before.filter(([name, pid]) => pids[name as keyof typeof pids] !== pid);
  report.check(
    ended.length === 0,
    `processes that ended: ${ended.map(([name]) => name).join(', ') || 'none'}`,
  );
};

const fuzz = async (report: Report): Promise<void> => {
  const seed = chooseSeed();
  report.log(`FUZZ_SEED=${seed}`);
  const stack = await startStack(ENVIRONMENT);
  try {
    judgeRun(report, await measure(stack, seed));
    await judgeProcesses(report, stack);
  } finally {
    await stack.stop();
  }
};

await runSuite({ name: 'fuzz', command: 'npm run test:fuzz', timeoutSeconds: 350, run: fuzz });
