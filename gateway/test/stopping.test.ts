import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { type StandIn, startStandIn } from './fake-upstream.ts';

const startGatewayProcess = (environment: Record<string, string>): NodeProcess =>
  startService('gateway', {
    NODE_ENV: 'test',
    GATEWAY_PORT: '0',
    GATEWAY_OPS_PORT: '0',
    DRAIN_SECONDS: '0',
    ...environment,
  });

describe('The process of the gateway', function () {
  this.timeout(10_000);
  let service: StandIn;
  let arrived: PromiseWithResolvers<void>;
  let release: PromiseWithResolvers<void>;

  beforeEach(async () => {
    arrived = Promise.withResolvers();
    release = Promise.withResolvers();
    service = await startStandIn(async (_req, res) => {
      arrived.resolve();
      await release.promise;
      res.end('whole');
    });
  });
  afterEach(() => service.stop());

  const start = () =>
    startGatewayProcess({ AUTH_SERVICE_URLS: service.url, ADMIN_SERVICE_URLS: service.url });

  it('When it is told to stop in the middle of a request, then that is answered, and it exits with 0', async () => {
    const gateway = start();
    const { port } = await gateway.waitForLog('listening');
    const agent = new Agent({ keepAlive: true });
    const outgoing = send({ port, path: '/api/v1/users', agent }).end();
    await arrived.promise;
    gateway.kill('SIGTERM');
    await gateway.waitForLog('stopping');
    release.resolve();
    const [answer] = await once(outgoing, 'response');
    let text = '';
    for await (const part of answer) text += part;
    expect(answer.statusCode).to.equal(200);
    expect(text).to.equal('whole');
    // The client keeps its connection for more, which must not keep the process.
    expect(await gateway.waitForExit()).to.include({ code: 0 });
    agent.destroy();
  });

  it('When nothing is under way, then a stop is immediate, kept connections or not', async () => {
    release.resolve();
    const gateway = start();
    const { port } = await gateway.waitForLog('listening');
    const agent = new Agent({ keepAlive: true });
    const outgoing = send({ port, path: '/api/v1/users', agent }).end();
    const [answer] = await once(outgoing, 'response');
    answer.resume();
    await once(answer, 'end');
    gateway.kill('SIGTERM');
    expect(await gateway.waitForExit()).to.include({ code: 0 });
    agent.destroy();
  });

  it('While it stops, the operations port says that it is not ready', async () => {
    const gateway = start();
    const { port, opsPort } = await gateway.waitForLog('listening');
    const underway = fetch(`http://127.0.0.1:${port}/api/v1/users`);
    await arrived.promise;
    gateway.kill('SIGTERM');
    await gateway.waitForLog('stopping');
    const ready = await fetch(`http://127.0.0.1:${opsPort}/readyz`);
    expect(ready.status).to.equal(503);
    expect(await ready.json()).to.deep.equal({ status: 'unavailable', failing: ['stopping'] });
    release.resolve();
    expect((await underway).status).to.equal(200);
    await gateway.waitForExit();
  });

  it('When the configuration is incomplete, then it says all that is missing and exits with 1', async () => {
    const gateway = startGatewayProcess({ NODE_ENV: 'production' });
    expect(await gateway.waitForExit()).to.include({ code: 1 });
    const [line] = gateway.logLines();
    expect(line?.msg)
      .to.match(/CORS_ORIGINS/)
      .and.match(/AUTH_SERVICE_URLS/)
      .and.match(/ADMIN_SERVICE_URLS/);
  });
});
