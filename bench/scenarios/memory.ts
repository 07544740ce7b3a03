import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { describeFailures, type LoadResult, type Request, runOpenLoop, type Stream } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { growthOfPeak } from '../statistics.ts';
import { meWorkload, refreshWorkload, signInRequest, usersListWorkload } from '../workloads.ts';

const PROCESSES = {
  gateway: 'gateway',
  auth: 'auth-service',
  admin: 'admin-service',
  worker: 'mailer-worker',
};
type ProcessKey = keyof typeof PROCESSES;
const KEYS = Object.keys(PROCESSES) as ProcessKey[];

const SAMPLE_SECONDS = 2;
const SETTLE_SECONDS = 5;
const MAX_MEGABYTES = 150;
/** The peak of a process without a leak varies by this much. */
const TOLERANCE_MEGABYTES = 5;

const post = (path: string, body: object): Request => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const contactRequest = (email: string): Request =>
  post('/api/v1/contact/lead', { name: 'Bench', email, message: 'A shop for spare parts, please.' });

const codeRequest = (email: string): Request =>
  post('/api/v1/customers/auth/reset-password/email/code/send', { email });

/** A mix of all features, so that all four processes have work. */
const createStreams = (platform: SeededPlatform): Stream[] => {
  const { emails, adminHeaders: headers } = platform;
  const search: Request = { method: 'GET', path: '/api/v1/projects?search=bakery', headers };
  return [
    { name: 'me', perSecond: 300, ...meWorkload(platform, 1_000) },
    { name: 'refresh', perSecond: 40, ...refreshWorkload(platform, 100) },
    { name: 'users list', perSecond: 20, ...usersListWorkload(platform) },
    { name: 'projects search', perSecond: 5, requests: [search] },
    { name: 'sign-in', perSecond: 2, requests: emails.map(signInRequest) },
    { name: 'contact form', perSecond: 2, requests: emails.map(contactRequest) },
    { name: 'code by e-mail', perSecond: 2, requests: emails.toReversed().map(codeRequest) },
  ];
};

/** Resident memory, in megabytes. */
const readMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

type Samples = Record<ProcessKey, number[]>;

const sampleDuring = async (pids: Record<ProcessKey, number>, work: Promise<unknown>): Promise<Samples> => {
  const samples: Samples = { gateway: [], auth: [], admin: [], worker: [] };
  let isOver = false;
  void work
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    for (const name of KEYS) samples[name].push(readMemory(pids[name]));
    await delay(SAMPLE_SECONDS * 1_000);
  }
  return samples;
};

const reportLoad = ({ report }: BenchRun, results: Record<string, LoadResult>): void =>
  report.addTable(
    `The load of the memory measurement, for ${PLAN.memorySeconds} s`,
    ['', 'requests', 'p50 ms', 'p99 ms', 'failures'],
    Object.entries(results).map(([name, result]) => [
      ...[
        name,
        result.requests.toLocaleString('en-US'),
        result.p50,
        result.p99,
        describeFailures(result) ?? 'none',
      ],
    ]),
  );

type MemoryUse = { name: string; before: number; peak: number; after: number; growth: number };

const reportMemory = ({ report }: BenchRun, uses: readonly MemoryUse[]): void => {
  report.addTable(
    'Resident memory of each process, MB',
    ['', 'before', 'peak', 'after', 'growth of the peak from the first half to the second'],
    uses.map(({ name, before, peak, after, growth }) => [name, before, peak, after, growth]),
  );
  const list = (read: (use: MemoryUse) => number) =>
    uses.map((use) => `${use.name} ${formatNumber(read(use))}`).join(', ');
  report.addResult({
    name: `memory after ${PLAN.memorySeconds / 60} minutes of load, the largest process`,
    basis: list(({ after }) => after),
    unit: 'MB',
    target: { atMost: MAX_MEGABYTES },
    value: Math.max(...uses.map(({ after }) => after)),
  });
  report.addResult({
    name: 'growth of the memory peak from the first half to the second, the largest',
    basis: list(({ growth }) => growth),
    unit: 'MB',
    target: { atMost: TOLERANCE_MEGABYTES },
    value: Math.max(...uses.map(({ growth }) => growth)),
  });
};

/** Memory before, under and after a long mixed load. */
export const measureMemory = async (run: BenchRun): Promise<void> => {
  if (process.platform !== 'linux')
    return run.report.addNote('The memory of each process is only available on Linux');
  const platform = await run.small();
  const { pids } = platform.platform.stack;
  const streams = createStreams(platform);
  const before = KEYS.map((name) => readMemory(pids[name]));
  const { gatewayUrl: url } = platform;
  const load = runOpenLoop({ url, connections: 50, duration: PLAN.memorySeconds, streams });
  const samples = await sampleDuring(pids, load);
  const results = await load;
  await delay(SETTLE_SECONDS * 1_000);
  reportLoad(run, results);
  reportMemory(
    run,
    KEYS.map((name, index) => ({
      name: PROCESSES[name],
      before: before[index] ?? Number.NaN,
      peak: Math.max(...samples[name]),
      after: readMemory(pids[name]),
      growth: growthOfPeak(samples[name]),
    })),
  );
};
