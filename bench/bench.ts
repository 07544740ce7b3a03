// `npm run bench`: every figure that is promised, and what it is held against, in one run on this machine.
// `npm run bench -- me refresh` measures these parts alone; BENCH_QUICK=1 shortens everything, to try it out.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRun, createBenchRun } from './bench-run.ts';
import { PLAN } from './plan.ts';
import { readEnvironment } from './report/environment.ts';
import { judge, showLines } from './report/table.ts';
import { writeResults } from './report/write-results.ts';
import { measureCost } from './scenarios/cost.ts';
import { measureGrowth } from './scenarios/growth.ts';
import { measureMe } from './scenarios/me.ts';
import { measureMemory } from './scenarios/memory.ts';
import { measureRefresh } from './scenarios/refresh.ts';
import { measureScaleOut } from './scenarios/scale-out.ts';
import { measureSignIn } from './scenarios/sign-in.ts';
import { measureStorm } from './scenarios/sign-in-burst.ts';
import { measureUsersList } from './scenarios/users-list.ts';
import { CACHE } from './targets/peer.ts';
import { ROOT } from './targets/processes.ts';

const PARTS: Record<string, (run: BenchRun) => Promise<void>> = {
  me: measureMe,
  refresh: measureRefresh,
  list: measureUsersList,
  'sign-in': measureSignIn,
  storm: measureStorm,
  cost: measureCost,
  'scale-out': measureScaleOut,
  growth: measureGrowth,
  memory: measureMemory,
};

const choose = (asked: readonly string[]): string[] => {
  const unknown = asked.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.`);
    process.exit(1);
  }
  return asked.length > 0 ? [...asked] : Object.keys(PARTS);
};

/** A part that fails leaves the others their chance. @returns how many failed */
const measureAll = async (run: BenchRun, names: readonly string[]): Promise<number> => {
  let failures = 0;
  for (const name of names) {
    const started = performance.now();
    console.log(`\n── ${name}`);
    try {
      await PARTS[name]?.(run);
    } catch (error) {
      failures += 1;
      run.report.note(`The part ${name} failed: ${error instanceof Error ? error.message : error}`);
    }
    console.log(`(${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s)`);
  }
  return failures;
};

const main = async (): Promise<void> => {
  const names = choose(process.argv.slice(2));
  const isComplete = names.length === Object.keys(PARTS).length && !PLAN.isQuick;
  const started = performance.now();
  const directory = join(CACHE, 'logs');
  mkdirSync(directory, { recursive: true });
  const run = createBenchRun(directory);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void run.stop().finally(() => process.exit(1)));
  try {
    const { databaseUrl } = await run.small();
    const environment = await readEnvironment(databaseUrl);
    const failures = await measureAll(run, names);
    Object.assign(environment, run.versions);
    environment['time taken'] = `${((performance.now() - started) / 60_000).toFixed(1)} minutes`;
    const heading = `Benchmark${isComplete ? '' : `, ${PLAN.isQuick ? 'quick' : 'in part'}: ${names.join(', ')}`}`;
    const target = isComplete ? join(ROOT, 'bench', 'results') : join(CACHE, 'results');
    const file = writeResults(target, { environment, report: run.report, heading });
    console.log(`\n${showLines(run.report.lines)}\n\n${file}`);
    if (failures > 0 || run.report.lines.some((line) => judge(line) === 'not measured')) process.exitCode = 1;
  } finally {
    await run.stop();
  }
  process.exit();
};

await main();
