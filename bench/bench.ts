// `npm run bench` measures the processor time of a request and the other targets of the platform, and
// compares them with baselines and peers. It writes docs/measurements.md. It skips the long scenarios: `npm
// run bench -- memory ten-million restore`. `npm run bench -- me refresh` runs only these scenarios;
// BENCH_QUICK=1 shortens everything, for a trial; BENCH_USERS is the number of users of `restore`.
// `--against ../other` also compares with another checkout; `npm run bench -- checkouts --against ../other`
// does nothing else.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchRun, createBenchRun } from './bench-run.ts';
import { compareCheckouts } from './compare-checkouts.ts';
import { PLAN } from './plan.ts';
import { measureMachineLoad } from './processor-time.ts';
import { writeSection } from './report/measurements-page.ts';
import { readCommit, readEnvironment } from './report/report.ts';
import { formatResults, getOutcome } from './report/table.ts';
import { measureBackOffice } from './scenarios/back-office.ts';
import { measureConsole } from './scenarios/console.ts';
import { measureLists } from './scenarios/lists.ts';
import { measureMemory } from './scenarios/memory.ts';
import {
  measureIntrospection,
  measureMe,
  measureRefresh,
  measureUsersList,
} from './scenarios/processor-time.ts';
import { measureRestore } from './scenarios/restore.ts';
import { measureServiceLists } from './scenarios/service-lists.ts';
import { measureServiceShares } from './scenarios/service-shares.ts';
import { measureServiceWrites } from './scenarios/service-writes.ts';
import { measureSignIn } from './scenarios/sign-in.ts';
import { measureTenMillion } from './scenarios/ten-million.ts';
import { CACHE } from './targets/peer.ts';
import { type Defer, ROOT } from './targets/processes.ts';

const SCENARIOS: Record<string, (run: BenchRun) => Promise<void>> = {
  me: measureMe,
  introspection: measureIntrospection,
  refresh: measureRefresh,
  list: measureUsersList,
  'sign-in': measureSignIn,
  lists: measureLists,
  'back-office': measureBackOffice,
  console: measureConsole,
  'service-writes': measureServiceWrites,
  'service-lists': measureServiceLists,
  'service-shares': measureServiceShares,
  // Its platforms run until the end.
  checkouts: compareCheckouts,
  'ten-million': measureTenMillion,
  restore: measureRestore,
  memory: measureMemory,
};

/** Skipped by default, because they take an hour or up to 60 GB of disk. */
const LONG = ['memory', 'ten-million', 'restore'];

/** The scenarios named on the command line; by default all except the long ones. */
const selectScenarios = (names: readonly string[], isComparison: boolean): string[] => {
  const unknown = names.filter((name) => !(name in SCENARIOS));
  if (unknown.length > 0) {
    console.error(`Unknown scenario ${unknown.join(', ')}; use ${Object.keys(SCENARIOS).join(', ')}.`);
    process.exit(1);
  }
  const skipped = new Set([...LONG, ...(isComparison ? [] : ['checkouts'])]);
  return names.length > 0 ? [...names] : Object.keys(SCENARIOS).filter((name) => !skipped.has(name));
};

/**
 * If other processes use more than this share of the machine, nothing is written. The idle platform uses 2 %
 * of four cores.
 */
const MAX_MACHINE_LOAD = 0.1;
const MEASUREMENTS = join(ROOT, 'docs', 'measurements.md');

/** Adds a note if other processes are busy. */
const checkMachine = async ({ report }: BenchRun, scenario: string): Promise<boolean> => {
  const load = await measureMachineLoad(PLAN.loadSeconds);
  const percent = `${(load * 100).toFixed(0)} %`;
  console.log(`\n── ${scenario} (machine load before: ${percent})`);
  const isQuiet = load <= MAX_MACHINE_LOAD;
  if (!isQuiet)
    report.addNote(`The machine was busy before ${scenario} (${percent}), so its results are not written`);
  return isQuiet;
};

/** The other scenarios run even if one fails. @returns whether all succeeded */
const runScenarios = async (run: BenchRun, names: readonly string[]): Promise<boolean> => {
  let succeeded = true;
  const { databaseUrl } = await run.small();
  for (const name of names) {
    const isQuiet = await checkMachine(run, name);
    const started = performance.now();
    const { tables, results } = run.report;
    const [tableCount, resultCount] = [tables.length, results.length];
    try {
      await SCENARIOS[name]?.(run);
      const measured = { tables: tables.slice(tableCount), results: results.slice(resultCount) };
      // A section names the peers that it compares, and those that are missing.
      const text = JSON.stringify(measured);
      const peers = Object.entries(run.versions).filter(
        ([name, version]) => text.includes(name) || version.includes('does not run'),
      );
      const environment = { ...(await readEnvironment(databaseUrl, ROOT)), ...Object.fromEntries(peers) };
      // Only the developer of the other checkout is interested in this comparison.
      if (isQuiet && !PLAN.isQuick && name !== 'checkouts')
        writeSection(MEASUREMENTS, Object.keys(SCENARIOS), name, { ...measured, environment });
    } catch (error) {
      succeeded = false;
      run.report.addNote(`The scenario ${name} failed: ${error instanceof Error ? error.message : error}`);
    }
    console.log(`(${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  }
  return succeeded;
};

const runBenchmark = async (names: readonly string[], run: BenchRun): Promise<void> => {
  const succeeded = await runScenarios(run, names);
  console.log(`\n${formatResults(run.report.results)}`);
  const isMeasured = run.report.results.every((result) => getOutcome(result) !== 'not measured');
  if (!(succeeded && isMeasured)) process.exitCode = 1;
};

/** Runs `work`, then stops what it has started, also after an interruption. */
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
  options: { against: { type: 'string' } },
});
const directory = join(CACHE, 'logs');
mkdirSync(directory, { recursive: true });
const root = values.against === undefined ? undefined : resolve(values.against);
const against = root === undefined ? undefined : { root, commit: readCommit(root) };
await withCleanup((defer) =>
  runBenchmark(
    selectScenarios(positionals, against !== undefined),
    createBenchRun({ directory, defer, against }),
  ),
);
process.exit();
