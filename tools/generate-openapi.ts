import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadOpenApiDocument } from '../shared/src/http/openapi-document.ts';
import { joinDocuments } from './contract/join-documents.ts';
import { joinFeatures } from './contract/join-features.ts';
import { printTypes } from './contract/print-types.ts';

// `npm run generate`: writes the documents that the features' contracts make up, their types and the joined openapi/platform.json.
// With --check it writes nothing, names each stale file and exits with 1.

const ROOT = resolve(import.meta.dirname, '..');
const BASES = {
  auth: 'auth-service/src/auth.openapi.yaml',
  admin: 'admin-service/src/admin.openapi.yaml',
  internal: 'openapi/internal.openapi.yaml',
};
const NAMES = Object.keys(BASES) as (keyof typeof BASES)[];

type Generated = { path: string; text: string };

const toUrl = (path: string): URL => pathToFileURL(resolve(ROOT, path));
const load = (name: keyof typeof BASES) => loadOpenApiDocument(toUrl(`openapi/${name}.yaml`));

const printPlatform = async (): Promise<string> => {
  const documents = { auth: await load('auth'), admin: await load('admin') };
  return `${JSON.stringify(joinDocuments('Marketplace platform', documents), undefined, 2)}\n`;
};

const document = async (name: keyof typeof BASES): Promise<Generated> => ({
  path: `openapi/${name}.yaml`,
  text: await joinFeatures(BASES[name]),
});
const types = async (name: keyof typeof BASES): Promise<Generated> => ({
  path: `openapi/types/${name}.ts`,
  text: await printTypes(toUrl(`openapi/${name}.yaml`)),
});

/** Each reads what the ones before it have written. */
const STEPS: (() => Promise<Generated[]>)[] = [
  () => Promise.all(NAMES.map(document)),
  () => Promise.all(NAMES.map(types)),
  async () => [{ path: 'openapi/platform.json', text: await printPlatform() }],
];

const isCheck = process.argv.includes('--check');
for (const generate of STEPS)
  for (const { path, text } of await generate()) {
    if (!isCheck) await writeFile(toUrl(path), text);
    else if ((await readFile(toUrl(path), 'utf8').catch(() => '')) !== text) {
      console.error(`${path} is stale: run \`npm run generate\` and commit it.`);
      process.exitCode = 1;
    }
  }
