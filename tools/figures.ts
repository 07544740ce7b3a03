import type { ScenarioRecord } from './scaling-figures.ts';

/** A row of the target table of a benchmark result. */
type TargetRow = { work: string; result: string; target: string; verdict: string };

/** test/results/<suite>.json, written by a suite with `--record`. */
export type SuiteRecord = {
  suite: string;
  command: string;
  /** The main file of its cases. */
  program: string;
  /** What hashCases returned for the program. */
  cases: string;
  commit: string;
  cores: number;
  passed: number;
  failed: number;
  skipped: number;
  values: Record<string, number>;
};

type Scenario = { suite: string; scenario: string; result: string };

/** The rows of the README; in each table, `{name}` in a result stands for a recorded value or count. */
const SCENARIOS: readonly Scenario[] = [
  {
    suite: 'crashes',
    scenario: '`kill -9` of each process under load',
    result:
      'recovery within {crashLongestRecoverySeconds} s; {crashLostWrites} of {crashAcknowledgedWrites} acknowledged writes lost; {crashLostMails} of {crashDueMails} mails lost, {crashDuplicateMails} sent twice',
  },
  {
    suite: 'crashes',
    scenario: 'Redis frozen for 25 s under load',
    result:
      '{frozenRedisFailedRequests} of {frozenRedisRequests} requests failed; {frozenRedisLostMails} of {frozenRedisDueMails} mails lost',
  },
  {
    suite: 'crashes',
    scenario: 'Postgres frozen for 25 s under load',
    result:
      '{frozenPostgresFailedRequests} of {frozenPostgresRequests} requests failed, recovery within {frozenPostgresLongestRecoverySeconds} s; {frozenPostgresLostWrites} of {frozenPostgresAcknowledgedWrites} acknowledged writes lost',
  },
  {
    suite: 'shutdown',
    scenario: 'SIGTERM to each of two instances under load',
    result: '{twoInstancesFailedRequests} of {twoInstancesRequests} requests failed',
  },
  {
    suite: 'shutdown',
    scenario: 'SIGTERM to the only instance under load',
    result: '{oneInstanceInterruptedRequests} of {oneInstanceRequests} requests interrupted',
  },
  {
    suite: 'races',
    scenario: 'concurrent requests that exclude each other',
    result: '{races} races, {roundsPerRace} rounds each: {violations} violations',
  },
  {
    suite: 'smtp-outage',
    scenario: 'mail server unavailable for a minute, worker and Redis killed',
    result: '{passed} checks passed, {failed} failed',
  },
  {
    suite: 'fuzz',
    scenario: 'requests generated from the contract and mutated',
    result: '{serverErrors} server errors in {requests} requests',
  },
  {
    suite: 'security',
    scenario: 'attacks on the running platform',
    result: '{breaches} of {attacks} succeeded',
  },
];

/** The faults of the suite `failover` by their name there, and what the recovery time counts from. */
const FAULTS: Readonly<Record<string, string>> = {
  postgresKill: '`kill -9` of the PostgreSQL primary and its Patroni',
  postgresFreeze: 'PostgreSQL primary and its Patroni frozen',
  postgresPartition: 'PostgreSQL primary cut off from etcd and the standbys',
  postgresSwitchover: 'switchover by Patroni',
  standbyKill: '`kill -9` of the synchronous standby',
  redisKill: '`kill -9` of the Redis primary (Sentinel), from the promotion',
  redisFreeze: 'Redis primary frozen (Sentinel), from the freeze',
  redisSwitchover: '`SENTINEL FAILOVER`, from the promotion',
  pgbouncerKill: '`kill -9` of one of two PgBouncers, from the kill',
  pgbouncerFreeze: 'one of two PgBouncers frozen, from the freeze',
  pgbouncerSwitchover: 'one of two PgBouncers stopped, from the stop',
};

/** The cells of a fault, with its name in front of each value. */
const FAULT_CELLS = [
  '{RecoverySeconds} s',
  '{FailedRequests} of {Requests}',
  '{LostWrites} of {AcknowledgedWrites}',
  '{LostMails} of {DueMails}',
  '{DuplicateMails}',
];

const VERDICTS = new Set(['met', 'NOT MET', 'not measured']);

const toCells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

const toTargetRow = ([work = '', result = '', target = '', verdict = '']: string[]): TargetRow => ({
  work,
  result,
  target,
  verdict: verdict === 'NOT MET' ? '**not met**' : verdict,
});

/** The rows of the target table: the only rows whose fourth cell is a verdict. */
const readTargetRows = (markdown: string): TargetRow[] =>
  markdown
    .split('\n')
    .map(toCells)
    .filter(([, , , verdict = '']) => VERDICTS.has(verdict))
    .map(toTargetRow);

const toTable = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** 2026-11-20-10 is newer than 2026-11-20-9. */
export const findNewest = (names: readonly string[]): string | undefined =>
  names
    .filter((name) => /^\d{4}-\d\d-\d\d-\d+\.md$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);

/**
 * Renders the targets of the benchmark result `name`, whose content is `markdown`.
 * @param long the records of the scenarios that a complete run leaves out, by name
 */
export const renderSpeed = (
  name: string,
  markdown: string,
  long: Readonly<Record<string, ScenarioRecord | undefined>>,
): string => {
  const rows = [
    ...readTargetRows(markdown),
    ...Object.values(long).flatMap((record) => (record?.targets ?? []).map(toTargetRow)),
  ];
  if (rows.length === 0) throw new Error(`bench/results/${name} has no target table`);
  const [, machine = 'an unknown machine'] = /^- machine: (.+)$/m.exec(markdown) ?? [];
  const [, commit = 'an unknown commit'] = /^- commit: (.+)$/m.exec(markdown) ?? [];
  const missed = rows.filter(({ verdict }) => verdict !== 'met').length;
  const table = toTable(
    ['work', 'result', 'target', ''],
    rows.map(({ work, result, target, verdict }) => [work, result, target, verdict]),
  );
  const runs = [`[${name.replace('.md', '')}](bench/results/${name}) at ${commit}, ${machine}`];
  for (const [scenario, record] of Object.entries(long))
    if (record) runs.push(`[${scenario}](bench/results/${scenario}.json) at ${record.environment['commit']}`);
  return `${runs.join('; ')}: ${rows.length - missed} of ${rows.length} targets met.\n\n${table}`;
};

const fillIn = (template: string, { suite, values, passed, failed, skipped }: SuiteRecord): string =>
  template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = { ...values, passed, failed, skipped }[name];
    if (value === undefined) throw new Error(`test/results/${suite}.json has no value ${name}`);
    return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  });

const describeRun = ({ suite, commit, cores }: SuiteRecord): string =>
  `${suite} at ${commit}, ${cores} cores`;

/** One row for each scenario; without a record of its suite it is "not recorded". */
export const renderResilience = (records: readonly SuiteRecord[]): string => {
  const rows = SCENARIOS.map(({ suite, scenario, result }) => {
    const record = records.find((each) => each.suite === suite);
    return [scenario, record ? fillIn(result, record) : 'not recorded', suite];
  });
  const suites = new Set(SCENARIOS.map(({ suite }) => suite));
  const runs = records.filter(({ suite }) => suites.has(suite)).map(describeRun);
  const table = toTable(['scenario', 'result', 'suite'], rows);
  return `${table}\n\nRecorded: ${runs.join('; ') || 'nothing'}.`;
};

export const renderFailover = (records: readonly SuiteRecord[]): string => {
  const record = records.find(({ suite }) => suite === 'failover');
  if (!record) return 'Not recorded: `npm run test:failover -- --record`.';
  const rows = Object.entries(FAULTS).map(([name, fault]) => [
    fault,
    ...FAULT_CELLS.map((cell) => fillIn(cell.replaceAll('{', `{${name}`), record)),
  ]);
  const columns = ['fault', 'last failure', 'failed requests', 'lost writes', 'lost mails', 'sent twice'];
  return `${toTable(columns, rows)}\n\nRecorded: ${describeRun(record)}.`;
};

/** Replaces the text between `<!-- figures: name -->` and `<!-- /figures -->`. @throws Error without these markers */
export const replaceBlock = (page: string, name: string, content: string): string => {
  const block = new RegExp(`(<!-- figures: ${name} -->\\n)[\\s\\S]*?(<!-- /figures -->)`);
  if (!block.test(page)) throw new Error(`There is no block <!-- figures: ${name} --> … <!-- /figures -->`);
  return page.replace(block, (_match, start: string, end: string) => `${start}${content}\n${end}`);
};
