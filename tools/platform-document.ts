import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadOpenApiDocument } from '../shared/src/http/openapi-document.ts';
import { joinDocuments } from './contract/join-documents.ts';

// Writes openapi/platform.json, which has the operations of all documents and which the gateway serves.
// With --check it writes nothing and exits with 1 if the file is stale.

const OPENAPI = resolve(import.meta.dirname, '../openapi');
const FILE = join(OPENAPI, 'platform.json');

const load = (name: string) => loadOpenApiDocument(pathToFileURL(join(OPENAPI, `${name}.yaml`)));

const document = joinDocuments('Marketplace platform', {
  auth: await load('auth'),
  admin: await load('admin'),
});
const text = `${JSON.stringify(document, undefined, 2)}\n`;
if (!process.argv.includes('--check')) await writeFile(FILE, text);
else if ((await readFile(FILE, 'utf8').catch(() => '')) !== text) {
  console.error('openapi/platform.json is stale: run `npm run generate` and commit it.');
  process.exitCode = 1;
}
