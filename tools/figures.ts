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

/** The suites in the order of the README. */
export const SUITES: Record<string, { scenario: string; command: string }> = {
  crashes: {
    scenario: '`kill -9` of each process under load, then frozen Redis and Postgres',
    command: 'npm run test:resilience -- crashes',
  },
  shutdown: {
    scenario: 'SIGTERM to each process under load',
    command: 'npm run test:resilience -- shutdown',
  },
  races: { scenario: 'races between requests', command: 'npm run test:resilience -- races' },
  'smtp-outage': {
    scenario: 'mail server unavailable for a minute, worker and Redis killed',
    command: 'npm run test:resilience -- smtp-outage',
  },
  fuzz: { scenario: 'requests generated from the contract and mutated', command: 'npm run test:fuzz' },
  security: { scenario: 'attacks on the running platform', command: 'npm run test:security' },
};

const VERDICTS = new Set(['met', 'NOT MET', 'not measured']);

const toCells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The rows of the target table: the only rows whose fourth cell is a verdict. */
const readTargetRows = (markdown: string): TargetRow[] =>
  markdown
    .split('\n')
    .map(toCells)
    .filter(([, , , verdict = '']) => VERDICTS.has(verdict))
    .map(([work = '', result = '', target = '', verdict = '']) => ({
      work,
      result,
      target,
      verdict: verdict === 'NOT MET' ? '**not met**' : verdict,
    }));

const toTable = (columns: string[], rows: string[][]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** 2026-11-20-10 is newer than 2026-11-20-9. */
export const findNewest = (names: readonly string[]): string | undefined =>
  names
    .filter((name) => /^\d{4}-\d\d-\d\d-\d+\.md$/.test(name))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);

/** Renders the targets of the benchmark result `name`, whose content is `markdown`. */
export const renderSpeed = (name: string, markdown: string): string => {
  const rows = readTargetRows(markdown);
  if (rows.length === 0) throw new Error(`bench/results/${name} has no target table`);
  const [, machine = 'an unknown machine'] = /^- machine: (.+)$/m.exec(markdown) ?? [];
  const missed = rows.filter(({ verdict }) => verdict !== 'met').length;
  const table = toTable(
    ['work', 'result', 'target', ''],
    rows.map(({ work, result, target, verdict }) => [work, result, target, verdict]),
  );
  return `[${name.replace('.md', '')}](bench/results/${name}), ${machine}: ${rows.length - missed} of ${rows.length} targets met.\n\n${table}`;
};

/** `slowestRecoverySeconds` becomes `slowest recovery seconds`. */
const toWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const renderValues = (values: Record<string, number>): string[] =>
  Object.entries(values).map(([name, value]) => `${toWords(name)}: ${value.toLocaleString('en-US')}`);

/** Renders one row for each suite; a suite without a record is "not recorded". */
export const renderResilience = (records: readonly SuiteRecord[]): string => {
  const rows = Object.entries(SUITES).map(([suite, { scenario, command }]) => {
    const record = records.find((each) => each.suite === suite);
    if (!record) return [scenario, 'not recorded', `\`${command}\``];
    const { passed, failed, skipped, values, date, cores } = record;
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
    const result = [...renderValues(values), `${counts} (${date}, ${cores} cores)`].join('; ');
    return [scenario, result, `\`${record.command}\``];
  });
  return toTable(['scenario', 'result', 'command'], rows);
};

/** Replaces the text between `<!-- figures: name -->` and `<!-- /figures -->`. @throws Error without these markers */
export const replaceBlock = (page: string, name: string, content: string): string => {
  const block = new RegExp(`(<!-- figures: ${name} -->\\n)[\\s\\S]*?(<!-- /figures -->)`);
  if (!block.test(page)) throw new Error(`There is no block <!-- figures: ${name} --> … <!-- /figures -->`);
  return page.replace(block, (_match, start: string, end: string) => `${start}${content}\n${end}`);
};
