import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Environment, Report } from './report.ts';
import { resultsToMarkdown, toMarkdown } from './table.ts';

type Measured = Pick<Report, 'results' | 'tables'> & { environment: Environment };

const HEADING = `# Measurements

How fast is the platform, and compared with what? \`npm run bench\` writes this page, one section for
each scenario. Compare only values of the same section, because machines differ, and shared machines
are alternately fast and slow.
`;

const toSection = (scenario: string, { environment, results, tables }: Measured): string =>
  [
    `## ${scenario}\n`,
    `${Object.values(environment).join('; ')}.\n`,
    ...(results.length > 0 ? [`${resultsToMarkdown(results)}\n`] : []),
    ...tables.map(({ title, columns, rows }) => `${title}:\n\n${toMarkdown(columns, rows)}\n`),
  ].join('\n');

/** Replaces the section of a scenario, or appends it. */
export const writeSection = (file: string, scenario: string, measured: Measured): void => {
  const [, ...present] = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=## )/m) : [];
  const isSame = (section: string) => section.startsWith(`## ${scenario}\n`);
  const section = toSection(scenario, measured);
  const sections = present.some(isSame)
    ? present.map((each) => (isSame(each) ? section : each))
    : [...present, section];
  writeFileSync(file, [HEADING, ...sections].map((each) => `${each.trimEnd()}\n`).join('\n'));
};
