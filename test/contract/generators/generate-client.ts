import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPlatform } from '@platform/shared/testing/openapi-operations';
import { runScript } from '@platform/shared/testing/process';

const GENERATOR = 'test/contract/node_modules/@hey-api/openapi-ts/bin/run.js';
const CONFIGURATION = 'test/contract/generators/hey-api.config.cjs';
const TSC = 'node_modules/typescript-native/bin/tsc';
const GENERATED = join(import.meta.dirname, '../.generated');
const DIRECTORY = join(GENERATED, 'hey-api');

/** Generates the client of hey-api from the joined document. */
export const generateClient = async (): Promise<void> => {
  await rm(DIRECTORY, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  await writeFile(join(GENERATED, 'platform.json'), JSON.stringify(await loadPlatform()));
  const { code, output } = await runScript(GENERATOR, ['--file', CONFIGURATION], {});
  if (code !== 0) throw new Error(`hey-api failed:\n${output}`);
};

/** Compiles the client and `hey-api-usage.ts`. `output` is the output of the compiler. */
export const compileClient = (): Promise<{ code: number | null; output: string }> =>
  runScript(TSC, ['-p', 'test/contract/generators/tsconfig.json'], {});

/** The exported types and values of the client. */
export const listExports = async (): Promise<string[]> => {
  const entries = await readdir(DIRECTORY, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/^export (?:declare )?(?:type|interface|const|class|enum) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
};
