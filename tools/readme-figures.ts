import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hashCases } from '../shared/testing/suite-cases.ts';
import {
  findNewest,
  renderFailover,
  renderResilience,
  renderSpeed,
  replaceBlock,
  type SuiteRecord,
} from './figures.ts';
import { renderScaling, SCALING_BLOCKS, type ScenarioRecord } from './scaling-figures.ts';

// Part of `npm run generate`: writes the figures of the documents from the newest benchmark result and the recorded runs. A run
// of other cases than its suite has now is not shown. With --check (`npm run check`) it only reports such runs and stale pages.

const ROOT = resolve(import.meta.dirname, '..');
const BENCH_RESULTS = join(ROOT, 'bench/results');
const SUITE_RESULTS = join(ROOT, 'test/results');
const IS_CHECK = process.argv.includes('--check');

const report = (problem: string): void => {
  console.error(problem);
  if (IS_CHECK) process.exitCode = 1;
};

const readScenario = async (scenario: string): Promise<ScenarioRecord | undefined> => {
  const path = join(BENCH_RESULTS, `${scenario}.json`);
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as ScenarioRecord) : undefined;
};

const readSpeed = async (): Promise<string> => {
  const newest = findNewest(await readdir(BENCH_RESULTS));
  if (newest === undefined) return 'Not recorded: `npm run bench`.';
  const markdown = await readFile(join(BENCH_RESULTS, newest), 'utf8');
  const [memory, tenMillion] = [await readScenario('memory'), await readScenario('ten-million')];
  return renderSpeed(newest, markdown, { memory, 'ten-million': tenMillion });
};

const isCurrent = (name: string, { program, cases, command }: SuiteRecord): boolean => {
  if (existsSync(join(ROOT, program)) && hashCases(program) === cases) return true;
  report(`test/results/${name} is older than its suite: run \`${command} --record\`, or remove the file.`);
  return false;
};

const readRecords = async (): Promise<SuiteRecord[]> => {
  const names = existsSync(SUITE_RESULTS) ? (await readdir(SUITE_RESULTS)).sort() : [];
  const records: SuiteRecord[] = [];
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const record = JSON.parse(await readFile(join(SUITE_RESULTS, name), 'utf8')) as SuiteRecord;
    if (isCurrent(name, record)) records.push(record);
  }
  return records;
};

const readScenarios = async (): Promise<Record<string, ScenarioRecord | undefined>> => {
  const scenarios = new Set(Object.values(SCALING_BLOCKS).map(({ scenario }) => scenario));
  const entries = [...scenarios].map(async (scenario) => [scenario, await readScenario(scenario)] as const);
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
  if (!IS_CHECK) await writeFile(file, current);
  else if (current !== page) report(`${name} is stale: run \`npm run generate\` and commit it.`);
};

const records = await readRecords();
await updatePage('README.md', { speed: await readSpeed(), resilience: renderResilience(records) });
await updatePage('docs/high-availability.md', { failover: renderFailover(records) });
await updatePage('docs/scaling.md', renderScaling(await readScenarios()));
