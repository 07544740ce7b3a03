import { randomUUID } from 'node:crypto';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { hash } from 'bcryptjs';
import { describeFailures, type Request, runOpenLoop } from './load/load.ts';
import { PLAN, SMALL } from './plan.ts';
import { readProcessorSeconds } from './processor-time.ts';
import { formatTable } from './report/table.ts';
import { seedDatabase } from './seed-database.ts';
import { setPasswords } from './seed-sessions.ts';
import { median, ratiosOf } from './statistics.ts';
import { type Platform, startPlatform } from './targets/platform.ts';
import type { Defer } from './targets/processes.ts';
import { BENCH_PASSWORD, REFRESH_CARRY, signInRequest, type Workload } from './workloads.ts';

// Both platforms are used through their public API and seeded by the same SQL, so that their code may differ in everything else.

const SESSIONS = 50;
const ACCOUNTS = 1_000;
const PROCESSES = ['gateway', 'auth', 'admin', 'worker', 'postgres', 'redis'] as const;

type Seeded = Platform['stack'] & { emails: string[]; adminEmail: string };

const seedPlatform = async ({ stack }: Platform): Promise<Seeded> => {
  const { databaseUrl } = stack;
  await seedDatabase(databaseUrl, SMALL);
  const passwordHash = await hash(BENCH_PASSWORD, 12);
  const emails = await setPasswords(databaseUrl, passwordHash, ACCOUNTS);
  const adminEmail = `${randomUUID()}@example.com`;
  const insertAdministrator = `with u as (insert into users (email, password_hash) values ($1, $2) returning id, created_at)
    insert into user_roles (user_id, role, user_created_at) select id, 'ADMIN', created_at from u`;
  await queryDatabase(databaseUrl, insertAdministrator, [adminEmail, passwordHash]);
  return { ...stack, emails, adminEmail };
};

const signIn = async ({ gatewayUrl }: Seeded, email: string, kind = 'customers/auth') => {
  const { path, method, headers, body = '' } = signInRequest(email);
  const url = gatewayUrl + path.replace('customers/auth', kind);
  const response = await fetch(url, { method, headers, body });
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  const { token, session } = (await response.json()) as { token: string; session: { id: string } };
  const device = { 'X-Fingerprint': headers['X-Fingerprint'] ?? '' };
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    access: { ...device, Authorization: `Bearer ${token}` },
    refresh: { ...device, Cookie: cookie, 'X-Session-Id': session.id },
  };
};

/** One after the other, because auth-service limits concurrent sign-ins. */
const signInAll = async (platform: Seeded) => {
  const sessions: Awaited<ReturnType<typeof signIn>>[] = [];
  for (const email of platform.emails.slice(0, SESSIONS)) sessions.push(await signIn(platform, email));
  return sessions;
};

type Comparison = {
  perSecond: number;
  create: (platform: Seeded) => Promise<Workload>;
  /** Each request succeeds only once. */
  isOnce?: true;
};

/** The scenarios that can be compared between checkouts. */
export const COMPARABLE: Readonly<Record<string, Comparison>> = {
  me: {
    perSecond: 500,
    create: async (platform) => ({
      requests: (await signInAll(platform)).map(({ access: headers }) => ({
        ...{ method: 'GET', path: '/api/v1/customers/auth/me', headers },
      })),
    }),
  },
  refresh: {
    perSecond: 200,
    create: async (platform) => ({
      requests: (await signInAll(platform)).map(({ refresh: headers }) => ({
        ...{ method: 'GET', path: '/api/v1/customers/auth/refresh/token', headers },
      })),
      carry: REFRESH_CARRY,
    }),
  },
  'sign-in': {
    perSecond: 3,
    create: async ({ emails }) => ({ requests: emails.map(signInRequest) }),
  },
  list: {
    perSecond: 200,
    create: async (platform) => {
      const { access: headers } = await signIn(platform, platform.adminEmail, 'auth/admin');
      return { requests: [{ method: 'GET', path: '/api/v1/users?page=1&perPage=10', headers }] };
    },
  },
  'verify-team': {
    perSecond: 100,
    isOnce: true,
    create: async (platform) => {
      const { access: headers } = await signIn(platform, platform.adminEmail, 'auth/admin');
      const teams = await queryDatabase<{ id: string }>(
        platform.databaseUrl,
        "update teams set status = 'ONBOARDING', verified_at = null returning id",
      );
      const toRequest = ({ id }: { id: string }): Request => ({
        ...{ method: 'POST', path: `/api/v1/administrator/teams/${id}/verify`, headers },
      });
      return { requests: teams.map(toRequest) };
    },
  },
};

const readSeconds = ({ pids }: Seeded): number =>
  PROCESSES.reduce((sum, process) => sum + readProcessorSeconds(pids[process]), 0);

/** @returns a function that runs one round and returns the microseconds of all processes for each request */
const createRounds = async (platform: Seeded, { perSecond, create, isOnce }: Comparison) => {
  let { requests, carry } = await create(platform);
  return async (seconds: number): Promise<number> => {
    const stream = { name: 'round', perSecond, requests, ...(carry && { carry }) };
    const { gatewayUrl: url } = platform;
    const before = readSeconds(platform);
    const { round } = await runOpenLoop({
      url,
      connections: PLAN.connections,
      duration: seconds,
      streams: [stream],
    });
    const spent = readSeconds(platform) - before;
    const failures = round ? describeFailures(round) : 'no result';
    if (!round || failures !== undefined) throw new Error(failures);
    if (carry) requests = round.nextRequests;
    if (isOnce) requests = requests.slice(round.requests);
    return (spent * 1e6) / round.requests;
  };
};

const COLUMNS = ['scenario', 'this µs', 'other µs', 'ratio', 'ratios of the rounds'];

const compare = async (
  name: string,
  comparison: Comparison,
  ours: Seeded,
  other: Seeded,
): Promise<string[]> => {
  const targets = [await createRounds(ours, comparison), await createRounds(other, comparison)];
  for (const round of targets) await round(PLAN.warmSeconds);
  const times: [number[], number[]] = [[], []];
  for (let count = 0; count < PLAN.comparisonRounds; count += 1)
    for (const index of count % 2 === 0 ? [0, 1] : [1, 0])
      times[index]?.push((await targets[index]?.(PLAN.comparisonSeconds)) ?? Number.NaN);
  const ratios = ratiosOf(...times);
  const range = `${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)}`;
  return [name, ...times.map((values) => median(values).toFixed(0)), median(ratios).toFixed(3), range];
};

/**
 * Prints the processor time of all processes for a request, on this checkout and on another one. Rounds alternate, so that other
 * activity of the machine affects both alike. Linux only. @param root the other checkout, with its packages installed
 */
export const compareCheckouts = async (
  names: readonly string[],
  root: string,
  defer: Defer,
): Promise<void> => {
  const other = await seedPlatform(await startPlatform(defer, root));
  const ours = await seedPlatform(await startPlatform(defer));
  const rows: string[][] = [];
  for (const name of names) {
    const comparison = COMPARABLE[name];
    if (!comparison) throw new Error(`The scenario ${name} cannot be compared`);
    rows.push(await compare(name, comparison, ours, other));
    console.log(rows.at(-1)?.join('  '));
  }
  const title = `Processor time of a request, ${PLAN.comparisonRounds} rounds of ${PLAN.comparisonSeconds} s`;
  console.log(`\n${title}; other: ${root}\n\n${formatTable([COLUMNS, ...rows])}`);
};
