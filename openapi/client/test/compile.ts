import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A frontend has browser types, no Node types, and a bundler's module resolution. */
const FRONTEND_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  module: 'preserve',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
};

type Options = { modules?: string; compilerOptions?: object };

const run = (directory: string, compiler: string): Promise<string> =>
  new Promise((resolveOutput) => {
    const script = join(ROOT, 'node_modules', compiler, 'bin/tsc');
    execFile(process.execPath, [script, '-p', directory, '--pretty', 'false'], (_error, stdout, stderr) =>
      resolveOutput(stdout + stderr),
    );
  });

/** Compiles a program as a file of a frontend with the packages in `modules`; returns the compiler errors. */
export const compile = async (
  code: string,
  compiler: 'typescript' | 'typescript-native',
  { modules = join(ROOT, 'node_modules'), compilerOptions = {} }: Options = {},
): Promise<string> => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'frontend-')));
  try {
    await symlink(modules, join(directory, 'node_modules'), 'junction');
    const options = { ...FRONTEND_OPTIONS, ...compilerOptions };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(directory, 'main.ts'), `${code}\nexport {};\n`);
    return await run(directory, compiler);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** Joins the examples of the README to one program. */
export const readExamples = async (): Promise<string> => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  if (blocks.length < 5) throw new Error('README.md has fewer than five examples');
  return blocks.join('\n');
};
