import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { expect } from 'chai';
import request from 'supertest';
import { type FakeUpstream, startFakeUpstream } from '../testing/fake-upstream.ts';

describe('port of several gateways', () => {
  let service: FakeUpstream;
  const started: NodeProcess[] = [];

  before('start a service', async function () {
    if (process.platform !== 'linux') this.skip();
    service = await startFakeUpstream();
  });
  afterEach('kill the gateways', () => {
    for (const gateway of started.splice(0)) gateway.kill();
  });
  after('stop the service', () => service?.stop());

  const start = (port: number | undefined, reusePort: boolean): NodeProcess => {
    const gateway = startService('gateway', {
      NODE_ENV: 'test',
      GATEWAY_PORT: String(port ?? 0),
      GATEWAY_OPS_PORT: '0',
      GATEWAY_REUSE_PORT: String(reusePort),
      DRAIN_SECONDS: '0',
      AUTH_SERVICE_URLS: service.url,
      ADMIN_SERVICE_URLS: service.url,
    });
    started.push(gateway);
    return gateway;
  };
  const getUsers = (port: number | undefined) =>
    request(`http://127.0.0.1:${port}`).get('/api/v1/users').expect(200);

  it('is shared with GATEWAY_REUSE_PORT, and stays open until the last one stops', async () => {
    const first = start(undefined, true);
    const { port } = await first.waitForLog('listening');
    const second = start(port, true);
    await second.waitForLog('listening');
    await waitFor('requests in both logs', async () => {
      await getUsers(port);
      return [first, second].every(({ logLines }) => logLines().some(({ msg }) => msg === 'request'));
    });
    expect(await first.stop()).to.include({ code: 0 });
    for (let count = 0; count < 10; count += 1) await getUsers(port);
  });

  it('is in use for a gateway without GATEWAY_REUSE_PORT', async () => {
    const { port } = await start(undefined, true).waitForLog('listening');
    const refused = start(port, false);
    expect(await refused.waitForExit()).to.include({ code: 1 });
    expect(refused.output()).to.include(`GATEWAY_PORT: port ${port} on 127.0.0.1 is in use`);
  });
});
