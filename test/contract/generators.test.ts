import { expect } from 'chai';
import { installPackage } from '../../tools/install-package.ts';
import { compileCodegenClient, generateCodegenClient } from './generators/codegen-client.ts';
import { compileClient, generateClient, listExports } from './generators/generate-client.ts';

/** Installs the third-party generators. */
const useGenerators = (): void => {
  before('install the generators', () => installPackage('test/contract'));
};

describe('client that hey-api generates from the joined document', () => {
  useGenerators();
  before('generate it', generateClient);

  it('shadows no global name', async () => {
    const names = await listExports();
    expect(names).to.include.members(['UserAuthResponseDto', 'ErrorResponse', 'customerSignUp']);
    expect(names.filter((name) => name in globalThis)).to.deep.equal([]);
  });

  it('compiles in strict mode, and tells the kinds of accounts apart', async () => {
    expect(await compileClient()).to.deep.equal({ code: 0, output: '' });
  });
});

describe('client that openapi-typescript-codegen generates from the internal operations', () => {
  useGenerators();
  before('generate it', generateCodegenClient);

  it('compiles in strict mode', async () => {
    expect(await compileCodegenClient()).to.deep.equal({ code: 0, output: '' });
  });
});
