import { type Check, CheckSkipped, createProbe, formatProblems, type Probe, type Section } from './probe.ts';

/** Takes the lines of the output. */
export type Report = {
  check: (holds: boolean, text: string) => void;
  skip: (text: string) => void;
  log: (text: string) => void;
};
type ProbeOptions = Parameters<typeof createProbe>[0];

/** Runs one check. @throws the reason of the signal, when it is aborted */
const runCheck = async (
  { name, run, operations }: Check,
  options: ProbeOptions,
  report: Report,
): Promise<void> => {
  const { probe, problems } = createProbe(options);
  try {
    await run(probe);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof CheckSkipped && operations) options.memory.excuse(operations);
    if (error instanceof CheckSkipped && problems.length === 0)
      return report.skip(`${name}: ${error.message}`);
    if (!(error instanceof CheckSkipped))
      problems.push({ text: error instanceof Error ? error.message : String(error), where: undefined });
  }
  if (problems.length === 0) report.check(true, name);
  else report.check(false, `${name}: ${formatProblems(problems)}`);
};

export const runSections = async (
  sections: readonly Section[],
  options: ProbeOptions,
  report: Report,
): Promise<void> => {
  for (const { title, checks } of sections) {
    report.log(`\n${title}`);
    for (const check of checks()) await runCheck(check, options, report);
  }
};

/** Undoes a change of the deployment, at the latest when the run ends. */
type Undo = { what: string; run: (probe: Probe) => Promise<void> };

/** The changes that have not been undone yet; the newest is undone first. */
export const createUndoList = () => {
  const pending: Undo[] = [];
  return {
    add: (undo: Undo): void => {
      pending.push(undo);
    },
    remove: (what: string): void => {
      const index = pending.findLastIndex((undo) => undo.what === what);
      if (index !== -1) pending.splice(index, 1);
    },
    /** An interruption does not end it: the signal is not passed on. */
    runAll: async (options: ProbeOptions, report: Report): Promise<void> => {
      for (const { what, run } of pending.splice(0).reverse())
        await runCheck({ name: `at the end: ${what}`, run }, { ...options, signal: undefined }, report);
    },
  };
};

export type UndoList = ReturnType<typeof createUndoList>;
