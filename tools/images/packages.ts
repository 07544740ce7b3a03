import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../shared/testing/suite.ts';
import type { Image } from './buildah.ts';
import { run } from './run-command.ts';
import { createSbom, listSbomPackages } from './sbom.ts';

/** The package.json directly in a package's folder: others set the module type of a subfolder. */
const MANIFEST = '.*/node_modules/\\(@[^/]+/\\)?[^/]+/package\\.json';

/** The packages in the node_modules of a folder, nested ones included, as sorted name@version. */
const listInstalledPackages = async (folder: string): Promise<string[]> => {
  const found = await run('find', [join(folder, 'node_modules'), '-type', 'f', '-regex', MANIFEST]);
  const paths = found.split('\n').filter((path) => path !== '');
  const packages = await Promise.all(
    paths.map(async (path) => {
      const { name, version } = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
      return `${name}@${version}`;
    }),
  );
  return [...new Set(packages)].sort();
};

/** Prints the packages of an image, and checks that its SBOM lists exactly these. */
export const checkPackages = async ({ target, root }: Image, report: Report): Promise<void> => {
  const installed = await listInstalledPackages(join(root, 'app'));
  const listed = listSbomPackages(await createSbom(target));
  const onlyInstalled = installed.filter((name) => !listed.includes(name));
  const onlyListed = listed.filter((name) => !installed.includes(name));
  report.check(
    installed.length > 0 && onlyInstalled.length + onlyListed.length === 0,
    `${target} has the ${installed.length} packages of its SBOM: ${installed.join(' ')}` +
      onlyInstalled.map((name) => `\n    not in the SBOM: ${name}`).join('') +
      onlyListed.map((name) => `\n    not in the image: ${name}`).join(''),
  );
};
