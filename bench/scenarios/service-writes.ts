import { randomUUID } from 'node:crypto';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';
import type { BenchRun } from '../bench-run.ts';
import { measureSaturated, type Target } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { LARGE, PLAN, SMALL } from '../plan.ts';
import { COST_COLUMNS, toCostRows, toRatio } from '../report/ratio.ts';
import { md5Of } from '../seed-sessions.ts';
import { pidsOf } from '../targets/platform.ts';

const WRITE_CONNECTIONS = 10;
/** More than a run sends, because a repeated request changes nothing. */
const WRITES = 60_000;
const IDS_OF_A_LIST = 20;
/** One of twenty projects is deleted (seed-projects.ts). */
const DELETED_EVERY = 20;

const HEADERS = {
  Authorization: basicAuth(SERVICE.name, SERVICE.secret),
  'Content-Type': 'application/json',
};
const TEXTS = { title: 'Online shop for a bakery', description: 'Twelve products.', category: 'WEB' };

const repeat = (count: number, create: (index: number) => Request): Request[] =>
  Array.from({ length: count }, (_, index) => create(index));

/** A project from anywhere in the table that is not deleted. */
const pickProject = (rows: number): string => {
  const number = 1 + Math.floor(Math.random() * (rows - 1));
  return md5Of(`project${number % DELETED_EVERY === 0 ? number + 1 : number}`);
};

const write = (method: 'PUT' | 'PATCH', path: string, body: object): Request => ({
  method,
  path: `/internal/v1/${path}`,
  headers: HEADERS,
  body: JSON.stringify(body),
});

/** Each creates a project, and needs the user of the seeds that is a customer. */
export const putProjects = (): Request[] =>
  repeat(WRITES, () => write('PUT', `projects/${randomUUID()}`, { ownerId: md5Of('user1'), ...TEXTS }));

/** Each changes a seeded project. */
export const patchProjects = (rows: number): Request[] =>
  repeat(WRITES, (index) =>
    write('PATCH', `projects/${pickProject(rows)}`, { title: `Shop ${index}-${randomUUID()}` }),
  );

const readByIds = (list: string, pickId: () => string): Request => ({
  method: 'GET',
  path: `/internal/v1/${list}?${Array.from({ length: IDS_OF_A_LIST }, () => `id=${pickId()}`).join('&')}`,
  headers: HEADERS,
});

const pickOne = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? '';

const readIds = async (databaseUrl: string, table: string): Promise<string[]> => {
  const text = `select id from ${table} order by random() limit 10000`;
  return (await queryDatabase<{ id: string }>(databaseUrl, text)).map(({ id }) => id);
};

type Database = { databaseUrl: string; projects: number; backOffice: Record<string, string> };

/** The requests of another service and of the back office's lists, for a database with this many projects. */
const createRequests = async ({ databaseUrl, projects, backOffice }: Database) => {
  const [teams, employees] = [
    await readIds(databaseUrl, 'teams'),
    await readIds(databaseUrl, 'employee_profiles'),
  ];
  const list = (path: string): Request[] => [{ method: 'GET', path, headers: backOffice }];
  return {
    'PUT project': putProjects(),
    'PATCH project': patchProjects(projects),
    'projects by ids': repeat(1_000, () => readByIds('projects', () => pickProject(projects))),
    'PUT team': repeat(WRITES, () => {
      const id = randomUUID();
      return write('PUT', `teams/${id}`, { name: `Studio ${id}`, administratorId: pickOne(employees) });
    }),
    'PATCH team': repeat(WRITES, (index) =>
      write('PATCH', `teams/${pickOne(teams)}`, { bio: `Five people ${index}-${randomUUID()}` }),
    ),
    'teams by ids': repeat(1_000, () => readByIds('teams', () => pickOne(teams))),
    'projects list': list('/api/v1/projects?page=1&perPage=10'),
    'teams list': list('/api/v1/administrator/teams?page=1&perPage=10'),
  };
};

/** Compares the requests at many projects and teams with the same ones at few. */
export const measureServiceWrites = async (run: BenchRun): Promise<void> => {
  const small = await run.small();
  const large = await run.large();
  const { stack } = small.platform;
  const smallRequests = await createRequests({
    ...{ databaseUrl: small.databaseUrl, projects: SMALL.projects, backOffice: small.adminHeaders },
  });
  const largeRequests: Record<string, Request[]> = await createRequests({
    ...{ databaseUrl: large.databaseUrl, projects: LARGE.projects, backOffice: large.headers },
  });
  for (const [work, requests] of Object.entries(smallRequests)) {
    const [few, many] = [`${work}, ${SMALL.projects} rows`, `${work}, ${LARGE.projects} rows`];
    const targets: Target[] = [
      { name: few, url: stack.adminUrl, requests, pids: pidsOf(stack, ['admin', 'postgres']) },
      {
        name: many,
        url: large.adminUrl,
        requests: largeRequests[work] ?? [],
        pids: { 'admin-service': large.pid() ?? 0, ...pidsOf(stack, ['postgres']) },
      },
    ];
    const results = await measureSaturated(targets, { connections: WRITE_CONNECTIONS });
    run.report.addTable(
      `${work}, ${WRITE_CONNECTIONS} connections, medians of ${PLAN.rounds} × ${PLAN.seconds} s`,
      COST_COLUMNS,
      toCostRows(results),
    );
    run.report.addResult(
      toRatio(results, {
        ...{ name: `${work}, processor time at ${LARGE.projects} rows`, of: many, to: few },
        target: { atMost: 1.2 },
      }),
    );
  }
};
