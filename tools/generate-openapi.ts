import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AUDIT_ACTIONS } from '../shared/src/platform/audit/audit-actions.ts';
import { TEMPLATE_LABELS } from '../shared/src/platform/mail/mail.ts';
import { createErrorCode, printEnumerations, printMessages, readCodes } from './contract/codes.ts';
import { joinFeatures } from './contract/join-features.ts';
import { printTypes } from './contract/print-types.ts';

// `npm run generate` writes the documents that are joined from the contracts of the features, their types, and
// the files that are generated from openapi/codes.yaml. With --check it writes nothing, names each stale file, and
// exits with 1.

const ROOT = resolve(import.meta.dirname, '..');
const codes = await readCodes(resolve(ROOT, 'openapi/codes.yaml'));
/** The base file of each document, and the schemas that are generated from the codes. */
const DOCUMENTS = {
  auth: { base: 'auth-service/src/auth.openapi.yaml', schemas: {} },
  admin: { base: 'admin-service/src/admin.openapi.yaml', schemas: {} },
  internal: {
    base: 'openapi/internal.openapi.yaml',
    schemas: { ErrorCode: createErrorCode(codes.internal, '/internal/v1/errors.html') },
  },
  'test-bench': {
    base: 'openapi/test-bench.openapi.yaml',
    schemas: { ErrorCode: createErrorCode(codes['test-bench'], '/errors.html') },
  },
};

type Generated = { path: string; text: string };
type Name = keyof typeof DOCUMENTS;
const NAMES = Object.keys(DOCUMENTS) as Name[];

const toUrl = (path: string): URL => pathToFileURL(resolve(ROOT, path));

const generateDocument = async (name: Name): Promise<Generated> => {
  const { base, schemas } = DOCUMENTS[name];
  return { path: `openapi/${name}.yaml`, text: await joinFeatures(base, schemas) };
};

const generateTypes = async (name: Name): Promise<Generated> => ({
  path: `openapi/types/${name}.ts`,
  text: await printTypes(toUrl(`openapi/${name}.yaml`)),
});

/** Each step reads the output of the one before. */
const STEPS: (() => Promise<Generated[]>)[] = [
  async () => [
    { path: 'openapi/enumerations.yaml', text: printEnumerations(codes, AUDIT_ACTIONS, TEMPLATE_LABELS) },
    { path: 'openapi/client/src/messages-en.ts', text: printMessages(codes, 'en', 'ENGLISH') },
    { path: 'openapi/client/src/messages-de.ts', text: printMessages(codes, 'de', 'GERMAN') },
  ],
  () => Promise.all(NAMES.map(generateDocument)),
  () => Promise.all(NAMES.map(generateTypes)),
];

const isCheck = process.argv.includes('--check');
for (const generate of STEPS)
  for (const { path, text } of await generate()) {
    if (!isCheck) {
      await mkdir(dirname(resolve(ROOT, path)), { recursive: true });
      await writeFile(toUrl(path), text);
    } else if ((await readFile(toUrl(path), 'utf8').catch(() => '')) !== text) {
      console.error(`${path} is stale: run \`npm run generate\` and commit it.`);
      process.exitCode = 1;
    }
  }
