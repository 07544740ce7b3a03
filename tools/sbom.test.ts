import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = ['gateway', 'auth-service', 'admin-service', 'mailer-worker', 'migrate', 'probe'];

type Component = { name: string; version: string; purl: string; hashes?: { alg: string; content: string }[] };
type Sbom = {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string; type: string } };
  components: Component[];
};

type Manifest = Record<'name' | 'version', string> & {
  [Kind in 'dependencies' | 'optionalDependencies' | 'peerDependencies']?: Record<string, string>;
} & { peerDependenciesMeta?: Record<string, { optional?: boolean }> };

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

const getRequired = (manifest: Manifest): string[] => {
  const { dependencies, optionalDependencies = {}, peerDependencies, peerDependenciesMeta = {} } = manifest;
  return Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !(name in optionalDependencies || peerDependenciesMeta[name]?.optional),
  );
};

/** Node resolves a package in node_modules of the folder or of a parent. */
const findPackage = (name: string, folder: string): string => {
  const found = join(folder, 'node_modules', name);
  if (existsSync(join(found, 'package.json'))) return found;
  if (folder === ROOT) throw new Error(`${name} is not installed`);
  return findPackage(name, dirname(folder));
};

/** The installed packages that a workspace needs: an independent way to the list of the SBOM. */
const findNeeded = async (workspace: string): Promise<string[]> => {
  const folders = new Set([join(ROOT, workspace)]);
  const needed = new Set<string>();
  for (const folder of folders) {
    const manifest = await readManifest(folder);
    if (folder.includes('node_modules')) needed.add(`${manifest.name}@${manifest.version}`);
    for (const dependency of getRequired(manifest))
      if (!dependency.startsWith('@platform/')) folders.add(findPackage(dependency, folder));
  }
  return [...needed].sort();
};

describe('SBOM of an image', () => {
  const sboms = new Map<string, Sbom>();
  const get = (image: string): Sbom => {
    const sbom = sboms.get(image);
    if (!sbom) throw new Error(`no SBOM of ${image}`);
    return sbom;
  };
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sbom-test-'));
    await promisify(execFile)(process.execPath, [join(ROOT, 'tools/sbom.ts'), folder]);
    for (const image of IMAGES)
      sboms.set(image, JSON.parse(await readFile(join(folder, `${image}.cdx.json`), 'utf8')));
    await rm(folder, { recursive: true });
  });

  for (const image of IMAGES) {
    it(`lists the packages of ${image} and those that they need`, async () => {
      const listed = get(image).components.map(({ name, version }) => `${name}@${version}`);
      expect(listed.sort()).to.deep.equal(await findNeeded(image));
    });

    it(`identifies each package of ${image} by its hash`, () => {
      const { bomFormat, specVersion, metadata, components } = get(image);
      expect({ bomFormat, specVersion }).to.deep.equal({ bomFormat: 'CycloneDX', specVersion: '1.5' });
      expect(metadata.component).to.include({ name: image, type: 'application' });
      for (const { purl, hashes = [], name } of components) {
        expect(purl, name).to.match(/^pkg:npm\/[^@]+@\d/);
        expect(hashes.map(({ alg, content }) => [alg, content.length])).to.deep.equal(
          [['SHA-512', 128]],
          name,
        );
      }
    });
  }

  it('of the gateway and of the migrations have no packages of other processes', () => {
    const getNames = (image: string) => get(image).components.map(({ name }) => name);
    const foreign = ['bullmq', 'bcryptjs', 'express-openapi-validator', 'swagger-ui-dist', 'nodemailer'];
    expect(getNames('gateway')).not.to.include.oneOf(['knex', 'pg', ...foreign]);
    expect(getNames('migrate')).not.to.include.oneOf(['express', 'redis', 'pino', ...foreign]);
    expect(getNames('mailer-worker')).not.to.include.oneOf(['express', 'bcryptjs', 'swagger-ui-dist']);
  });
});
