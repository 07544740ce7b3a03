import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from './run-command.ts';

/** The workspaces with an image. */
export const IMAGES = ['gateway', 'auth-service', 'admin-service', 'mailer-worker', 'migrate'] as const;

const LOCK = resolve(import.meta.dirname, '../../package-lock.json');

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

type Component = {
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
};
/** The part of a CycloneDX document that is read here. */
export type Sbom = {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string; type: string } };
  components: Component[];
};

const isProduction = ([path, locked]: [string, LockedPackage]): boolean =>
  path.startsWith('node_modules/') && !(locked.link || locked.dev || locked.optional || locked.devOptional);

/**
 * The lock file as if the image's workspace were the whole project. `npm sbom --workspace` would omit each package that any
 * workspace also uses for development.
 */
const isolateWorkspace = (lock: Lock, workspace: string): Lock => {
  const { name = '', version = '', license = '', dependencies = {} } = lock.packages[workspace] ?? {};
  const external = Object.entries(dependencies).filter(
    ([dependency]) => !dependency.startsWith('@platform/'),
  );
  const project = { name, version, license, dependencies: Object.fromEntries(external) };
  const production = Object.entries(lock.packages).filter(isProduction);
  return { ...lock, packages: { '': project, ...Object.fromEntries(production) } };
};

const SBOM_COMMAND = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];

/** The npm packages of an image as a CycloneDX document. Reads only the lock file. */
export const createSbom = async (image: string): Promise<Sbom> => {
  const lock = isolateWorkspace(JSON.parse(await readFile(LOCK, 'utf8')) as Lock, image);
  const work = await mkdtemp(join(tmpdir(), 'sbom-'));
  try {
    // npm names the document after the folder.
    const folder = join(work, image);
    await mkdir(folder);
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    await writeFile(join(folder, 'package.json'), JSON.stringify(lock.packages['']));
    return JSON.parse(await run('npm', SBOM_COMMAND, folder)) as Sbom;
  } finally {
    await rm(work, { recursive: true });
  }
};

/** The packages of the document as sorted name@version. */
export const listSbomPackages = ({ components }: Sbom): string[] =>
  components.map(({ name, version }) => `${name}@${version}`).sort();
