import { expect } from 'chai';
import { listLoadedPackages } from '../../testing/process.ts';

describe('tracing without an endpoint', () => {
  for (const service of ['gateway', 'auth-service', 'admin-service', 'mailer-worker'])
    it(`does not load the OpenTelemetry SDK in ${service}`, async () => {
      const packages = await listLoadedPackages('shared/src/server/serve.ts', `${service}/src/compose.ts`);
      expect(packages).to.include('@prometheus-io/client');
      // Its interface, a few empty functions, comes with the Prometheus client.
      expect(packages.filter((name) => /^@opentelemetry\/(?!api$)/.test(name))).to.deep.equal([]);
    });

  it('loads the OpenTelemetry SDK with tracing-sdk.ts', async () => {
    expect(await listLoadedPackages('shared/src/tracing/tracing-sdk.ts')).to.include(
      '@opentelemetry/sdk-trace',
    );
  });
});
