import { execFileSync } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

// `npm run pack:client -- <folder>` writes the client as an npm package for frontends
// outside this repository. It is compiled to JavaScript, because their tools do not strip types in
// node_modules.

type Manifest = { exports: Record<string, string>; private?: boolean };

const CLIENT = import.meta.dirname;
const TSC = resolve(CLIENT, '../../node_modules/typescript-native/bin/tsc');

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  declaration: true,
  // Source maps include the sources, because the package does not contain them.
  sourceMap: true,
  inlineSources: true,
  rootDir: resolve(CLIENT, '..'),
};
/** The generated types have no code, so their JavaScript files are left out. */
const FILES = ['client/src', 'types/*.d.ts', 'CHANGELOG.md'];

const compile = async (directory: string): Promise<void> => {
  const project = join(directory, 'tsconfig.json');
  const include = [join(CLIENT, 'src/*.ts')];
  const exclude = [join(CLIENT, 'src/*.test.ts')];
  const options = { ...COMPILER_OPTIONS, outDir: join(directory, 'package') };
  await writeFile(project, JSON.stringify({ compilerOptions: options, include, exclude }));
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

/** The compiler rewrites the extensions of imports only. */
const renameWorker = async (directory: string): Promise<void> => {
  const file = join(directory, 'package/client/src/bot-check.js');
  const code = await readFile(file, 'utf8');
  await writeFile(file, code.replace("'./bot-check-worker.ts'", "'./bot-check-worker.js'"));
};

/** Replaces `./src/x.ts` by its compiled files. */
const toCompiledExport = (source: string) => {
  const path = source.replace('./src/', './client/src/').replace(/\.ts$/, '');
  return { types: `${path}.d.ts`, default: `${path}.js` };
};

const writeManifest = async (directory: string): Promise<void> => {
  const { private: _, ...source }: Manifest = JSON.parse(
    await readFile(join(CLIENT, 'package.json'), 'utf8'),
  );
  const exports = Object.fromEntries(
    Object.entries(source.exports).map(([name, path]) => [name, toCompiledExport(path)]),
  );
  const manifest = { ...source, files: FILES, exports };
  await writeFile(join(directory, 'package/package.json'), JSON.stringify(manifest, undefined, 2));
  for (const page of ['README.md', 'CHANGELOG.md'])
    await copyFile(join(CLIENT, page), join(directory, 'package', page));
};

const destination = resolve(process.argv[2] ?? '.');
const directory = await mkdtemp(join(tmpdir(), 'client-package-'));
try {
  await compile(directory);
  await renameWorker(directory);
  await removeSourcePaths(directory);
  await writeManifest(directory);
  await mkdir(destination, { recursive: true });
  // npm sets this path for the scripts that it runs.
  const npm = process.env['npm_execpath'];
  const pack = ['pack', join(directory, 'package'), '--pack-destination', destination];
  if (npm) execFileSync(process.execPath, [npm, ...pack], { stdio: 'inherit' });
  else execFileSync('npm', pack, { stdio: 'inherit' });
} finally {
  await rm(directory, { recursive: true, force: true });
}
