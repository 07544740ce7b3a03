import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runScript } from '@platform/shared/testing/process';
import type { ClientJourneys } from './journey.ts';

export const GENERATORS = ['hey-api', 'orval'] as const;
export type Generator = (typeof GENERATORS)[number];

const MODULES = 'test/contract/node_modules';
const COMMANDS: Record<Generator, [script: string, ...args: string[]]> = {
  'hey-api': [
    `${MODULES}/@hey-api/openapi-ts/bin/run.js`,
    ...['--file', 'test/contract/generators/hey-api.config.cjs'],
  ],
  orval: [`${MODULES}/orval/dist/bin/orval.js`, ...['--config', 'test/contract/generators/orval.config.cjs']],
};
const TSC = 'node_modules/typescript-native/bin/tsc';

const getDirectory = (generator: Generator): string => join(import.meta.dirname, '../.generated', generator);

const listFiles = async (generator: Generator): Promise<string[]> => {
  const entries = await readdir(getDirectory(generator), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
};

const runGenerator = async (generator: Generator): Promise<string[]> => {
  await rm(getDirectory(generator), { recursive: true, force: true });
  const [script, ...args] = COMMANDS[generator];
  const { code, output } = await runScript(script, args, {});
  if (code !== 0) throw new Error(`${generator} failed:\n${output}`);
  return await listFiles(generator);
};

const generated = new Map<Generator, Promise<string[]>>();

/** Writes the client that the generator makes from the joined document, once; returns its files. */
export const generateClient = (generator: Generator): Promise<string[]> => {
  const files = generated.get(generator) ?? runGenerator(generator);
  generated.set(generator, files);
  return files;
};

/** Compiles the generated clients and the journeys that use them; the output is that of the compiler. */
export const compileClients = (): Promise<{ code: number | null; output: string }> =>
  runScript(TSC, ['-p', 'test/contract/generators/tsconfig.json'], {});

/** The exported types and values of a generated client. */
export const listExports = async (generator: Generator): Promise<string[]> => {
  const sources = await Promise.all((await listFiles(generator)).map((file) => readFile(file, 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/^export (?:declare )?(?:type|interface|const|class|enum) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
};

/** The import is not literal, because the journeys compile only with the generated clients. */
export const loadJourneys = async (generator: Generator): Promise<ClientJourneys> => {
  const { journeys } = await import(join(import.meta.dirname, `${generator}-journey.ts`));
  return journeys as ClientJourneys;
};
