import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readAlertRules, renderAlerts } from './alert-table.ts';
import {
  findNewest,
  renderFailover,
  renderResilience,
  renderSpeed,
  replaceBlock,
  SUITES,
  type SuiteRecord,
} from './figures.ts';
import { renderScaling, SCALING_BLOCKS, type ScenarioRecord } from './scaling-figures.ts';

// Part of `npm run generate`: writes the figures of README.md, docs/operations.md and docs/scaling.md from the newest benchmark
// result, the recorded runs and the alert rules. With --check (`npm run check`) it only reports whether they are stale.

const ROOT = resolve(import.meta.dirname, '..');
const BENCH_RESULTS = join(ROOT, 'bench/results');
const SUITE_RESULTS = join(ROOT, 'test/results');

const readMemoryTargets = async (): Promise<string[][]> => {
  const path = join(BENCH_RESULTS, 'memory.json');
  if (!existsSync(path)) return [];
  const { targets = [] } = JSON.parse(await readFile(path, 'utf8')) as ScenarioRecord;
  return targets;
};

const readSpeed = async (): Promise<string> => {
  const newest = findNewest(await readdir(BENCH_RESULTS));
  if (newest === undefined) return 'Not recorded: `npm run bench`.';
  const markdown = await readFile(join(BENCH_RESULTS, newest), 'utf8');
  return renderSpeed(newest, markdown, await readMemoryTargets());
};

const readRecords = (): Promise<SuiteRecord[]> =>
  Promise.all(
    [...SUITES]
      .map((suite) => join(SUITE_RESULTS, `${suite}.json`))
      .filter((path) => existsSync(path))
      .map(async (path) => JSON.parse(await readFile(path, 'utf8')) as SuiteRecord),
  );

const readScenarios = async (): Promise<Record<string, ScenarioRecord>> => {
  const scenarios = new Set(Object.values(SCALING_BLOCKS).map(({ scenario }) => scenario));
  const entries = [...scenarios]
    .map((scenario) => [scenario, join(BENCH_RESULTS, `${scenario}.json`)] as const)
    .filter(([, path]) => existsSync(path))
    .map(async ([scenario, path]) => [scenario, JSON.parse(await readFile(path, 'utf8'))] as const);
  return Object.fromEntries(await Promise.all(entries));
};

/** Writes the blocks of a page, or with --check only compares them. */
const updatePage = async (name: string, blocks: Readonly<Record<string, string>>): Promise<void> => {
  const file = join(ROOT, name);
  const page = await readFile(file, 'utf8');
  const current = Object.entries(blocks).reduce(
    (text, [block, content]) => replaceBlock(text, block, content),
    page,
  );
  if (!process.argv.includes('--check')) await writeFile(file, current);
  else if (current !== page) {
    console.error(`${name} is stale: run \`npm run generate\` and commit it.`);
    process.exitCode = 1;
  }
};

const records = await readRecords();
await updatePage('README.md', { speed: await readSpeed(), resilience: renderResilience(records) });
await updatePage('docs/operations.md', {
  failover: renderFailover(records),
  alerts: renderAlerts(await readAlertRules()),
});
await updatePage('docs/scaling.md', renderScaling(await readScenarios()));
