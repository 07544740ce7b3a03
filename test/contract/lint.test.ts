import { startProcess } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { createDocumentFile, loadDocument, useTools } from './documents.ts';

const SPECTRAL = 'test/contract/node_modules/@stoplight/spectral-cli/dist/index.js';
const RULES = 'test/contract/spectral.yaml';
const LINT_SECONDS = 300;

describe('lint of the joined OpenAPI document by Spectral', () => {
  useTools();

  it('finds neither errors nor warnings', async () => {
    const { file, remove } = await createDocumentFile(await loadDocument());
    const options = ['--quiet', '--format', 'json', '--fail-severity', 'hint', '--ruleset', RULES];
    const spectral = startProcess([SPECTRAL, 'lint', ...options, file], {
      environment: { PATH: process.env['PATH'] },
    });
    const { code } = await spectral.waitForExit(LINT_SECONDS).finally(remove);
    expect({ code, output: spectral.output() }).to.deep.equal({ code: 0, output: '[]' });
  });
});
