import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Environment, Report } from './report.ts';
import { MISSED, resultsToMarkdown, toMarkdown } from './table.ts';

type Measured = Pick<Report, 'results' | 'tables'> & { environment: Environment };

const HEADING = `# Measurements

How fast is the platform, and compared with what? \`npm run bench\` writes this page, one section for
each scenario with the commit, the date and the machine of its run; \`npm run bench -- memory
ten-million restore\` adds the long scenarios. Compare only values of the same section, because machines
differ, and shared machines are alternately fast and slow.

A ratio compares the processor time of all processes that take part, including PostgreSQL and Redis. It
is the median over rounds that alternate between the servers. A scenario is not written if the machine
was busy (over 10 %) when it started. Before its first comparison it installs better-auth and Directus, in the
versions that \`bench/peers/*/package.json\` pins; their dependencies are the newest ones of the day that the
\`.npmrc\` beside it names, without checksums.
`;

const toSection = (scenario: string, { environment, results, tables }: Measured): string =>
  [
    `## ${scenario}\n`,
    `${Object.values(environment).join('; ')}.\n`,
    ...(results.length > 0 ? [`${resultsToMarkdown(results)}\n`] : []),
    ...tables.map(({ title, columns, rows }) => `${title}:\n\n${toMarkdown(columns, rows)}\n`),
  ].join('\n');

/** Repeats the rows of all missed targets. */
const toSummary = (sections: readonly string[]): string => {
  const missed = sections.flatMap((section) => section.split('\n').filter((line) => line.includes(MISSED)));
  return missed.length === 0
    ? 'All targets are met.\n'
    : `Missed targets:\n\n${resultsToMarkdown([])}\n${missed.join('\n')}\n`;
};

/**
 * Writes the page with the new section of a scenario. The sections of other scenarios are kept, because the
 * long ones run separately.
 * @param scenarios all scenarios, in the order of the page
 */
export const writeSection = (
  file: string,
  scenarios: readonly string[],
  scenario: string,
  measured: Measured,
): void => {
  const present = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=## )/m) : [];
  const sections = scenarios.flatMap((name) =>
    name === scenario
      ? toSection(scenario, measured)
      : present.filter((section) => section.startsWith(`## ${name}\n`)),
  );
  const parts = [HEADING, toSummary(sections), ...sections];
  writeFileSync(file, parts.map((part) => `${part.trimEnd()}\n`).join('\n'));
};
