// `npm run bench`: the processor time of a request and the other targets of the platform, beside the baselines and peers that it is
// compared with, except the long ones: `npm run bench -- memory ten-million --record`.
// `npm run bench -- me refresh` runs these scenarios only; BENCH_QUICK=1 shortens everything, to try it out.
// `--against ../other` compares with another checkout, too: `npm run bench -- checkouts --against ../other` does nothing else.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchRun, createBenchRun } from './bench-run.ts';
import { compareCheckouts } from './compare-checkouts.ts';
import { PLAN } from './plan.ts';
import { measureMachineLoad } from './processor-time.ts';
import { type Report, readCommit, readEnvironment } from './report/report.ts';
import { writeResults, writeScenarioRecord } from './report/results-file.ts';
import { formatResults, getVerdict } from './report/table.ts';
import { measureAccountCreation } from './scenarios/account-creation.ts';
import { measureCostByLoad } from './scenarios/cost-by-load.ts';
import { measureLists } from './scenarios/lists.ts';
import { measureMemory } from './scenarios/memory.ts';
import { measureMe, measureRefresh, measureUsersList } from './scenarios/processor-time.ts';
import { measureResponseTimes } from './scenarios/response-times.ts';
import { measureScaleOut } from './scenarios/scale-out.ts';
import { measureSignIn, measureSignInBurst } from './scenarios/sign-in.ts';
import { measureTenMillion } from './scenarios/ten-million.ts';
import { measureTracing } from './scenarios/tracing.ts';
import { CACHE } from './targets/peer.ts';
import { type Defer, ROOT } from './targets/processes.ts';

const SCENARIOS: Record<string, (run: BenchRun) => Promise<void>> = {
  me: measureMe,
  refresh: measureRefresh,
  list: measureUsersList,
  'scale-out': measureScaleOut,
  'sign-in': measureSignIn,
  'sign-in-burst': measureSignInBurst,
  'response-times': measureResponseTimes,
  'cost-by-load': measureCostByLoad,
  'account-creation': measureAccountCreation,
  tracing: measureTracing,
  lists: measureLists,
  // Its platforms run until the end.
  checkouts: compareCheckouts,
  'ten-million': measureTenMillion,
  memory: measureMemory,
};

/** A complete run leaves them out: they take an hour, or 25 GB of disk. */
const LONG = new Set(['memory', 'ten-million']);
/** Recorded by --record and by a complete run. */
const RECORDED = new Set(['cost-by-load', 'account-creation', 'lists', 'memory', 'ten-million']);
const COMPLETE = Object.keys(SCENARIOS).filter((name) => !LONG.has(name));

/** The scenarios named on the command line; all but the long ones by default. */
const selectScenarios = (names: readonly string[]): string[] => {
  const unknown = names.filter((name) => !(name in SCENARIOS));
  if (unknown.length > 0) {
    console.error(`Unknown scenario ${unknown.join(', ')}; use ${Object.keys(SCENARIOS).join(', ')}.`);
    process.exit(1);
  }
  return names.length > 0 ? [...names] : COMPLETE;
};

/** Other processes use more than this share of the machine: nothing is recorded. The idle platform uses 2 % of four cores. */
const MAX_MACHINE_LOAD = 0.1;

const toPercent = (load: number): string => `${(load * 100).toFixed(0)} %`;

/** Notes when other processes are busy. @returns the share of the machine that is used */
const checkMachine = async ({ report }: BenchRun, scenario: string): Promise<number> => {
  const load = await measureMachineLoad(PLAN.loadSeconds);
  console.log(`\n── ${scenario} (machine load before: ${toPercent(load)})`);
  if (load > MAX_MACHINE_LOAD)
    report.addNote(`The machine was busy before ${scenario} (${toPercent(load)}): nothing of it is recorded`);
  return load;
};

type Measured = Pick<Report, 'results' | 'tables'> & { load: number };
type Outcome = { failures: number; maxLoad: number };

/** The other scenarios run even if one fails. */
const runScenarios = async (
  run: BenchRun,
  names: readonly string[],
  record: (scenario: string, measured: Measured) => void,
): Promise<Outcome> => {
  const outcome = { failures: 0, maxLoad: 0 };
  for (const name of names) {
    const load = await checkMachine(run, name);
    outcome.maxLoad = Math.max(outcome.maxLoad, load);
    const started = performance.now();
    const { tables, results } = run.report;
    const [tableCount, resultCount] = [tables.length, results.length];
    try {
      await SCENARIOS[name]?.(run);
      record(name, { load, tables: tables.slice(tableCount), results: results.slice(resultCount) });
    } catch (error) {
      outcome.failures += 1;
      run.report.addNote(`The scenario ${name} failed: ${error instanceof Error ? error.message : error}`);
    }
    console.log(`(${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  }
  return outcome;
};

const RESULTS = join(ROOT, 'bench', 'results');

const runBenchmark = async (names: readonly string[], run: BenchRun, isRecorded: boolean): Promise<void> => {
  const isComplete = COMPLETE.every((name) => names.includes(name)) && !PLAN.isQuick;
  const started = performance.now();
  const { databaseUrl } = await run.small();
  const environment = await readEnvironment(databaseUrl);
  const { failures, maxLoad } = await runScenarios(run, names, (scenario, { load, ...measured }) => {
    if (!RECORDED.has(scenario) || load > MAX_MACHINE_LOAD || !(isComplete || isRecorded)) return;
    const atStart = { ...environment, 'machine load before it': toPercent(load) };
    writeScenarioRecord(RESULTS, { scenario, environment: atStart, ...measured });
  });
  const isQuiet = maxLoad <= MAX_MACHINE_LOAD;
  environment['machine load before each scenario'] = `at most ${toPercent(maxLoad)}`;
  Object.assign(environment, run.versions);
  environment['time taken'] = `${((performance.now() - started) / 60_000).toFixed(1)} minutes`;
  const { report } = run;
  const heading = `Benchmark${isComplete ? '' : `, ${PLAN.isQuick ? 'quick' : 'in part'}: ${names.join(', ')}`}`;
  const target = isComplete && isQuiet ? RESULTS : join(CACHE, 'results');
  const file = writeResults(target, { environment, report, heading });
  console.log(`\n${formatResults(report.results)}\n\n${file}`);
  const isMeasured = report.results.every((result) => getVerdict(result) !== 'not measured');
  if (failures > 0 || !isMeasured || (isRecorded && !isQuiet)) process.exitCode = 1;
};

/** Runs `work`, then stops what it has started, also when interrupted. */
const withCleanup = async (work: (defer: Defer) => Promise<void>): Promise<void> => {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0)) await stopOne();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    await work((stopOne) => stops.unshift(stopOne));
  } finally {
    await stop();
  }
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { against: { type: 'string' }, record: { type: 'boolean', default: false } },
});
if (values.record && PLAN.isQuick) throw new Error('--record needs a run without BENCH_QUICK');
const directory = join(CACHE, 'logs');
mkdirSync(directory, { recursive: true });
const root = values.against === undefined ? undefined : resolve(values.against);
const against = root === undefined ? undefined : { root, commit: readCommit(root) };
await withCleanup((defer) =>
  runBenchmark(selectScenarios(positionals), createBenchRun({ directory, defer, against }), values.record),
);
process.exit();
