import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { type BenchRun, createSessionPool } from '../bench-run.ts';
import { measureSaturated, type Target } from '../interleaved-runs.ts';
import { HUGE, PLAN, SESSIONS, SMALL } from '../plan.ts';
import { COST_COLUMNS, toCostRows, toRatio } from '../report/ratio.ts';
import { createSeededDatabase } from '../seed-database.ts';
import { createAdministrator, seedSessions, setPasswords } from '../seed-sessions.ts';
import { type Instance, pidsOf } from '../targets/platform.ts';
import { ROOT } from '../targets/processes.ts';
import {
  type LoadSource,
  meWorkload,
  refreshWorkload,
  signInRequest,
  usersListWorkload,
  type Workload,
} from '../workloads.ts';
import { timeByTurns } from './lists.ts';

/** Many sessions, because lookups of the same session would stay in one page of the cache. */
const POOL = 2_000;
/** One in this many token records has expired. */
const EXPIRED_EVERY = 20;
const MAX_RATIO = 1.3;
const USERS = HUGE.users.toLocaleString('en-US');

type Size = LoadSource & {
  name: string;
  databaseUrl: string;
  auth: Instance;
  admin: Instance;
  emails: string[];
};

const openSize = async (
  run: BenchRun,
  size: { name: string; databaseUrl: string; sessions: number },
): Promise<Size> => {
  const { platform } = await run.small();
  const { name, databaseUrl } = size;
  const { secrets, startInstance } = platform;
  const prepared = {
    name,
    databaseUrl,
    secrets,
    adminHeaders: await createAdministrator(databaseUrl, secrets),
    takeSessions: await createSessionPool(databaseUrl, secrets, { sessions: size.sessions, count: POOL }),
    emails: await setPasswords(databaseUrl, '-', PLAN.pageReads + 1),
  };
  const [auth, admin] = [
    await startInstance('auth', { databaseUrl }),
    await startInstance('admin', { databaseUrl }),
  ];
  return { ...prepared, auth, admin };
};

/** Both databases have the same schema and the same kinds of rows. */
const openSizes = async (run: BenchRun): Promise<[small: Size, huge: Size]> => {
  const { databaseUrl: serverUrl } = await run.small();
  const started = performance.now();
  const hugeUrl = await createSeededDatabase(serverUrl, 'huge', HUGE);
  await seedSessions(hugeUrl, HUGE.users, HUGE.users, EXPIRED_EVERY);
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  const [row] = await queryDatabase<{ size: string }>(
    hugeUrl,
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  run.report.addNote(`${USERS} users were seeded in ${minutes} minutes: ${row?.size}`);
  const smallUrl = await createSeededDatabase(serverUrl, 'ten_thousand', SMALL);
  await seedSessions(smallUrl, SMALL.users, SESSIONS, EXPIRED_EVERY);
  return [
    await openSize(run, { name: '10,000', databaseUrl: smallUrl, sessions: SESSIONS }),
    await openSize(run, { name: 'huge', databaseUrl: hugeUrl, sessions: HUGE.users }),
  ];
};

const WORKLOADS: readonly [work: string, 'auth' | 'admin', (size: Size) => Workload][] = [
  ['me', 'auth', (size) => meWorkload(size, 1_000)],
  ['refresh', 'auth', (size) => refreshWorkload(size)],
  ['first page of users', 'admin', usersListWorkload],
];

/** Measures the processor time of frequent requests. */
const measureCosts = async (run: BenchRun, sizes: readonly Size[]): Promise<void> => {
  const { stack } = (await run.small()).platform;
  for (const [work, service, create] of WORKLOADS) {
    const targets = sizes.map((size): Target => {
      const pids = { [service]: size[service].pid() ?? 0, ...pidsOf(stack, ['postgres']) };
      return { name: size.name, url: size[service].url, pids, ...create(size) };
    });
    const results = await measureSaturated(targets);
    run.report.addTable(`${work} by number of users`, COST_COLUMNS, toCostRows(results));
    const name = `${work}, processor time at ${USERS} users against 10,000`;
    run.report.addResult(toRatio(results, { name, of: 'huge', to: '10,000', target: { atMost: MAX_RATIO } }));
  }
};

const PATHS = [
  '/api/v1/users?page=1000',
  '/api/v1/users?role=EMPLOYEE',
  '/api/v1/users?search=anna.smith',
  '/api/v1/projects?search=zeppelin',
];

type Operation = { name: string; run: (size: Size) => Promise<unknown>; isOnce?: true };

const runScript =
  (script: string) =>
  ({ databaseUrl }: Size) =>
    promisify(execFile)(process.execPath, [script], { cwd: ROOT, env: { DATABASE_URL: databaseUrl } });

const fetchOk = async (url: string, options: RequestInit): Promise<void> => {
  const response = await fetch(url, options);
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${url}: ${response.status}`);
};

const OPERATIONS: readonly Operation[] = [
  ...PATHS.map((path) => ({
    name: `GET ${path}`,
    run: ({ admin, adminHeaders: headers }: Size) => fetchOk(admin.url + path, { headers }),
  })),
  {
    name: 'sign-in with a wrong password',
    run: ({ auth, emails }) => {
      const { path, method, headers, body = '' } = signInRequest(emails.shift() ?? '');
      return fetchOk(auth.url + path, { method, headers, body });
    },
  },
  {
    name: 'new index on users',
    run: ({ databaseUrl }) => queryDatabase(databaseUrl, 'create index concurrently on users (updated_at)'),
    isOnce: true,
  },
  { name: 'nightly cleanup', run: runScript('mailer-worker/src/run-cleanup.ts'), isOnce: true },
];

const timeOnce = async (works: readonly (() => Promise<unknown>)[]): Promise<number[]> => {
  const times: number[] = [];
  for (const work of works) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
};

/**
 * Compares the requests and commands of a platform with ten million users and one with ten thousand. It takes
 * 25 GB of disk.
 */
export const measureTenMillion = async (run: BenchRun): Promise<void> => {
  const sizes = await openSizes(run);
  await measureCosts(run, sizes);
  const rows: (string | number)[][] = [];
  for (const { name, run: work, isOnce } of OPERATIONS) {
    const works = sizes.map((size) => () => work(size));
    const times = isOnce ? await timeOnce(works) : await timeByTurns(PLAN.pageReads, ...works);
    const [small = Number.NaN, huge = Number.NaN] = times;
    rows.push([name, small, huge, huge / small]);
  }
  const columns = ['', '10,000 users, ms', `${USERS} users, ms`, 'ratio'];
  run.report.addTable('Operations by number of users', columns, rows);
};
