import { execFileSync } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';

// `npm run pack:client -- <folder>` and `npm run pack:test-bench -- <folder>` write a package for projects outside
// this repository. It is compiled to JavaScript, because their tools do not strip types in node_modules.

type Package = {
  /** Its folder, and the lowest folder with all that it imports, from the root. */
  folder: string;
  sources: string;
  /** What is packed, from `sources`. The generated types have no code, so their JavaScript files are left out. */
  files: string[];
  /** Files that are copied as they are. */
  pages: string[];
  finish?: (compiled: string) => Promise<void>;
};
type Manifest = { exports: Record<string, string>; private?: boolean };

const ROOT = resolve(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript-native/bin/tsc');

/** The compiler rewrites the extensions of imports only. */
const renameWorker = async (compiled: string): Promise<void> => {
  const file = join(compiled, 'client/src/bot-check.js');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace("'./bot-check-worker.ts'", "'./bot-check-worker.js'"));
};

const PACKAGES: Record<string, Package> = {
  client: {
    folder: 'openapi/client',
    sources: 'openapi',
    files: ['client/src', 'types/*.d.ts', 'CHANGELOG.md'],
    pages: ['README.md', 'CHANGELOG.md'],
    finish: renameWorker,
  },
  'test-bench': {
    folder: 'test-bench/client',
    sources: '.',
    files: ['test-bench/client/src', 'openapi/types/test-bench.d.ts'],
    pages: ['README.md'],
  },
};

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  declaration: true,
  // Source maps include the sources, because the package does not contain them.
  sourceMap: true,
  inlineSources: true,
};

const compile = async ({ folder, sources }: Package, directory: string): Promise<void> => {
  const project = join(directory, 'tsconfig.json');
  const include = [join(ROOT, folder, 'src/*.ts')];
  const exclude = [join(ROOT, folder, 'src/*.test.ts')];
  const compilerOptions = {
    ...COMPILER_OPTIONS,
    types: folder === 'openapi/client' ? [] : ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    rootDir: join(ROOT, sources),
    outDir: join(directory, 'package'),
  };
  await writeFile(project, JSON.stringify({ compilerOptions, include, exclude }));
  execFileSync(process.execPath, [TSC, '-p', project], { stdio: 'inherit' });
};

/** Removes the paths to the sources on this machine, which the compiler writes into the maps. */
const removeSourcePaths = async (directory: string): Promise<void> => {
  for await (const file of glob(join(directory, 'package/**/*.map'))) {
    const map: { sources: string[] } = JSON.parse(await readFile(file, 'utf8'));
    const sources = map.sources.map((path) => basename(path));
    await writeFile(file, JSON.stringify({ ...map, sources }));
  }
};

/** Replaces `./src/x.ts` by its compiled files. */
const toCompiledExport = (source: string, path: string) => {
  const file = source.replace('./', `./${path}`).replace(/\.ts$/, '');
  return { types: `${file}.d.ts`, default: `${file}.js` };
};

const writeManifest = async ({ folder, sources, files, pages }: Package, compiled: string): Promise<void> => {
  const text = await readFile(join(ROOT, folder, 'package.json'), 'utf8');
  const { private: _, ...source }: Manifest = JSON.parse(text);
  const path = `${relative(sources, folder)}/`;
  const exports = Object.fromEntries(
    Object.entries(source.exports).map(([name, file]) => [name, toCompiledExport(file, path)]),
  );
  await writeFile(
    join(compiled, 'package.json'),
    JSON.stringify({ ...source, files, exports }, undefined, 2),
  );
  for (const page of pages) await copyFile(join(ROOT, folder, page), join(compiled, page));
};

const [, , name = '', folder = '.'] = process.argv;
const selected = PACKAGES[name];
if (selected === undefined) throw new Error(`Unknown package: ${name}`);
const destination = resolve(folder);
const directory = await mkdtemp(join(tmpdir(), `${name}-package-`));
try {
  const compiled = join(directory, 'package');
  await compile(selected, directory);
  await selected.finish?.(compiled);
  await removeSourcePaths(directory);
  await writeManifest(selected, compiled);
  await mkdir(destination, { recursive: true });
  // npm sets this path for the scripts that it runs.
  const npm = process.env['npm_execpath'];
  const pack = ['pack', compiled, '--pack-destination', destination];
  if (npm) execFileSync(process.execPath, [npm, ...pack], { stdio: 'inherit' });
  else execFileSync('npm', pack, { stdio: 'inherit' });
} finally {
  await rm(directory, { recursive: true, force: true });
}
