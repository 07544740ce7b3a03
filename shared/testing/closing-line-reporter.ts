import Mocha from 'mocha';

const problems: string[] = [];

/** Makes the run fail. Called by global teardowns. */
export const reportProblems = (lines: readonly string[]): void => {
  problems.push(...lines);
};

/** Mocha's spec reporter, with the closing line `N passed, N failed, N skipped`. */
class ClosingLineReporter extends Mocha.reporters.Spec {
  /**
   * Mocha calls it after the global teardowns. A run without tests fails. The option `fail-zero` would also
   * fail each parallel file without a match of `--grep`. Problems count as one failure.
   */
  override done(failures: number, end?: (failures: number) => void): void {
    const { tests = 0, passes = 0, failures: failed = 0, pending = 0 } = this.stats ?? {};
    const found = Math.min(problems.length, 1);
    for (const line of problems) console.log(line);
    console.log(`${passes} passed, ${failed + found} failed, ${pending} skipped`);
    end?.(tests > 0 ? failures + found : 1);
  }
}

// Mocha loads the default export of a reporter module.
export { ClosingLineReporter as default };
