import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { basicAuth, SERVICE, SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import type { BenchRun } from '../bench-run.ts';
import { type LoadResult, type Request, runClientLoops, runOpenLoop } from '../load/load.ts';
import { PLAN, SMALL } from '../plan.ts';
import type { Result } from '../report/table.ts';
import { md5Of } from '../seed-sessions.ts';

const MARKET = { name: 'market', secret: 'market-secret-of-the-tests-000000000000009' };
const VARIABLES = {
  SERVICES: `${SERVICE.name},${MARKET.name}`,
  SERVICE_PROJECTS_SCOPES: SERVICE_ENVIRONMENT.SERVICE_PROJECTS_SCOPES,
  SERVICE_MARKET_SECRET: MARKET.secret,
  SERVICE_MARKET_SCOPES: 'projects:read',
};
const EVENTS = 20_000;
const INSERT_EVENTS = `insert into events (type, subject, data)
  select 'project.edited', md5('project' || n)::uuid, '{"fields":["title"]}' from generate_series(1, $1::int) n`;

/** The other service sends these at a constant rate, independently of the first one. */
const READS_PER_SECOND = 40;
const READERS = 20;
const LONG_POLLS = 300;
const SECONDS = Math.max(2, PLAN.hashSeconds);

const toRequest = ({ name, secret }: typeof SERVICE, path: string): Request => ({
  method: 'GET',
  path: `/internal/v1/${path}`,
  headers: { Authorization: basicAuth(name, secret) },
});

/** Reads until the end, so that long polls wait. */
const readToEnd = async (url: string): Promise<string> => {
  for (let after = ''; ; ) {
    const { path, headers } = toRequest(SERVICE, `events?limit=1000${after && `&after=${after}`}`);
    const response = await fetch(url + path, { headers });
    const { data, next } = (await response.json()) as { data: unknown[]; next: string };
    if (data.length === 0) return next;
    after = next;
  }
};

/** One service takes more than its share: pages of events, long polls and lists, without a pause. */
const overload = async (url: string, honorsRetryAfter: boolean): Promise<Record<string, LoadResult>> =>
  runClientLoops({
    url,
    duration: SECONDS + 2,
    honorsRetryAfter,
    loops: [
      { name: 'events', connections: READERS, request: toRequest(SERVICE, 'events?limit=1000') },
      { name: 'lists', connections: 1, request: toRequest(SERVICE, 'projects?limit=1000') },
      {
        name: 'long polls',
        connections: LONG_POLLS,
        request: toRequest(SERVICE, `events?after=${await readToEnd(url)}&wait=25`),
      },
    ],
  });

const measureOther = async (url: string): Promise<LoadResult> => {
  const requests = Array.from({ length: 1_000 }, (_, index) =>
    toRequest(MARKET, `projects/${md5Of(`project${1 + (index % SMALL.projects)}`)}`),
  );
  const streams = [{ name: 'reads', perSecond: READS_PER_SECOND, requests }];
  const { reads } = await runOpenLoop({ url, connections: 20, duration: SECONDS, streams });
  if (!reads) throw new Error('The load has no result');
  return reads;
};

const countErrors = (results: readonly LoadResult[], isError: (status: number) => boolean): number =>
  results.reduce(
    (sum, { statuses, unanswered }) =>
      sum +
      unanswered +
      Object.entries(statuses).reduce(
        (found, [status, count]) => found + (isError(Number(status)) ? count : 0),
        0,
      ),
    0,
  );

const toCount = (name: string, value: number, basis: string): Result => ({
  name,
  unit: '×',
  target: { atMost: 0 },
  value,
  basis,
});

/** The other one is measured while `overload` runs. */
const measureBeside = async (run: BenchRun, url: string, idle: LoadResult, honorsRetryAfter: boolean) => {
  const overloading = overload(url, honorsRetryAfter);
  await delay(1_000);
  const loaded = await measureOther(url);
  const overloaded = await overloading;
  const manner = honorsRetryAfter ? 'honors Retry-After' : 'ignores Retry-After';
  const toRow = (name: string, { p50, p95, p99, statuses }: LoadResult) => [
    ...[name, p50, p95, p99, JSON.stringify(statuses)],
  ];
  run.report.addTable(
    `GET of a project by one service, ${READS_PER_SECOND} a second, while another one, which ${manner}, reads pages of 1,000 events (${READERS} connections), waits for events (${LONG_POLLS}) and lists projects`,
    ['', 'p50 ms', 'p95 ms', 'p99 ms', 'statuses'],
    [
      toRow('idle', idle),
      toRow('beside it', loaded),
      ...Object.entries(overloaded).map(([name, result]) => toRow(`its ${name}`, result)),
    ],
  );
  run.report.addResult({
    name: `a service's GET beside a service that takes all it gets and ${manner}, p99`,
    unit: '×',
    target: { atMost: 3 },
    value: loaded.p99 / idle.p99,
    basis: `${loaded.p99.toFixed(1)} ms against ${idle.p99.toFixed(1)} ms`,
  });
  const failures = countErrors([idle, loaded], (status) => status !== 200);
  run.report.addResult(toCount('of these, other responses than 200', failures, 'both services'));
  const serverErrors = countErrors(Object.values(overloaded), (status) => status >= 500);
  run.report.addResult(
    toCount('5xx of the other service', serverErrors, JSON.stringify(overloaded['events']?.statuses)),
  );
};

/** How much one service that takes all it gets slows the requests of another one at the same instance. */
export const measureServiceShares = async (run: BenchRun): Promise<void> => {
  const { platform, databaseUrl } = await run.small();
  await queryDatabase(databaseUrl, INSERT_EVENTS, [EVENTS]);
  const { url } = await platform.startInstance('admin', {}, VARIABLES);
  await measureOther(url);
  const idle = await measureOther(url);
  for (const honorsRetryAfter of [true, false]) await measureBeside(run, url, idle, honorsRetryAfter);
};
