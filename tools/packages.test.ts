import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');

type Manifest = {
  name: string;
  version: string;
  license?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const readManifest = async (workspace: string) =>
  JSON.parse(await readFile(join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest;

// Biome reports a package that a workspace imports without declaring it; Knip reports one that it declares
// without importing it.
describe('packages of the workspaces', () => {
  let manifests: Manifest[];
  before(async () => {
    const root = await readManifest('.');
    manifests = [root, ...(await Promise.all((root.workspaces ?? []).map(readManifest)))];
  });

  it('have one exact version in all of them', () => {
    const versions = new Map<string, string>();
    for (const { name: workspace, dependencies, devDependencies, optionalDependencies } of manifests)
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

  it('have the version of the platform and the license UNLICENSED', () => {
    const [root] = manifests;
    for (const { name, version, license } of manifests)
      expect({ name, version, license }).to.deep.equal({
        name,
        version: root?.version,
        license: 'UNLICENSED',
      });
  });
});
