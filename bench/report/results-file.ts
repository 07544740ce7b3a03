import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawBarChart } from './bar-chart.ts';
import type { Environment, Report } from './report.ts';
import { getVerdict, resultsToMarkdown, toCells, toMarkdown } from './table.ts';

type BenchResults = { environment: Environment; report: Report; heading: string };

const section = (title: string, body: string): string => `## ${title}\n\n${body}\n`;

const toDocument = ({ environment, report, heading }: BenchResults): string =>
  [
    `# ${heading}\n`,
    Object.entries(environment)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n'),
    '',
    section('What must hold', resultsToMarkdown(report.results)),
    ...(report.notes.length > 0
      ? [section('Notes', report.notes.map((note) => `- ${note}`).join('\n'))]
      : []),
    ...report.tables.map(({ title, columns, rows }) => section(title, toMarkdown(columns, rows))),
  ].join('\n');

const toData = ({ environment, report, heading }: BenchResults): string => {
  const { tables, notes, charts } = report;
  const results = report.results.map((result) => ({ ...result, verdict: getVerdict(result) }));
  return `${JSON.stringify({ heading, environment, results, notes, tables, charts }, null, 2)}\n`;
};

const toChart = ({ environment, report }: BenchResults, date: string): string => {
  const { machine = '', node = '', postgres = '' } = environment;
  const software = `Node ${node.slice(1)}, PostgreSQL ${postgres}`;
  const note = `${date}, ${machine.split(',')[0]}, ${software}; medians of interleaved rounds`;
  return drawBarChart('Requests per second', note, report.charts);
};

/** The date, and the number after those of the same day. */
const nextName = (date: string, files: readonly string[]): string => {
  const numbers = files.flatMap((file) =>
    file.startsWith(`${date}-`) ? Number.parseInt(file.slice(date.length + 1), 10) : [],
  );
  return `${date}-${Math.max(0, ...numbers) + 1}`;
};

const RUN_FILE = /^\d{4}-\d\d-\d\d-\d+\.(?:md|json)$/;

/** Writes the results as Markdown and JSON, and the chart; removes the previous results. @returns the Markdown file */
export const writeResults = (directory: string, results: BenchResults): string => {
  mkdirSync(directory, { recursive: true });
  const date = results.environment['date']?.slice(0, 10) ?? 'undated';
  const previous = readdirSync(directory).filter((file) => RUN_FILE.test(file));
  const path = join(directory, nextName(date, previous));
  writeFileSync(`${path}.md`, toDocument(results));
  writeFileSync(`${path}.json`, toData(results));
  if (results.report.charts.length > 0) writeFileSync(join(directory, 'speed.svg'), toChart(results, date));
  for (const file of previous) rmSync(join(directory, file));
  return `${path}.md`;
};

type ScenarioRecord = { scenario: string; environment: Environment } & Pick<Report, 'results' | 'tables'>;

/** Writes the results of one scenario, from which `npm run generate` renders README.md and docs/scaling.md. */
export const writeScenarioRecord = (
  directory: string,
  { scenario, environment, results, tables }: ScenarioRecord,
): void => {
  const command = `npm run bench -- ${scenario} --record`;
  const { date = '', ...machine } = environment;
  const record = {
    scenario,
    command,
    date: date.slice(0, 10),
    environment: machine,
    targets: toCells(results),
    tables,
  };
  writeFileSync(join(directory, `${scenario}.json`), `${JSON.stringify(record, null, 2)}\n`);
};
