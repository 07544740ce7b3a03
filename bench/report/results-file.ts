import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment, Report } from './report.ts';
import { resultsToMarkdown, toCells, toMarkdown } from './table.ts';

type BenchResults = { environment: Environment; report: Report; heading: string };

const section = (title: string, body: string): string => `## ${title}\n\n${body}\n`;
const toList = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

const toDocument = ({ environment, report, heading }: BenchResults): string =>
  [
    `# ${heading}\n`,
    toList(Object.entries(environment).map(([name, value]) => `${name}: ${value}`)),
    '',
    section('What must hold', resultsToMarkdown(report.results)),
    ...(report.notes.length > 0 ? [section('Notes', toList(report.notes))] : []),
    ...report.tables.map(({ title, columns, rows }) => section(title, toMarkdown(columns, rows))),
  ].join('\n');

/** The date, and the number after those of the same day. */
const nextName = (date: string, files: readonly string[]): string => {
  const numbers = files.flatMap((file) =>
    file.startsWith(`${date}-`) ? Number.parseInt(file.slice(date.length + 1), 10) : [],
  );
  return `${date}-${Math.max(0, ...numbers) + 1}`;
};

/** Writes the results as Markdown, and removes the previous ones. @returns the file */
export const writeResults = (directory: string, results: BenchResults): string => {
  mkdirSync(directory, { recursive: true });
  const date = results.environment['date']?.slice(0, 10) ?? 'undated';
  const previous = readdirSync(directory).filter((file) => /^\d{4}-\d\d-\d\d-\d+\.md$/.test(file));
  const path = join(directory, `${nextName(date, previous)}.md`);
  writeFileSync(path, toDocument(results));
  for (const file of previous) rmSync(join(directory, file));
  return path;
};

type ScenarioRecord = { scenario: string; environment: Environment } & Pick<Report, 'results' | 'tables'>;

/** Writes the results of one scenario, from which `npm run generate` renders README.md and docs/scaling.md. */
export const writeScenarioRecord = (
  directory: string,
  { scenario, environment: { date = '', ...environment }, results, tables }: ScenarioRecord,
): void => {
  const command = `npm run bench -- ${scenario} --record`;
  const targets = toCells(results);
  const record = { scenario, command, date: date.slice(0, 10), environment, targets, tables };
  writeFileSync(join(directory, `${scenario}.json`), `${JSON.stringify(record, null, 2)}\n`);
};
