import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';
import { compileClients, GENERATORS, generateClient, listExports } from './generators/generate-clients.ts';
import { runJourneys } from './generators/journey-fixture.ts';

describe('clients that other generators make from the joined document', () => {
  const platform = usePlatform();

  for (const generator of GENERATORS)
    it(`come from ${generator}, and shadow no global name`, async () => {
      const files = await generateClient(generator);
      const names = await listExports(generator);
      expect(names).to.include.members(['UserAuthResponseDto', 'ErrorResponse', 'customerSignUp']);
      expect(names.filter((name) => name in globalThis)).to.deep.equal([]);
      console.log(`      ${files.length} files, ${names.length} exports`);
    });

  it('compile in strict mode, with the journeys that use them', async () => {
    expect(await compileClients()).to.deep.equal({ code: 0, output: '' });
  });

  for (const generator of GENERATORS)
    it(`drive the journeys of a customer and an administrator through ${generator}`, async () => {
      const { stack, records } = platform();
      const requests = await runJourneys(generator, stack, records);
      expect(requests.runCustomerJourney).to.be.at.least(9);
      expect(requests.runAdministratorJourney).to.be.at.least(15);
      expect(requests.runErrorJourney).to.equal(4);
      console.log(`      ${JSON.stringify(requests)}`);
    });
});
