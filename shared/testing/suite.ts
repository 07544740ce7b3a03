import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { describeLoad } from './poll.ts';
import { hashCases } from './suite-cases.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const RESULTS = new URL('../../test/results/', import.meta.url);

/** Collects the results of a suite: one line for each check, tables, and the values that are recorded. */
export type Report = {
  /** Prints `text`, which includes the measured values, and counts whether the check passed. */
  check: (holds: boolean, text: string) => void;
  /** Like `check`, for a bound on time: a miss is counted as slow, and printed with the load of the machine. */
  timeLimit: (isMet: boolean, text: string) => void;
  skip: (text: string) => void;
  log: (text: string) => void;
  /** Printed at the end. */
  table: (title: string, columns: readonly string[], rows: readonly (readonly unknown[])[]) => void;
  /** A number for the file that `--record` writes. */
  value: (name: string, number: number) => void;
};

/** `slow` counts missed time limits, which may be a defect or a slow machine. */
export type SuiteCounts = { passed: number; failed: number; skipped: number; slow?: number };
type SuiteResult = Required<SuiteCounts> & { values: Record<string, number> };

type Suite = {
  /** The name of the file in test/results, and in the line that says how long the suite took. */
  name: string;
  /** The command of a user, for the file in test/results. */
  command: string;
  /** Then the suite fails, and its process ends. */
  timeoutSeconds: number;
  run: (report: Report) => Promise<void>;
};

/** `3 passed, 0 failed, 0 skipped` or `2 passed, 0 failed, 1 slow, 0 skipped`, which ends the output of every suite. */
export const formatCounts = ({ passed, failed, slow = 0, skipped }: SuiteCounts): string =>
  `${passed} passed, ${failed} failed, ${slow > 0 ? `${slow} slow, ` : ''}${skipped} skipped`;

/** Whether the suite was started with `--record`. */
export const isRecording = (): boolean => process.argv.includes('--record');

/** Whether a case was named on the command line, by words with hyphens in place of spaces: all of them without any. */
export const isSelected = (name: string): boolean => {
  const words = process.argv.slice(2).filter((argument) => argument !== '--record');
  const spaced = name.replaceAll('-', ' ');
  return words.length === 0 || words.some((word) => spaced.includes(word.replaceAll('-', ' ')));
};

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Other suites of the same run may have written their results. */
const readCommit = (): string => {
  const changes = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!*/results/*');
  return `${git('rev-parse', '--short=12', 'HEAD')}${changes === '' ? '' : ', with changes'}`;
};

type RecordedSuite = SuiteCounts &
  Pick<SuiteResult, 'values'> & {
    suite: string;
    command: string;
    /** The main file of its cases, as a path in the repository. */
    program: string;
  };

/** Writes test/results/<suite>.json. */
export const recordResult = ({ suite, command, program, ...result }: RecordedSuite): void => {
  const record = {
    ...{ suite, command, program, cases: hashCases(program) },
    ...{ date: new Date().toISOString().slice(0, 10), commit: readCommit(), cores: availableParallelism() },
    ...result,
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(new URL(`${suite}.json`, RESULTS), `${JSON.stringify(record, null, 2)}\n`);
};

const alignColumns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const createReport = () => {
  const result: SuiteResult = { passed: 0, failed: 0, slow: 0, skipped: 0, values: {} };
  const tables: string[] = [];
  const report: Report = {
    check: (holds, text) => {
      result[holds ? 'passed' : 'failed'] += 1;
      console.log(`${holds ? '✓' : '✗'} ${text}`);
    },
    timeLimit: (isMet, text) => {
      result[isMet ? 'passed' : 'slow'] += 1;
      console.log(isMet ? `✓ ${text}` : `✗ slow: ${text} (${describeLoad()})`);
    },
    skip: (text) => {
      result.skipped += 1;
      console.log(`- ${text}`);
    },
    log: (text) => console.log(text),
    table: (title, columns, rows) => {
      const cells = [columns, ...rows].map((row) => row.map(String));
      tables.push(['', title, ...alignColumns(cells).map((line) => `  ${line}`)].join('\n'));
    },
    value: (name, number) => {
      result.values[name] = number;
    },
  };
  return { report, result, tables };
};

/** Runs a suite as a program: exit code 1 when a check failed, a time limit was missed, or the suite threw. */
export const runSuite = async ({ name, command, timeoutSeconds, run }: Suite): Promise<void> => {
  const { report, result, tables } = createReport();
  const started = performance.now();
  const end = (): never => {
    for (const table of tables) console.log(table);
    const program = relative(ROOT, process.argv[1] ?? '');
    if (isRecording()) recordResult({ suite: name, command, program, ...result });
    console.log(`\n${formatCounts(result)}`);
    process.exit(result.failed + result.slow === 0 && result.passed + result.skipped > 0 ? 0 : 1);
  };
  // The processes that the suite has started end with this one.
  const timeout = setTimeout(() => {
    report.timeLimit(false, `${name} ends within ${timeoutSeconds} s`);
    end();
  }, timeoutSeconds * 1_000);
  try {
    await run(report);
  } catch (error) {
    report.check(false, `${name}: ${error instanceof Error ? error.stack : error}`);
  }
  clearTimeout(timeout);
  report.log(`\n${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  end();
};
