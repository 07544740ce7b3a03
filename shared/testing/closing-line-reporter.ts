import Mocha from 'mocha';

/** The usual listing, closed by `N passed, N failed, N skipped` alone on a line. */
class ClosingLineReporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {};
    console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
  }
}

// Mocha finds a reporter by its module's default export.
export { ClosingLineReporter as default };
