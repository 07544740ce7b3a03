import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { describeFailures, type Request, runOpenLoop, type Stream } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { growthOfLevel, median } from '../statistics.ts';
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
/** The sections of the table; each is a quarter of an hour. */
const SECTIONS = 4;
const MAX_MEGABYTES = 130;
/** The limit for the second half. The level of a process without a leak varies by less. */
const MAX_GROWTH_MEGABYTES = 3;
const MINUTES = PLAN.memorySeconds / 60;

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

/**
 * Private memory in megabytes. The resident memory would include 50 MB of the Node binary, which all
 * processes share.
 */
const readMemory = (pid: number): number => {
  const pages = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(
    /^Private_(?:Clean|Dirty):\s+(\d+) kB/gm,
  );
  return [...pages].reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0) / 1_024;
};

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

/** The median of each section, because a garbage collection may follow any reading. */
const toLevels = (values: readonly number[]): number[] =>
  Array.from({ length: SECTIONS }, (_, index) =>
    median(
      values.slice(
        Math.floor((index * values.length) / SECTIONS),
        Math.floor(((index + 1) * values.length) / SECTIONS),
      ),
    ),
  );

const reportMemory = ({ report }: BenchRun, before: readonly number[], samples: Samples): void => {
  const levels = KEYS.map((key) => toLevels(samples[key]));
  const growths = KEYS.map((key) => growthOfLevel(samples[key]));
  const finals = levels.map((level) => level.at(-1) ?? Number.NaN);
  const ends = Array.from({ length: SECTIONS }, (_, index) => ((index + 1) * MINUTES) / SECTIONS);
  report.addTable(
    'Private memory of each process, MB: before the load, and the median of each section until the minute',
    ['', 'before', ...ends.map((end) => formatNumber(end)), 'peak', 'growth'],
    KEYS.map((key, index) => [
      PROCESSES[key],
      before[index],
      ...(levels[index] ?? []),
      Math.max(...samples[key]),
      growths[index],
    ]),
  );
  const describe = (values: readonly number[]) =>
    KEYS.map((key, index) => `${PROCESSES[key]} ${formatNumber(values[index] ?? Number.NaN)}`).join(', ');
  report.addResult({
    name: `private memory of the largest process after ${MINUTES} minutes`,
    basis: describe(finals),
    unit: 'MB',
    target: { atMost: MAX_MEGABYTES },
    value: Math.max(...finals),
  });
  report.addResult({
    name: `growth in the last ${MINUTES / 2} minutes, the largest`,
    basis: describe(growths),
    unit: 'MB',
    target: { atMost: MAX_GROWTH_MEGABYTES },
    value: Math.max(...growths),
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
  for (const [name, result] of Object.entries(await load)) {
    const failures = describeFailures(result);
    if (failures !== undefined) throw new Error(`${name}: ${failures}`);
  }
  reportMemory(run, before, samples);
};
