import {
  CheckEnded,
  type Checks,
  createProbe,
  formatProblems,
  type Problem,
  type Run,
  type Section,
} from './probe.ts';

/**
 * Receives the lines of the output. The mark says whether a check passed, failed or was skipped, or has only
 * problems that have failed an earlier check.
 */
export type Report = (text: string, mark?: '✓' | '✗' | '-' | '~') => unknown;

/** One cause, such as a header that is missing everywhere, fails one check. */
const isRepeated = ({ text, isRule }: Problem, failures: Run['failures']): boolean => {
  const earlier = failures.get(text);
  return earlier !== undefined && (isRule || earlier.isRule);
};

const reportResult = (name: string, problems: readonly Problem[], run: Run, report: Report): void => {
  const added = problems.filter((problem) => !isRepeated(problem, run.failures));
  for (const { text, isRule } of added) run.failures.set(text, { isRule });
  if (problems.length === 0) report(name, '✓');
  else if (added.length > 0) report(`${name}: ${formatProblems(added)}`, '✗');
  else report(`${name}: as above: ${formatProblems(problems)}`, '~');
};

/** @throws the reason of the signal when it is aborted */
const runChecks = async (checks: readonly Checks[], context: Run, report: Report): Promise<void> => {
  for (const [name, run] of checks.flatMap((each) => Object.entries(each))) {
    const { probe, problems } = createProbe(context);
    try {
      await run(probe);
    } catch (error) {
      context.signal?.throwIfAborted();
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof CheckEnded)) problems.push({ text, where: undefined, isRule: false });
      else if (problems.length === 0) {
        report(`${name}: ${text}`, '-');
        continue;
      }
    }
    reportResult(name, problems, context, report);
  }
};

/** Undoes all changes at the end, also after an interruption. */
export const runSections = async (sections: readonly Section[], run: Run, report: Report): Promise<void> => {
  try {
    for (const { title, checks } of sections) {
      report(`\n${title}`);
      await runChecks(checks(), run, report);
    }
  } catch (error) {
    report(error instanceof Error ? error.message : String(error), '✗');
  }
  const undos = [...run.undos].reverse().map(([what, undo]) => ({ [`at the end: ${what}`]: undo }));
  await runChecks(undos, { ...run, signal: undefined }, report);
};
