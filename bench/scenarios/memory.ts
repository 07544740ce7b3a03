import { setTimeout as delay } from 'node:timers/promises';
import type { BenchRun, PlatformMarket } from '../bench-run.ts';
import { applyPacedLoad, faultOf, type LoadResult } from '../load/load.ts';
import type { Stream } from '../load/open-loop-load.ts';
import type { Request } from '../load/requests.ts';
import { PLAN } from '../plan.ts';
import { canReadProcesses, readMemory } from '../process-stats.ts';
import { showNumber } from '../report/table.ts';
import { meRequest, REFRESH_CARRY, refreshRequest } from '../seed-sessions.ts';
import { growthOfPeak } from '../statistics.ts';
import { signInRequest } from './sign-in.ts';

const PROCESSES = {
  gateway: 'gateway',
  auth: 'auth-service',
  admin: 'admin-service',
  worker: 'mailer-worker',
};
type Watched = keyof typeof PROCESSES;
const WATCHED = Object.keys(PROCESSES) as Watched[];

const SAMPLE_SECONDS = 2;
const SETTLE_SECONDS = 5;
const MAX_MEGABYTES = 150;
/** The height at which a process without a leak is collected varies by so much. */
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

/** What a busy platform does: a little of everything, so that all four processes have work. */
const mixStreams = (market: PlatformMarket): Stream[] => {
  const { takeSessions, platform, emails, adminHeaders: headers } = market;
  const { secrets } = platform;
  const list = (path: string): Request[] => [{ method: 'GET', path: `/api/v1${path}`, headers }];
  return [
    {
      name: 'me',
      perSecond: 300,
      requests: takeSessions(1_000).map((session) => meRequest(session, secrets)),
    },
    {
      name: 'refresh',
      perSecond: 40,
      requests: takeSessions(100).map((session) => refreshRequest(session, secrets)),
      carry: REFRESH_CARRY,
    },
    { name: 'users list', perSecond: 20, requests: list('/users?page=1&perPage=10') },
    { name: 'projects search', perSecond: 5, requests: list('/projects?search=bakery') },
    { name: 'sign-in', perSecond: 2, requests: emails.map(signInRequest) },
    { name: 'contact form', perSecond: 2, requests: emails.map(contactRequest) },
    { name: 'code by e-mail', perSecond: 2, requests: emails.toReversed().map(codeRequest) },
  ];
};

type Samples = Record<Watched, number[]>;

const sampleDuring = async (pids: Record<Watched, number>, work: Promise<unknown>): Promise<Samples> => {
  const samples: Samples = { gateway: [], auth: [], admin: [], worker: [] };
  let isOver = false;
  void work
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    for (const name of WATCHED) samples[name].push(readMemory(pids[name]));
    await delay(SAMPLE_SECONDS * 1_000);
  }
  return samples;
};

const showLoad = ({ report }: BenchRun, results: Record<string, LoadResult>): void =>
  report.table(
    `The load of the memory figures, for ${PLAN.memorySeconds} s`,
    ['', 'requests', 'p50 ms', 'p99 ms', 'faults'],
    Object.entries(results).map(([name, result]) => [
      ...[name, result.requests.toLocaleString('en-US'), result.p50, result.p99, faultOf(result) ?? 'none'],
    ]),
  );

type Figures = { name: string; before: number; under: number; after: number; growth: number };

const showFigures = ({ report }: BenchRun, figures: readonly Figures[]): void => {
  report.table(
    'Resident memory of each process, MB',
    ['', 'before', 'most under load', 'after', 'growth of the most, from the first half to the second'],
    figures.map(({ name, before, under, after, growth }) => [name, before, under, after, growth]),
  );
  const list = (figure: (of: Figures) => number) =>
    figures.map((of) => `${of.name} ${showNumber(figure(of))}`).join(', ');
  report.line({
    work: `memory after ${PLAN.memorySeconds / 60} minutes of load, the largest process`,
    of: list(({ after }) => after),
    unit: 'MB',
    target: { atMost: MAX_MEGABYTES },
    figure: Math.max(...figures.map(({ after }) => after)),
  });
  report.line({
    work: 'most memory in the second half of it over that in the first, the largest growth',
    of: list(({ growth }) => growth),
    unit: 'MB',
    target: { atMost: TOLERANCE_MEGABYTES },
    figure: Math.max(...figures.map(({ growth }) => growth)),
  });
};

/** Memory before, under and after a long mixed load. */
export const measureMemory = async (run: BenchRun): Promise<void> => {
  if (!canReadProcesses) return run.report.note('Only Linux tells how much memory a process has');
  const market = await run.small();
  const { pids } = market.platform.stack;
  const streams = mixStreams(market);
  const before = WATCHED.map((name) => readMemory(pids[name]));
  const { gatewayUrl: url } = market;
  const load = applyPacedLoad({ url, connections: 50, duration: PLAN.memorySeconds, streams });
  const samples = await sampleDuring(pids, load);
  const results = await load;
  await delay(SETTLE_SECONDS * 1_000);
  showLoad(run, results);
  showFigures(
    run,
    WATCHED.map((name, index) => ({
      name: PROCESSES[name],
      before: before[index] ?? Number.NaN,
      under: Math.max(...samples[name]),
      after: readMemory(pids[name]),
      growth: growthOfPeak(samples[name]),
    })),
  );
};
