import { fileURLToPath } from 'node:url';
import { runScript } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { createDocumentFile, type Document, type DocumentName, loadDocument } from './documents.ts';

const SPECTRAL = 'test/contract/node_modules/@stoplight/spectral-cli/dist/index.js';
const RULES = fileURLToPath(new URL('spectral.yaml', import.meta.url));
const DOCUMENTS: readonly DocumentName[] = ['auth', 'admin', 'platform'];

/** Every finding as `<rule> at <path>`, whatever its severity. */
const lint = async (document: Document): Promise<string[]> => {
  const { file, remove } = await createDocumentFile(document);
  const options = ['--quiet', '--format', 'json', '--fail-severity', 'hint', '--ruleset', RULES];
  const { code, output } = await runScript(SPECTRAL, ['lint', ...options, file], {}).finally(remove);
  const findings = JSON.parse(output) as { code: string; path: string[] }[];
  expect(code).to.equal(findings.length === 0 ? 0 : 1);
  return findings.map(({ code: rule, path }) => `${rule} at ${path.join('.')}`);
};

describe('lint of the OpenAPI documents by Spectral', () => {
  for (const name of DOCUMENTS)
    it(`finds neither errors nor warnings in ${name}`, async () => {
      const document = await loadDocument(name);
      expect(await lint(document)).to.deep.equal([]);
      console.log(`      ${Object.keys(document.paths).length} paths, 0 findings`);
    });

  it('reports planted errors and warnings', async () => {
    const document = await loadDocument('platform');
    const operation = document.paths['/users']?.get;
    if (!operation) throw new Error('The document has no GET /users');
    const planted = { ...operation, operationId: 'getUser', description: '', responses: {} };
    const paths = { ...document.paths, '/users': { ...document.paths['/users'], get: planted } };
    expect(await lint({ ...document, paths })).to.include.members([
      'operation-operationId-unique at paths./users/{id}.get.operationId',
      'operation-description at paths./users.get.description',
      'owasp:api4:2023-rate-limit-responses-429 at paths./users.get.responses',
    ]);
  });
});
