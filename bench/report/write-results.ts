import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawBarChart } from './bar-chart.ts';
import type { Environment } from './environment.ts';
import type { Report } from './report.ts';
import { judge, linesToMarkdown, toMarkdown } from './table.ts';

type Results = { environment: Environment; report: Report; heading: string };

const section = (title: string, body: string): string => `## ${title}\n\n${body}\n`;

const toDocument = ({ environment, report, heading }: Results): string =>
  [
    `# ${heading}\n`,
    Object.entries(environment)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n'),
    '',
    section('What must hold', linesToMarkdown(report.lines)),
    ...(report.notes.length > 0
      ? [section('Notes', report.notes.map((note) => `- ${note}`).join('\n'))]
      : []),
    ...report.tables.map(({ title, columns, rows }) => section(title, toMarkdown(columns, rows))),
  ].join('\n');

/** The first number that the day has free. */
export const nextName = (date: string, names: readonly string[]): string => {
  let number = 1;
  while (names.includes(`${date}-${number}.md`)) number += 1;
  return `${date}-${number}`;
};

/** Writes the figures as text and as data, and the picture when there is something to draw. @returns where */
export const writeResults = (directory: string, results: Results): string => {
  mkdirSync(directory, { recursive: true });
  const { environment, report, heading } = results;
  const date = environment['date']?.slice(0, 10) ?? 'undated';
  const path = join(directory, nextName(date, readdirSync(directory)));
  const { tables, notes, groups } = report;
  const lines = report.lines.map((line) => ({ ...line, verdict: judge(line) }));
  writeFileSync(`${path}.md`, toDocument(results));
  writeFileSync(
    `${path}.json`,
    `${JSON.stringify({ heading, environment, lines, notes, tables, groups }, null, 2)}\n`,
  );
  const { machine = '', node = '', postgres = '' } = environment;
  const note = `${date}, ${machine.split(',')[0]}, Node ${node.slice(1)}, PostgreSQL ${postgres}; medians of rounds taken in turns`;
  if (groups.length > 0)
    writeFileSync(join(directory, 'speed.svg'), drawBarChart('Requests a second', note, groups));
  return `${path}.md`;
};
