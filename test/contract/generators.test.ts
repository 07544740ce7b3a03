import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';
import { loadDocument, useTools } from './documents.ts';
import { compileCodegenClient, generateCodegenClient } from './generators/codegen-client.ts';
import { compileClient, generateClient, listExports } from './generators/generate-client.ts';
import { runJourneys } from './generators/journey-fixture.ts';
import { type Prism, startPrism } from './prism.ts';

describe('client that hey-api generates from the joined document', () => {
  useTools();
  const platform = usePlatform();
  let prism: Prism | undefined;
  before('generate it', generateClient);
  after('stop the proxy', () => prism?.stop());

  it('shadows no global name', async () => {
    const names = await listExports();
    expect(names).to.include.members(['UserAuthResponseDto', 'ErrorResponse', 'customerSignUp']);
    expect(names.filter((name) => name in globalThis)).to.deep.equal([]);
  });

  it('compiles in strict mode, with the journeys that use it', async () => {
    expect(await compileClient()).to.deep.equal({ code: 0, output: '' });
  });

  it('drives journeys through Prism, which validates each request and response', async () => {
    const { stack, records } = platform();
    prism = await startPrism(await loadDocument(), stack.gatewayUrl);
    const requests = await runJourneys({ ...stack, gatewayUrl: prism.url }, records);
    expect(requests.runCustomerJourney).to.be.at.least(9);
    expect(requests.runAdministratorJourney).to.be.at.least(15);
    const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
    const { forwarded, violations } = await prism.readLog();
    expect(violations).to.deep.equal([]);
    expect(forwarded).to.equal(sent);
  });
});

describe('client that openapi-typescript-codegen generates from the internal operations', () => {
  useTools();
  before('generate it', generateCodegenClient);

  it('compiles in strict mode', async () => {
    expect(await compileCodegenClient()).to.deep.equal({ code: 0, output: '' });
  });
});
