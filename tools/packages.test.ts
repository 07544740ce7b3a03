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
  it('have the version that the examples and the pages name', async () => {
    const [root] = manifests;
    for (const name of ['first-session', 'projects-service']) {
      const { dependencies } = await readManifest(`examples/${name}`);
      expect(dependencies?.['@platform/client'], name).to.equal(root?.version);
    }
    for (const path of ['openapi/client/README.md', 'docs/frontends.md', 'docs/other-services.md']) {
      const page = await readFile(join(ROOT, path), 'utf8');
      const named = [...page.matchAll(/platform-client-(\d+\.\d+\.\d+)\.tgz/g)].map(([, version]) => version);
      expect([...new Set(named)], path).to.deep.equal([root?.version]);
    }
  });
});
