import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { type FakeUpstream, startFakeUpstream } from '../fake-upstream.ts';

const startGatewayProcess = (environment: Record<string, string>): NodeProcess =>
  startService('gateway', {
    NODE_ENV: 'test',
    GATEWAY_PORT: '0',
    GATEWAY_OPS_PORT: '0',
    DRAIN_SECONDS: '0',
    ...environment,
  });

describe('gateway process', () => {
  let service: FakeUpstream;
  let arrived: PromiseWithResolvers<void>;
  let release: PromiseWithResolvers<void>;

  beforeEach(async () => {
    arrived = Promise.withResolvers();
    release = Promise.withResolvers();
    service = await startFakeUpstream(async (_req, res) => {
      arrived.resolve();
      await release.promise;
      res.end('complete');
    });
  });
  afterEach(() => service.stop());

  const start = () =>
    startGatewayProcess({ AUTH_SERVICE_URLS: service.url, ADMIN_SERVICE_URLS: service.url });

  it('completes requests in flight on SIGTERM and exits with 0', async () => {
    const gateway = start();
    const { port } = await gateway.waitForLog('listening');
    const agent = new Agent({ keepAlive: true });
    const outgoing = send({ port, path: '/api/v1/users', agent }).end();
    await arrived.promise;
    gateway.kill('SIGTERM');
    await gateway.waitForLog('stopping');
    release.resolve();
    const [response] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    expect(response.statusCode).to.equal(200);
    expect(text).to.equal('complete');
    // The client keeps its connection open, which must not keep the process running.
    expect(await gateway.waitForExit()).to.include({ code: 0 });
    agent.destroy();
  });

  it('exits at once on SIGTERM when only idle connections are open', async () => {
    release.resolve();
    const gateway = start();
    const { port } = await gateway.waitForLog('listening');
    const agent = new Agent({ keepAlive: true });
    const outgoing = send({ port, path: '/api/v1/users', agent }).end();
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(response, 'end');
    gateway.kill('SIGTERM');
    expect(await gateway.waitForExit()).to.include({ code: 0 });
    agent.destroy();
  });

  it('lists all missing variables and exits with 1 when the configuration is incomplete', async () => {
    const gateway = startGatewayProcess({ NODE_ENV: 'production' });
    expect(await gateway.waitForExit()).to.include({ code: 1 });
    const [line] = gateway.logLines();
    expect(line?.msg)
      .to.match(/CORS_ORIGINS/)
      .and.match(/AUTH_SERVICE_URLS/)
      .and.match(/ADMIN_SERVICE_URLS/);
  });
});
