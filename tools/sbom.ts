import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

// `node run.mjs tools/sbom.ts`: the production packages of each image as CycloneDX, in `.data/sbom` or the
// given folder.

const ROOT = resolve(import.meta.dirname, '..');
/** Every image contains `shared`. */
const IMAGES = ['gateway', 'auth-service', 'admin-service', 'mailer-worker', 'migrate', 'deploy/probe'];
const COMMAND = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];

type LockedPackage = {
  name?: string;
  version?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
};
type Lock = { packages: Record<string, LockedPackage> };

const isProduction = ([path, locked]: [string, LockedPackage]): boolean =>
  path.startsWith('node_modules/') && !(locked.link || locked.dev || locked.optional || locked.devOptional);

/**
 * Returns the lock file as if the image's workspace were the whole project. `npm sbom --workspace` would omit
 * packages that any workspace also uses for development.
 */
const isolateWorkspace = (lock: Lock, workspace: string): Lock => {
  const { name = '', version = '', license = '', dependencies = {} } = lock.packages[workspace] ?? {};
  const external = Object.entries({ ...lock.packages['shared']?.dependencies, ...dependencies }).filter(
    ([dependency]) => !dependency.startsWith('@platform/'),
  );
  const project = { name, version, license, dependencies: Object.fromEntries(external) };
  const production = Object.entries(lock.packages).filter(isProduction);
  return { ...lock, packages: { '': project, ...Object.fromEntries(production) } };
};

/**
 * Creates the document from the lock file alone.
 *
 * @param work a temporary folder; npm names the document after the subfolder of the image
 */
const createSbom = async (work: string, lock: Lock, image: string): Promise<{ components: unknown[] }> => {
  const isolated = isolateWorkspace(lock, image);
  const folder = join(work, basename(image));
  await mkdir(folder);
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(isolated));
  await writeFile(join(folder, 'package.json'), JSON.stringify(isolated.packages['']));
  return JSON.parse((await promisify(execFile)('npm', COMMAND, { cwd: folder })).stdout);
};

const output = resolve(process.argv[2] ?? join(ROOT, '.data/sbom'));
const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
const work = await mkdtemp(join(tmpdir(), 'sbom-'));
await mkdir(output, { recursive: true });
try {
  for (const image of IMAGES) {
    const sbom = await createSbom(work, lock, image);
    const path = join(output, `${basename(image)}.cdx.json`);
    await writeFile(path, `${JSON.stringify(sbom, null, 2)}\n`);
    console.log(`${relative(process.cwd(), path)}: ${sbom.components.length} packages`);
  }
} finally {
  await rm(work, { recursive: true });
}
