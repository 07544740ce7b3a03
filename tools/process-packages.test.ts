import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { findLoadedPackages } from './deploy/process-packages.ts';
import { ALL_PROCESSES } from './deploy/processes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = [...Object.keys(ALL_PROCESSES), 'migrate'];

type Manifest = {
  name: string;
  version: string;
  license?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

const readManifest = async (workspace: string) =>
  JSON.parse(await readFile(join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;

const readManifests = async (): Promise<Manifest[]> => {
  const root = await readManifest('.');
  return [root, ...(await Promise.all((root.workspaces ?? []).map(readManifest)))];
};

describe('packages of a process', () => {
  for (const workspace of IMAGES)
    it(`${workspace}/package.json declares the packages that the process loads, and no others`, async () => {
      const { dependencies = {} } = await readManifest(workspace);
      const loaded = await findLoadedPackages(workspace);
      expect(Object.keys(dependencies)).to.have.members([...loaded]);
    });

  it('shared declares none, because npm would install all of them for every process', async () => {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } =
      await readManifest('shared');
    expect({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...peerDependencies,
    }).to.deep.equal({});
  });

  it('development packages are declared at the root, because npm follows those of a workspace', async () => {
    for (const workspace of IMAGES)
      expect((await readManifest(workspace)).devDependencies, workspace).to.equal(undefined);
  });

  it('share one exact version in all workspaces', async () => {
    const versions = new Map<string, string>();
    for (const {
      name: workspace,
      dependencies,
      devDependencies,
      optionalDependencies,
    } of await readManifests())
      for (const [name, version] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      })) {
        const exact = name.startsWith('@platform/') ? /^\*$/ : /^(?:npm:\w+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
        expect(version, `${workspace}: ${name}`).to.match(exact);
        expect(versions.get(name) ?? version, `${workspace}: ${name}`).to.equal(version);
        versions.set(name, version);
      }
  });

  it('every package.json has the version of the platform and the license UNLICENSED', async () => {
    const manifests = await readManifests();
    for (const { name, version, license } of manifests)
      expect({ name, version, license }).to.deep.equal({
        name,
        version: manifests[0]?.version,
        license: 'UNLICENSED',
      });
  });
});

describe('search for the packages of a process', () => {
  let root: string;
  const add = async (file: string, code: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), code);
  };
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'process-packages-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('follows imports, re-exports, dynamic imports, worker threads and operator commands', async () => {
    await add('api/src/main.ts', `import './static.ts';\nconst later = () => import('./later.ts');`);
    await add(
      'api/src/static.ts',
      `import { a } from 'imported/path';\nexport { b } from '@scope/exported/path';`,
    );
    await add(
      'api/src/later.ts',
      `new Worker(new URL('worker.mjs', import.meta.url));\nconst FOLDER = new URL('../files/', import.meta.url);
       const load = (file: string) => import(new URL(file, FOLDER).href);`,
    );
    await add('api/files/one.ts', `import 'file';`);
    await add('api/src/worker.mjs', `import 'worker';\nimport.meta.resolve('@scope/resolved/file.css');`);
    await add('api/src/roles/run-command.ts', `import 'command';\nimport { type Node } from 'names';`);
    const expected = ['imported', '@scope/exported', 'worker', '@scope/resolved', 'command', 'file', 'names'];
    expect([...(await findLoadedPackages('api', root))]).to.have.members(expected);
  });

  it('ignores types, modules of Node, and files that no process imports', async () => {
    await add(
      'api/src/main.ts',
      `import type { A } from 'types';\nexport type { B } from 'types';\nimport fs from 'node:fs';`,
    );
    await add('api/src/main.test.ts', `import 'tests';`);
    expect([...(await findLoadedPackages('api', root))]).to.deep.equal([]);
  });

  it('rejects an import that it cannot follow', async () => {
    await add('api/src/main.ts', `const load = (name: string) => import(name);`);
    const error = await findLoadedPackages('api', root).catch((thrown: Error) => thrown);
    expect(String(error)).to.include('import(name) is not a literal');
  });
});
