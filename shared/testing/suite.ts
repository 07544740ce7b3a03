/** Takes down what a suite found: one line for each thing that must hold, and tables of figures. */
export type Report = {
  /** Says whether `what` holds, and the figures that show it. */
  line: (holds: boolean, what: string) => void;
  skip: (what: string) => void;
  say: (text: string) => void;
  table: (title: string, columns: readonly string[], rows: readonly (readonly unknown[])[]) => void;
};

type Suite = {
  name: string;
  /** After so many seconds the suite has failed, whatever it does. */
  limitSeconds: number;
  run: (report: Report) => Promise<void>;
};

const layOut = (cells: readonly (readonly string[])[]): string[] => {
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const createReport = () => {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const tables: string[] = [];
  const report: Report = {
    line: (holds, what) => {
      counts[holds ? 'passed' : 'failed'] += 1;
      console.log(`${holds ? '✓' : '✗'} ${what}`);
    },
    skip: (what) => {
      counts.skipped += 1;
      console.log(`- ${what}`);
    },
    say: (text) => console.log(text),
    table: (title, columns, rows) => {
      const cells = [columns, ...rows].map((row) => row.map(String));
      tables.push(['', title, ...layOut(cells).map((line) => `  ${line}`)].join('\n'));
    },
  };
  /** The tables come last, then the counts alone on a line. Returns the exit code. */
  const close = (): number => {
    for (const table of tables) console.log(table);
    console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
    return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
  };
  return { report, close };
};

/** Runs a suite as a command of its own: exit code 1 when a line failed, it threw, or it took too long. */
export const runSuite = async ({ name, limitSeconds, run }: Suite): Promise<void> => {
  const { report, close } = createReport();
  const started = performance.now();
  // What it has started is tethered to this process, and goes with it.
  const limit = setTimeout(() => {
    report.line(false, `${name} ends within ${limitSeconds} s`);
    process.exit(close());
  }, limitSeconds * 1_000);
  try {
    await run(report);
  } catch (error) {
    report.line(false, `${name}: ${error instanceof Error ? error.stack : error}`);
  }
  clearTimeout(limit);
  report.say(`\n${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  process.exit(close());
};
