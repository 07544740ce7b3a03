import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installPackage, runNpm } from '../../tools/install-package.ts';

const CLIENT = resolve(import.meta.dirname, '../../openapi/client');
const RUN_PACK = resolve(import.meta.dirname, '../../tools/run-pack.ts');
const RECIPES = join(CLIENT, 'recipes');

/** A project in a temporary folder, outside this repository. */
export type FrontendProject = {
  directory: string;
  write: (path: string, content: string) => Promise<void>;
  /** Runs npm in the project and prints the output. */
  npm: (...args: string[]) => Promise<string>;
  /** Runs a script with the Node of this process. */
  node: (...args: string[]) => Promise<string>;
};

/** Creates a directory inside that of the run, which contains all temporary ones. */
const createDirectory = async (name: string): Promise<string> =>
  await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));

const packed = new Map<string, Promise<string>>();

const pack = async (name: string): Promise<string> => {
  const directory = await createDirectory(`packed-${name}`);
  await promisify(execFile)(process.execPath, [RUN_PACK, name, directory]);
  const [file = ''] = await readdir(directory);
  return join(directory, file);
};

/** Packs a package once for all tests. */
export const packPackage = (name: 'client' | 'test-bench'): Promise<string> => {
  const packing = packed.get(name) ?? pack(name);
  packed.set(name, packing);
  return packing;
};

const indent = (text: string): string => text.trim().replaceAll(/^/gm, '      ');

const createProject = (directory: string): FrontendProject => {
  const print = (command: string, output: string): string => {
    console.log(`      $ ${command}\n${indent(output)}`);
    return output;
  };
  return {
    directory,
    write: async (path, content) => {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), content);
    },
    npm: async (...args) => print(`npm ${args.join(' ')}`, await runNpm(args, directory)),
    node: async (...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: directory });
      return print(`node ${args.join(' ')}`, stdout);
    },
  };
};

export const createEmptyProject = async (): Promise<FrontendProject> =>
  createProject(await createDirectory('empty-project'));

/**
 * Copies openapi/client/recipes or a folder in it, and installs its packages and the packed client.
 */
export const installRecipe = async (folder = ''): Promise<FrontendProject> => {
  const directory = await createDirectory('recipe');
  await cp(join(RECIPES, folder), directory, {
    recursive: true,
    filter: (source) => !source.includes('node_modules'),
  });
  await installPackage(directory);
  const project = createProject(directory);
  await project.npm('install', '--ignore-scripts', await packPackage('client'));
  return project;
};
