import { describeLoad } from './poll.ts';

/** Collects the results of a suite: one line for each check, and tables. */
export type Report = {
  /** Prints `text`, which includes the measured values, and counts whether the check passed. */
  check: (holds: boolean, text: string) => void;
  /** Like `check`, for a bound on time: a miss is counted as slow, and printed with the load of the machine. */
  timeLimit: (isMet: boolean, text: string) => void;
  skip: (text: string) => void;
  log: (text: string) => void;
  /** Printed at the end. */
  table: (title: string, columns: readonly string[], rows: readonly (readonly unknown[])[]) => void;
};

/** `slow` counts missed time limits, which may be a defect or a slow machine. */
export type SuiteCounts = { passed: number; failed: number; skipped: number; slow?: number };

type Suite = {
  /** In the line that says how long the suite took. */
  name: string;
  /** Then the suite fails, and its process ends. */
  timeoutSeconds: number;
  run: (report: Report) => Promise<void>;
};

/** `3 passed, 0 failed, 0 skipped` or `2 passed, 0 failed, 1 slow, 0 skipped`, which ends the output of every suite. */
export const formatCounts = ({ passed, failed, slow = 0, skipped }: SuiteCounts): string =>
  `${passed} passed, ${failed} failed, ${slow > 0 ? `${slow} slow, ` : ''}${skipped} skipped`;

/** Whether a case was named on the command line, by words with hyphens in place of spaces: all of them without any. */
export const isSelected = (name: string): boolean => {
  const words = process.argv.slice(2);
  const spaced = name.replaceAll('-', ' ');
  return words.length === 0 || words.some((word) => spaced.includes(word.replaceAll('-', ' ')));
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
  const result = { passed: 0, failed: 0, slow: 0, skipped: 0 };
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
  };
  return { report, result, tables };
};

/** Runs a suite as a program: exit code 1 when a check failed, a time limit was missed, or the suite threw. */
export const runSuite = async ({ name, timeoutSeconds, run }: Suite): Promise<void> => {
  const { report, result, tables } = createReport();
  const started = performance.now();
  const end = (): never => {
    for (const table of tables) console.log(table);
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
