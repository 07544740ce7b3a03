import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { loadOpenApiDocument } from '../shared/src/http/openapi-document.ts';
import { findAdditions, findUnnamed } from './contract/additions.ts';
import { checkRelease } from './contract/check-release.ts';
import { compareContracts } from './contract/compare-contracts.ts';
import type { Contract } from './contract/openapi-types.ts';

// Compares each contract with its last release: a new operation needs a changelog note, a breaking change also a new version.
// With --release the current contracts become the released ones.

const ROOT = resolve(import.meta.dirname, '..');
const CONTRACTS = ['auth', 'admin', 'internal'];
const releasedPath = (name: string): string => join(ROOT, 'openapi/released', `${name}.json`);

const loadCurrent = (name: string): Promise<Contract> =>
  loadOpenApiDocument(
    pathToFileURL(join(ROOT, 'openapi', `${name}.yaml`)),
  ) as Promise<unknown> as Promise<Contract>;

const loadReleased = async (name: string): Promise<Contract | undefined> =>
  existsSync(releasedPath(name))
    ? (JSON.parse(await readFile(releasedPath(name), 'utf8')) as Contract)
    : undefined;

const fail = (problem: string): void => {
  console.error(problem);
  process.exitCode = 1;
};

const checkAdditions = (name: string, released: Contract, current: Contract, changelog: string): void => {
  const additions = findAdditions(released, current);
  if (additions.length === 0) return;
  const { version } = current.info;
  console.log(`${name} ${version}: ${additions.length} operations more than ${released.info.version}`);
  for (const operation of additions) console.log(`  ${operation}`);
  for (const operation of findUnnamed(additions, changelog))
    fail(`CHANGELOG.md does not name the new operation \`${operation}\` under Unreleased`);
};

const check = async (name: string, changelog: string): Promise<void> => {
  const [released, current] = await Promise.all([loadReleased(name), loadCurrent(name)]);
  if (!released) {
    console.log(`${name} ${current.info.version} is not released yet: there is nothing to compare it with.`);
    return;
  }
  checkAdditions(name, released, current, changelog);
  const breakingChanges = compareContracts(released, current);
  const { version } = current.info;
  const problems = checkRelease({
    name,
    released: released.info.version,
    version,
    breakingChanges,
    changelog,
  });
  if (problems.length === 0) return;
  console.error(`${name} ${version} has breaking changes since the released ${released.info.version}:`);
  for (const { operation, change } of breakingChanges) console.error(`  ${operation}: ${change}`);
  for (const problem of problems) fail(problem);
};

const release = async (name: string): Promise<void> => {
  const [released, current] = await Promise.all([loadReleased(name), loadCurrent(name)]);
  if (isDeepStrictEqual(released, current))
    return console.log(`${name} ${current.info.version} is already released.`);
  if (released?.info.version === current.info.version)
    return fail(
      `openapi/${name}.yaml changed since ${released.info.version} was released: raise its info.version`,
    );
  await mkdir(join(ROOT, 'openapi/released'), { recursive: true });
  await writeFile(releasedPath(name), `${JSON.stringify(current, undefined, 2)}\n`);
  console.log(`${name} ${current.info.version} is now the released contract.`);
};

const { values } = parseArgs({ options: { release: { type: 'boolean' } } });
const changelog = await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8');
for (const name of CONTRACTS) await check(name, changelog);
if (values.release && process.exitCode !== 1) for (const name of CONTRACTS) await release(name);
