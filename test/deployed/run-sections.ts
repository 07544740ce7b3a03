import { CheckEnded, type Checks, createProbe, formatProblems, type Run, type Section } from './probe.ts';

/** Receives the lines of the output. The mark says whether a check passed, failed or was skipped. */
export type Report = (text: string, mark?: '✓' | '✗' | '-') => unknown;

/** @throws the reason of the signal when it is aborted */
const runChecks = async (checks: readonly Checks[], context: Run, report: Report): Promise<void> => {
  for (const [name, run] of checks.flatMap((each) => Object.entries(each))) {
    const { probe, problems, covered } = createProbe(context);
    try {
      await run(probe);
    } catch (error) {
      context.signal?.throwIfAborted();
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof CheckEnded)) problems.push({ text, where: undefined });
      else if (problems.length === 0) {
        context.memory.excuse(covered);
        report(`${name}: ${text}`, '-');
        continue;
      }
    }
    if (problems.length === 0) report(name, '✓');
    else report(`${name}: ${formatProblems(problems)}`, '✗');
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
