import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A frontend has browser types, no Node types, and module resolution by a bundler. */
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

const compile = (directory: string, compiler: string): Promise<string> =>
  new Promise((resolveOutput) => {
    const script = join(ROOT, 'node_modules', compiler, 'bin/tsc');
    execFile(process.execPath, [script, '-p', directory, '--pretty', 'false'], (_error, stdout, stderr) =>
      resolveOutput(stdout + stderr),
    );
  });

/**
 * Compiles each snippet as a file of a frontend with the packages in `modules`. Returns the compiler errors by snippet; ''
 * without an error.
 */
export const compileSnippets = async (
  snippets: Record<string, string>,
  compiler: 'typescript' | 'typescript-native' = 'typescript-native',
  { modules = join(ROOT, 'node_modules'), compilerOptions = {} }: Options = {},
): Promise<Record<string, string>> => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'frontend-')));
  try {
    await symlink(modules, join(directory, 'node_modules'), 'junction');
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...FRONTEND_OPTIONS, ...compilerOptions }, include: ['*.ts'] }),
    );
    await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
    const names = Object.keys(snippets);
    for (const [index, name] of names.entries())
      await writeFile(join(directory, `snippet-${index}.ts`), `${snippets[name]}\nexport {};\n`);
    const output = (await compile(directory, compiler)).replaceAll(/\n +/g, ' ').split('\n');
    // An error outside the snippets, for example in the client, counts for every snippet.
    const belongsTo = (index: number) => (line: string) =>
      line.includes(`snippet-${index}.ts(`) || (line !== '' && !/^\S*snippet-\d+\.ts\(/.test(line));
    return Object.fromEntries(
      names.map((name, index) => [name, output.filter(belongsTo(index)).join('\n')] as const),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

/** The examples of the README as one program. */
export const readExamples = async (): Promise<string> => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  if (blocks.length < 5) throw new Error('README.md has fewer than five examples');
  return blocks.join('\n');
};
