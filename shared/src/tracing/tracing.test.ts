import { expect } from 'chai';
import { listLoadedPackages } from '../../testing/process.ts';

describe('A process that is not traced', () => {
  for (const service of ['gateway', 'auth-service', 'admin-service', 'mailer-worker'])
    it(`When ${service} is loaded, then nothing of OpenTelemetry's SDK is`, async () => {
      const packages = await listLoadedPackages('shared/src/http/serve.ts', `${service}/src/compose.ts`);
      expect(packages).to.include('prom-client');
      // Its interface, a few empty functions, comes with prom-client.
      expect(packages.filter((name) => /^@opentelemetry\/(?!api$)/.test(name))).to.deep.equal([]);
    });

  it('When the tracer is loaded, then OpenTelemetry is: the stories above can tell', async () => {
    expect(await listLoadedPackages('shared/src/tracing/tracing-sdk.ts')).to.include(
      '@opentelemetry/sdk-trace',
    );
  });
});
