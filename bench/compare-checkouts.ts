import { randomUUID } from 'node:crypto';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { hash } from 'bcryptjs';
import type { BenchRun } from './bench-run.ts';
import { measureSaturated, type SaturationOptions, type Target } from './interleaved-runs.ts';
import { PLAN, SERVICE_CONNECTIONS, SMALL } from './plan.ts';
import { COST_COLUMNS, toCostRows, toRatio } from './report/ratio.ts';
import type { Limit } from './report/table.ts';
import { patchProjects, putProjects } from './scenarios/service-writes.ts';
import { seedDatabase } from './seed-database.ts';
import { setPasswords } from './seed-sessions.ts';
import { type Platform, pidsOf, startPlatform } from './targets/platform.ts';
import {
  BENCH_PASSWORD,
  introspectRequest,
  REFRESH_CARRY,
  signInRequest,
  type Workload,
} from './workloads.ts';

// Both platforms are used through their public API and seeded with the same SQL, so the rest of their code
// may differ.

/** Each connection refreshes one session. */
const SESSIONS = PLAN.connections;
const PROCESSES = ['gateway', 'auth', 'admin', 'worker', 'postgres', 'redis'] as const;

type Seeded = Platform['stack'] & { emails: string[]; adminEmail: string };

const seedPlatform = async ({ stack }: Platform): Promise<Seeded> => {
  const { databaseUrl } = stack;
  await seedDatabase(databaseUrl, SMALL);
  const passwordHash = await hash(BENCH_PASSWORD, 12);
  const emails = await setPasswords(databaseUrl, passwordHash, SESSIONS);
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
    token,
    access: { ...device, Authorization: `Bearer ${token}` },
    refresh: { ...device, Cookie: cookie, 'X-Session-Id': session.id },
  };
};

/** Signs in one after the other, because auth-service limits concurrent sign-ins. */
const signInAll = async (platform: Seeded) => {
  const sessions: Awaited<ReturnType<typeof signIn>>[] = [];
  for (const email of platform.emails) sessions.push(await signIn(platform, email));
  return sessions;
};

type Comparison = {
  name: string;
  create: (platform: Seeded) => Promise<Workload>;
  /** Compares only this process instead of all. */
  process?: string;
  /** Other services send their requests to this service directly. */
  internalOf?: 'auth' | 'admin';
  load?: SaturationOptions;
};

/** A change that is meant to be neutral may cost this much: shared machines vary by it. */
const NEUTRAL: Limit = { atMost: 1.03 };

const COMPARISONS: readonly Comparison[] = [
  {
    name: 'me',
    process: 'auth-service',
    create: async (platform) => ({
      requests: (await signInAll(platform)).map(({ access: headers }) => ({
        method: 'GET',
        path: '/api/v1/customers/auth/me',
        headers,
      })),
    }),
  },
  {
    name: 'refresh',
    create: async (platform) => ({
      requests: (await signInAll(platform)).map(({ refresh: headers }) => ({
        method: 'GET',
        path: '/api/v1/customers/auth/refresh/token',
        headers,
      })),
      carry: REFRESH_CARRY,
    }),
  },
  {
    name: 'users list',
    create: async (platform) => {
      const { access: headers } = await signIn(platform, platform.adminEmail, 'auth/admin');
      return { requests: [{ method: 'GET', path: '/api/v1/users?page=1&perPage=10', headers }] };
    },
  },
  {
    name: 'sign-in',
    // One for each hash worker of a machine with two processors: on a busy one, sign-ins that queue would
    // wait for longer than 3 s and be rejected.
    load: { connections: 2, rounds: PLAN.hashRounds, seconds: PLAN.hashSeconds },
    create: async ({ emails }) => ({ requests: emails.map(signInRequest) }),
  },
  {
    name: 'introspection',
    process: 'auth-service',
    internalOf: 'auth',
    load: { connections: SERVICE_CONNECTIONS },
    create: async (platform) => ({
      requests: (await signInAll(platform)).map(({ token }) => introspectRequest(token)),
    }),
  },
  {
    name: 'PUT project',
    process: 'admin-service',
    internalOf: 'admin',
    load: { connections: SERVICE_CONNECTIONS },
    create: async () => ({ requests: putProjects() }),
  },
  {
    name: 'PATCH project',
    process: 'admin-service',
    internalOf: 'admin',
    load: { connections: SERVICE_CONNECTIONS },
    create: async () => ({ requests: patchProjects(SMALL.projects) }),
  },
];

const toTarget = async (
  name: string,
  platform: Seeded,
  { create, internalOf }: Comparison,
): Promise<Target> => ({
  name,
  url: platform[`${internalOf ?? 'gateway'}Url`],
  pids: pidsOf(platform, PROCESSES),
  ...(await create(platform)),
});

/**
 * Compares the processor time of this checkout with that of `run.against`, whose packages must be installed.
 */
export const compareCheckouts = async ({ against, defer, report }: BenchRun): Promise<void> => {
  if (against === undefined) throw new Error('run with --against <another checkout>');
  const { commit, root } = against;
  const other = await seedPlatform(await startPlatform(defer, root));
  const ours = await seedPlatform(await startPlatform(defer));
  for (const comparison of COMPARISONS) {
    const { name, process, load } = comparison;
    const targets = [
      await toTarget('this checkout', ours, comparison),
      await toTarget(commit, other, comparison),
    ];
    const results = await measureSaturated(targets, load);
    report.addTable(`${name}, this checkout and ${commit}`, COST_COLUMNS, toCostRows(results));
    const work = `${name}, processor time of ${process ?? 'all processes'} against ${commit}`;
    const sides = { of: 'this checkout', to: commit, ...(process && { process }) };
    report.addResult(toRatio(results, { name: work, target: NEUTRAL, ...sides }));
  }
};
