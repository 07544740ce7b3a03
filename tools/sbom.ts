import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { createSbom, IMAGES } from './images/sbom.ts';

// `npm run sbom`: the production packages of each image as CycloneDX, in `.data/sbom` or the given folder.

const ROOT = resolve(import.meta.dirname, '..');
const folder = resolve(process.argv[2] ?? join(ROOT, '.data/sbom'));

await mkdir(folder, { recursive: true });
for (const image of IMAGES) {
  const sbom = await createSbom(image);
  const path = join(folder, `${image}.cdx.json`);
  await writeFile(path, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${relative(process.cwd(), path)}: ${sbom.components.length} packages`);
}
