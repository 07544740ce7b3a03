import { queryDatabase } from '@platform/shared/testing/query-database';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';
import type { BenchRun, LargeServers } from '../bench-run.ts';
import { measureSaturated } from '../interleaved-runs.ts';
import { LARGE } from '../plan.ts';
import { COST_COLUMNS, toCostRows, toRatio } from '../report/ratio.ts';
import { md5Of } from '../seed-sessions.ts';
import { pidsOf } from '../targets/platform.ts';

const LIMIT = 100;
const LOAD = { connections: 4, rounds: 5, seconds: 1, warmSeconds: 1 };
/** Owns every fiftieth project in the order of ids. */
const OWNER = md5Of('user1');

const SEED_OWNER = `update projects set owner_id = '${OWNER}'
  where id in (select id from (select id, row_number() over (order by id) as n from projects) p where n % 50 = 0)`;
/** The administrators of one of ten teams each. */
const SEED_MEMBERS = `
  insert into team_members (team_id, employee_id, role, status)
  select t.id, e.id, 'ADMINISTRATOR', 'ACTIVE' from (select id, row_number() over (order by id) as n from teams) t
  join (select id, row_number() over (order by id) as n from employee_profiles order by id limit 10) e on t.n % 10 = e.n - 1`;

type List = { table: 'projects' | 'teams'; query: string; condition: string };

const createLists = (employeeId: string): List[] => {
  const ofEmployee = `id in (select team_id from team_members where employee_id = '${employeeId}')`;
  return [
    { table: 'projects', query: '', condition: 'true' },
    { table: 'projects', query: '&status=DRAFT', condition: "status = 'DRAFT'" },
    // One of fifty projects.
    { table: 'projects', query: '&status=DISPUTED', condition: "status = 'DISPUTED'" },
    { table: 'projects', query: `&ownerId=${OWNER}`, condition: `owner_id = '${OWNER}'` },
    { table: 'teams', query: '', condition: 'true' },
    { table: 'teams', query: '&status=ACTIVE', condition: "status = 'ACTIVE'" },
    { table: 'teams', query: `&employeeId=${employeeId}`, condition: ofEmployee },
  ];
};

/** The cursor of a page contains the id before it. Following `nextCursor` would read ten thousand pages. */
const readCursors = async (databaseUrl: string, { table, condition }: List) => {
  const from = `from ${table} where ${condition}`;
  const [{ count } = { count: 0 }] = await queryDatabase<{ count: number }>(
    databaseUrl,
    `select count(*)::int as count ${from}`,
  );
  const toCursor = async (offset: number): Promise<string> => {
    const text = `select id ${from} order by id offset $1 limit 1`;
    const [row] = await queryDatabase<{ id: string }>(databaseUrl, text, [offset]);
    return `&cursor=${Buffer.from(`${table} ${row?.id}`).toString('base64url')}`;
  };
  return {
    first: '',
    middle: await toCursor(Math.floor(count / 2)),
    last: await toCursor(count - LIMIT - 1),
  };
};

const measureList = async (run: BenchRun, { adminUrl, databaseUrl, pid }: LargeServers, list: List) => {
  const { stack } = (await run.small()).platform;
  const headers = { Authorization: basicAuth(SERVICE.name, SERVICE.secret) };
  const cursors = Object.entries(await readCursors(databaseUrl, list));
  const targets = cursors.map(([name, cursor]) => {
    const path = `/internal/v1/${list.table}?limit=${LIMIT}${list.query}${cursor}`;
    const pids = { 'admin-service': pid() ?? 0, ...pidsOf(stack, ['postgres']) };
    return { name, url: adminUrl, pids, requests: [{ method: 'GET' as const, path, headers }] };
  });
  const results = await measureSaturated(targets, LOAD);
  const name = `${list.table} by ids, ${list.query.slice(1) || 'without a filter'}`;
  run.report.addTable(`${name}, ${LARGE.projects} rows`, COST_COLUMNS, toCostRows(results));
  for (const page of ['middle', 'last'])
    run.report.addResult(
      toRatio(results, {
        ...{ name: `${name}, processor time of the ${page} page`, of: page, to: 'first' },
        target: { atMost: 1.2 },
      }),
    );
};

/** A page of the lists for other services costs the same at each cursor, with each filter. */
export const measureServiceLists = async (run: BenchRun): Promise<void> => {
  const large = await run.large();
  await queryDatabase(large.databaseUrl, SEED_OWNER);
  await queryDatabase(large.databaseUrl, SEED_MEMBERS);
  await queryDatabase(large.databaseUrl, 'vacuum analyze projects, team_members');
  const [employee] = await queryDatabase<{ id: string }>(
    large.databaseUrl,
    'select id from employee_profiles order by id limit 1',
  );
  for (const list of createLists(employee?.id ?? '')) await measureList(run, large, list);
};
