import Mocha from 'mocha';

/** Mocha's spec reporter, with the closing line `N passed, N failed, N skipped`. */
class ClosingLineReporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {};
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }

  /** A run without tests fails; the option `fail-zero` would also fail each parallel file without a match of `--grep`. */
  override done(failures: number, end?: (failures: number) => void): void {
    end?.(this.stats?.tests ? failures : 1);
  }
}

// Mocha finds a reporter by its module's default export.
export { ClosingLineReporter as default };
