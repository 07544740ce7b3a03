import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  findNewest,
  renderResilience,
  renderSpeed,
  replaceBlock,
  SUITES,
  type SuiteRecord,
} from './figures.ts';

// Part of `npm run generate`: writes the figures of README.md from the newest benchmark result and the recorded suite runs.
// With --check (`npm run check`) it only reports whether they are stale.

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = join(ROOT, 'README.md');
const BENCH_RESULTS = join(ROOT, 'bench/results');
const SUITE_RESULTS = join(ROOT, 'test/results');

const readSpeed = async (): Promise<string> => {
  const newest = findNewest(await readdir(BENCH_RESULTS));
  if (newest === undefined) return 'Not recorded: `npm run bench`.';
  return renderSpeed(newest, await readFile(join(BENCH_RESULTS, newest), 'utf8'));
};

const readRecords = (): Promise<SuiteRecord[]> =>
  Promise.all(
    [...SUITES]
      .map((suite) => join(SUITE_RESULTS, `${suite}.json`))
      .filter((path) => existsSync(path))
      .map(async (path) => JSON.parse(await readFile(path, 'utf8')) as SuiteRecord),
  );

const page = await readFile(PAGE, 'utf8');
const withSpeed = replaceBlock(page, 'speed', await readSpeed());
const current = replaceBlock(withSpeed, 'resilience', renderResilience(await readRecords()));
if (!process.argv.includes('--check')) await writeFile(PAGE, current);
else if (current !== page) {
  console.error('README.md is stale: run `npm run generate` and commit it.');
  process.exitCode = 1;
}
