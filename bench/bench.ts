// `npm run bench`: measures every promised property of the platform, and the baselines and peers that it is compared with, except
// the memory, which takes an hour: `npm run bench -- memory --record`.
// `npm run bench -- me refresh` runs these scenarios only; BENCH_QUICK=1 shortens everything, to try it out.
// `npm run bench -- me refresh sign-in --against ../other` compares this checkout with another one.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchRun, createBenchRun } from './bench-run.ts';
import { COMPARABLE, compareCheckouts } from './compare-checkouts.ts';
import { PLAN } from './plan.ts';
import { type Report, readEnvironment } from './report/report.ts';
import { writeResults, writeScenarioRecord } from './report/results-file.ts';
import { formatResults, getVerdict } from './report/table.ts';
import { measureAccountCreation } from './scenarios/account-creation.ts';
import { measureCostByLoad } from './scenarios/cost-by-load.ts';
import { measureLists } from './scenarios/lists.ts';
import { measureMemory } from './scenarios/memory.ts';
import { measureResponseTimes } from './scenarios/response-times.ts';
import { measureSignIn, measureSignInBurst } from './scenarios/sign-in.ts';
import { measureMe, measureRefresh, measureUsersList } from './scenarios/throughput.ts';
import { measureTracing } from './scenarios/tracing.ts';
import { CACHE } from './targets/peer.ts';
import { type Defer, ROOT } from './targets/processes.ts';

const SCENARIOS: Record<string, (run: BenchRun) => Promise<void>> = {
  me: measureMe,
  refresh: measureRefresh,
  list: measureUsersList,
  'sign-in': measureSignIn,
  'sign-in-burst': measureSignInBurst,
  'response-times': measureResponseTimes,
  'cost-by-load': measureCostByLoad,
  'account-creation': measureAccountCreation,
  tracing: measureTracing,
  lists: measureLists,
  memory: measureMemory,
};

/** A complete run leaves them out: they take an hour. */
const LONG = new Set(['memory']);
/** Recorded by --record and by a complete run. */
const RECORDED = new Set(['cost-by-load', 'account-creation', 'lists', 'memory']);
const COMPLETE = Object.keys(SCENARIOS).filter((name) => !LONG.has(name));

/** The scenarios named on the command line; `all` by default. */
const selectScenarios = (names: readonly string[], available: object, all: readonly string[]): string[] => {
  const unknown = names.filter((name) => !(name in available));
  if (unknown.length > 0) {
    console.error(`Unknown scenario ${unknown.join(', ')}; use ${Object.keys(available).join(', ')}.`);
    process.exit(1);
  }
  return names.length > 0 ? [...names] : [...all];
};

type Recorder = (scenario: string, measured: Pick<Report, 'results' | 'tables'>) => void;

/** The other scenarios run even if one fails. @returns the number of failures */
const runScenarios = async (run: BenchRun, names: readonly string[], record: Recorder): Promise<number> => {
  let failures = 0;
  for (const name of names) {
    const started = performance.now();
    const { tables, results } = run.report;
    const [tableCount, resultCount] = [tables.length, results.length];
    console.log(`\n── ${name}`);
    try {
      await SCENARIOS[name]?.(run);
      record(name, { tables: tables.slice(tableCount), results: results.slice(resultCount) });
    } catch (error) {
      failures += 1;
      run.report.addNote(`The scenario ${name} failed: ${error instanceof Error ? error.message : error}`);
    }
    console.log(`(${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  }
  return failures;
};

const RESULTS = join(ROOT, 'bench', 'results');

const runBenchmark = async (names: readonly string[], run: BenchRun, isRecorded: boolean): Promise<void> => {
  const isComplete = COMPLETE.every((name) => names.includes(name)) && !PLAN.isQuick;
  const started = performance.now();
  const { databaseUrl } = await run.small();
  const environment = await readEnvironment(databaseUrl);
  const failures = await runScenarios(run, names, (scenario, measured) => {
    if (RECORDED.has(scenario) && (isComplete || isRecorded))
      writeScenarioRecord(RESULTS, { scenario, environment, ...measured });
  });
  Object.assign(environment, run.versions);
  environment['time taken'] = `${((performance.now() - started) / 60_000).toFixed(1)} minutes`;
  const { report } = run;
  const heading = `Benchmark${isComplete ? '' : `, ${PLAN.isQuick ? 'quick' : 'in part'}: ${names.join(', ')}`}`;
  const file = writeResults(isComplete ? RESULTS : join(CACHE, 'results'), { environment, report, heading });
  console.log(`\n${formatResults(report.results)}\n\n${file}`);
  if (failures > 0 || report.results.some((result) => getVerdict(result) === 'not measured'))
    process.exitCode = 1;
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
await withCleanup(async (defer) => {
  if (values.against === undefined) {
    const names = selectScenarios(positionals, SCENARIOS, COMPLETE);
    await runBenchmark(names, createBenchRun(directory, defer), values.record);
  } else {
    const names = selectScenarios(positionals, COMPARABLE, Object.keys(COMPARABLE));
    await compareCheckouts(names, resolve(values.against), defer);
  }
});
process.exit();
