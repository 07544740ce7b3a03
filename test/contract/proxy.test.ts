import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';
import { type Document, loadDocument } from './documents.ts';
import { GENERATORS, generateClient } from './generators/generate-clients.ts';
import { runJourneys } from './generators/journey-fixture.ts';
import { type Prism, startPrism } from './proxy/prism.ts';

/** The document says `mail` where the user of a sign-up has `email`. */
const plantViolation = (document: Document): Document => {
  const { schemas = {} } = document.components;
  const planted = JSON.stringify(schemas['CustomerUser']).replaceAll('"email"', '"mail"');
  const components = { ...document.components, schemas: { ...schemas, CustomerUser: JSON.parse(planted) } };
  return { ...document, components };
};

describe('Prism as a validating proxy in front of the gateway', () => {
  const platform = usePlatform();
  let prism: Prism | undefined;
  const start = async (document: Document, errors: boolean): Promise<Prism> => {
    prism = await startPrism(document, platform().stack.gatewayUrl, { errors });
    return prism;
  };
  afterEach('stop the proxy', async () => {
    await prism?.stop();
    prism = undefined;
  });

  for (const generator of GENERATORS)
    it(`forwards every request of the client by ${generator}, without a violation`, async () => {
      await generateClient(generator);
      const { url, counts, violations } = await start(await loadDocument('platform'), true);
      const { stack, records } = platform();
      const requests = await runJourneys(generator, { ...stack, gatewayUrl: url }, records);
      const sent = Object.values(requests).reduce((sum, count) => sum + count, 0);
      await prism?.stop();
      expect(violations()).to.deep.equal([]);
      expect(counts()).to.deep.equal({ forwarded: sent, invalidRequests: 0, invalidResponses: 0 });
      console.log(`      ${JSON.stringify(counts())}`);
    });

  const send = (url: string, operation: string, body: object) =>
    createHttpClient(url).send({ method: 'POST', path: CUSTOMER.path + operation, body });
  const signUp = (url: string) => send(url, '/sign-up', { email: uniqueEmail(), password: PASSWORD });

  it('replaces a response that violates the document, with --errors', async () => {
    const { url, counts } = await start(plantViolation(await loadDocument('platform')), true);
    const { status, text } = await signUp(url);
    expect(status).to.equal(500);
    expect(text).to.include('errors#VIOLATIONS').and.include("must have required property 'mail'");
    await prism?.stop();
    expect(counts()).to.deep.equal({ forwarded: 1, invalidRequests: 0, invalidResponses: 1 });
  });

  it('reports a response that violates the document, without --errors', async () => {
    const { url, counts, violations } = await start(plantViolation(await loadDocument('platform')), false);
    expect((await signUp(url)).status).to.equal(201);
    await prism?.stop();
    expect(violations().join('\n')).to.include('Violation: response.body.user').and.include("'mail'");
    expect(counts()).to.include({ forwarded: 1, invalidRequests: 0 });
    expect(counts().invalidResponses).to.be.at.least(1);
  });

  it('rejects a request that violates the document, with --errors', async () => {
    const { url, counts } = await start(await loadDocument('platform'), true);
    // The request lacks X-Fingerprint.
    const { status, text } = await send(url, '/sign-in', { email: uniqueEmail(), password: PASSWORD });
    expect(text).to.include('x-fingerprint').and.include('stoplight.io/prism');
    expect(status).to.equal(422);
    await prism?.stop();
    expect(counts()).to.deep.equal({ forwarded: 0, invalidRequests: 1, invalidResponses: 0 });
  });
});
