import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installPackage } from '../../tools/install-package.ts';

// `npm run test:contract [-- lint proxy]`: checks the OpenAPI documents with tools of others. Each part is one test file in
// this folder; without names all of them run.

const ROOT = resolve(import.meta.dirname, '../..');
const SUFFIX = '.test.ts';
const MOCHA = [
  ...['run.mjs', 'node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--forbid-only', '--fail-zero'],
  ...['--timeout', '60000', '--slow', '20000'],
  ...['--require', './shared/testing/fixtures.ts', '--reporter', './shared/testing/closing-line-reporter.ts'],
];

const findParts = async (): Promise<string[]> => {
  const files = await readdir(import.meta.dirname);
  return files.filter((file) => file.endsWith(SUFFIX)).map((file) => file.slice(0, -SUFFIX.length));
};

const selectParts = async (names: readonly string[]): Promise<string[]> => {
  const parts = await findParts();
  const unknown = names.filter((name) => !parts.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown part: ${unknown.join(', ')}. Available: ${parts.join(', ')}.`);
  return names.length > 0 ? [...names] : parts;
};

const run = async (names: readonly string[]): Promise<number> => {
  const files = (await selectParts(names)).map((part) => join(import.meta.dirname, part + SUFFIX));
  await installPackage('test/contract');
  const mocha = spawn(process.execPath, [...MOCHA, ...files], { cwd: ROOT, stdio: 'inherit' });
  const [code] = await once(mocha, 'close');
  return code ?? 1;
};

process.exitCode = await run(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  return 1;
});
