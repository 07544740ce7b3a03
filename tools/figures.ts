/** A row of the target table of a benchmark result. */
type TargetRow = { work: string; result: string; target: string; verdict: string };

/** test/results/<suite>.json, written by a suite with `--record`. */
export type SuiteRecord = {
  suite: string;
  command: string;
  date: string;
  cores: number;
  passed: number;
  failed: number;
  skipped: number;
  values: Record<string, number>;
};

type Scenario = { suite: string; command: string; scenario: string; result: string };

/** The rows of the README; in each table, `{name}` in a result stands for a recorded value or count. */
const SCENARIOS: readonly Scenario[] = [
  {
    suite: 'crashes',
    command: 'npm run test:resilience -- crashes',
    scenario: '`kill -9` of each process under load',
    result:
      'recovery within {crashLongestRecoverySeconds} s; {crashLostWrites} of {crashAcknowledgedWrites} acknowledged writes lost; {crashLostMails} of {crashDueMails} mails lost, {crashDuplicateMails} sent twice',
  },
  {
    suite: 'crashes',
    command: 'npm run test:resilience -- crashes',
    scenario: 'Redis frozen for 25 s under load',
    result:
      '{frozenRedisFailedRequests} of {frozenRedisRequests} requests failed; {frozenRedisLostMails} of {frozenRedisDueMails} mails lost',
  },
  {
    suite: 'crashes',
    command: 'npm run test:resilience -- crashes',
    scenario: 'Postgres frozen for 25 s under load',
    result:
      '{frozenPostgresFailedRequests} of {frozenPostgresRequests} requests failed, recovery within {frozenPostgresLongestRecoverySeconds} s; {frozenPostgresLostWrites} of {frozenPostgresAcknowledgedWrites} acknowledged writes lost',
  },
  {
    suite: 'shutdown',
    command: 'npm run test:resilience -- shutdown',
    scenario: 'SIGTERM to each of two instances under load',
    result: '{twoInstancesFailedRequests} of {twoInstancesRequests} requests failed',
  },
  {
    suite: 'shutdown',
    command: 'npm run test:resilience -- shutdown',
    scenario: 'SIGTERM to the only instance under load',
    result: '{oneInstanceInterruptedRequests} of {oneInstanceRequests} requests interrupted',
  },
  {
    suite: 'races',
    command: 'npm run test:resilience -- races',
    scenario: 'concurrent requests that exclude each other',
    result: '{races} races, {roundsPerRace} rounds each: {violations} violations',
  },
  {
    suite: 'smtp-outage',
    command: 'npm run test:resilience -- smtp-outage',
    scenario: 'mail server unavailable for a minute, worker and Redis killed',
    result: '{passed} checks passed, {failed} failed',
  },
  {
    suite: 'fuzz',
    command: 'npm run test:fuzz',
    scenario: 'requests generated from the contract and mutated',
    result: '{serverErrors} server errors in {requests} requests',
  },
  {
    suite: 'security',
    command: 'npm run test:security',
    scenario: 'attacks on the running platform',
    result: '{breaches} of {attacks} succeeded',
  },
];

/** The scenario of the suite `failover`, and what its recovery time counts from. */
const FAULTS: readonly { name: string; fault: string; since: string }[] = [
  { name: 'postgres-kill', fault: '`kill -9` of the PostgreSQL primary', since: 'promotion' },
  { name: 'postgres-freeze', fault: 'PostgreSQL primary frozen', since: 'freeze' },
  { name: 'postgres-switchover', fault: 'PostgreSQL primary stopped', since: 'promotion' },
  { name: 'standby-gone', fault: 'the only synchronous standby gone for 25 s', since: 'its return' },
  { name: 'redis-kill', fault: '`kill -9` of the Redis primary (Sentinel)', since: 'promotion' },
  { name: 'redis-freeze', fault: 'Redis primary frozen (Sentinel)', since: 'freeze' },
  { name: 'redis-switchover', fault: '`SENTINEL FAILOVER`', since: 'promotion' },
  { name: 'pgbouncer-kill', fault: '`kill -9` of one of two PgBouncers', since: 'kill' },
  { name: 'pgbouncer-freeze', fault: 'one of two PgBouncers frozen', since: 'freeze' },
  { name: 'pgbouncer-switchover', fault: 'one of two PgBouncers stopped', since: 'stop' },
];

/** `postgres-kill` becomes `postgresKill`. */
const toPrefix = (name: string): string =>
  name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** The rows of docs/operations.md. */
const FAILOVER_SCENARIOS: readonly Scenario[] = FAULTS.map(({ name, fault, since }) => {
  const prefix = toPrefix(name);
  return {
    suite: 'failover',
    command: `npm run test:failover -- ${name}`,
    scenario: fault,
    result: [
      `last failure {${prefix}RecoverySeconds} s after ${since}`,
      `{${prefix}FailedRequests} of {${prefix}Requests} requests failed`,
      `{${prefix}LostWrites} of {${prefix}AcknowledgedWrites} acknowledged writes lost`,
      `{${prefix}LostMails} of {${prefix}DueMails} mails lost, {${prefix}DuplicateMails} sent twice`,
    ].join('; '),
  };
});

export const SUITES: ReadonlySet<string> = new Set(
  [...SCENARIOS, ...FAILOVER_SCENARIOS].map(({ suite }) => suite),
);

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
 * @param recorded the target tables of scenarios that a complete run leaves out
 */
export const renderSpeed = (name: string, markdown: string, recorded: string[][] = []): string => {
  const rows = [...readTargetRows(markdown), ...recorded.map(toTargetRow)];
  if (rows.length === 0) throw new Error(`bench/results/${name} has no target table`);
  const [, machine = 'an unknown machine'] = /^- machine: (.+)$/m.exec(markdown) ?? [];
  const missed = rows.filter(({ verdict }) => verdict !== 'met').length;
  const table = toTable(
    ['work', 'result', 'target', ''],
    rows.map(({ work, result, target, verdict }) => [work, result, target, verdict]),
  );
  return `[${name.replace('.md', '')}](bench/results/${name}), ${machine}: ${rows.length - missed} of ${rows.length} targets met.\n\n${table}`;
};

const fillIn = (template: string, { suite, values, passed, failed, skipped }: SuiteRecord): string =>
  template.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = { ...values, passed, failed, skipped }[name];
    if (value === undefined) throw new Error(`test/results/${suite}.json has no value ${name}`);
    return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
  });

/** Renders one row for each scenario; without a record of its suite it is "not recorded". */
const renderScenarios = (scenarios: readonly Scenario[], records: readonly SuiteRecord[]): string => {
  const shown = records.filter((record) => scenarios.some(({ suite }) => suite === record.suite));
  const rows = scenarios.map(({ suite, command, scenario, result }) => {
    const record = shown.find((each) => each.suite === suite);
    return [scenario, record ? fillIn(result, record) : 'not recorded', `\`${command}\``];
  });
  const runs = [...new Set(shown.map(({ date, cores }) => `${date}, ${cores} cores`))].join('; ');
  return `Recorded: ${runs || 'nothing'}.\n\n${toTable(['scenario', 'result', 'command'], rows)}`;
};

export const renderResilience = (records: readonly SuiteRecord[]): string =>
  renderScenarios(SCENARIOS, records);

export const renderFailover = (records: readonly SuiteRecord[]): string =>
  renderScenarios(FAILOVER_SCENARIOS, records);

/** Replaces the text between `<!-- figures: name -->` and `<!-- /figures -->`. @throws Error without these markers */
export const replaceBlock = (page: string, name: string, content: string): string => {
  const block = new RegExp(`(<!-- figures: ${name} -->\\n)[\\s\\S]*?(<!-- /figures -->)`);
  if (!block.test(page)) throw new Error(`There is no block <!-- figures: ${name} --> … <!-- /figures -->`);
  return page.replace(block, (_match, start: string, end: string) => `${start}${content}\n${end}`);
};
