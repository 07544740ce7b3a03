import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Imports the modules in a process of its own; the names of the packages that came with them. */
const packagesOf = async (...modules: string[]): Promise<string[]> => {
  const script = `
    import { registerHooks } from 'node:module';
    const found = new Set();
    registerHooks({ load: (url, context, next) => {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name) found.add(name);
      return next(url, context);
    } });
    for (const module of ${JSON.stringify(modules)}) await import('${ROOT}' + module);
    console.log(JSON.stringify([...found]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as string[];
};

describe('A process that is not traced', () => {
  for (const service of ['gateway', 'auth-service', 'admin-service', 'mailer-worker'])
    it(`When ${service} is loaded, then nothing of OpenTelemetry's SDK is`, async () => {
      const packages = await packagesOf('shared/src/http/serve.ts', `${service}/src/compose.ts`);
      expect(packages).to.include('prom-client');
      // Its interface, a few empty functions, comes with prom-client.
      expect(packages.filter((name) => /^@opentelemetry\/(?!api$)/.test(name))).to.deep.equal([]);
    });

  it('When the tracer is loaded, then OpenTelemetry is: the stories above can tell', async () => {
    expect(await packagesOf('shared/src/tracing/open-telemetry.ts')).to.include('@opentelemetry/sdk-trace');
  });
});
