import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createLog } from '@platform/shared/log/log';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { createApiServer } from '@platform/shared/server/api-server';
import { expect } from 'chai';
import request from 'supertest';
import { getUnreachableUrl, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { startGateway, useTestServers } from '../../testing/start-gateway.ts';
import { createUpstreamAgent } from './upstream-pool.ts';

const PATH = '/api/v1/users';

/** Opens a port that neither accepts nor refuses connections, like a stopped process with a full backlog. */
const startBlackhole = async () => {
  const program = `const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;
  const child: ChildProcess = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout ?? process.stdin, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const sockets: Socket[] = [];
  const isAccepted = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    return Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<boolean>((resolve) => setTimeout(resolve, 300, false)),
    ]);
  };
  while (await isAccepted());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};

describe('upstream retries', () => {
  const { stopAfterTest, startUpstream, startGatewayTo } = useTestServers();

  /**
   * The gateway does not read the readiness of other services, so it sends requests to an instance that is
   * down.
   */
  const startGatewayToService = async (urls: string[]) => {
    const services = [{ name: 'shop', prefixes: ['/api/v1/orders'], urls }];
    const { url } = await startGatewayTo([], { services, upstreamTimeoutSeconds: 20 });
    return `${url}/api/v1/orders`;
  };

  it('send a request to one other instance when a connection is refused', async () => {
    const [one = '', two = ''] = await Promise.all([1, 2].map(getUnreachableUrl));
    const live = await startUpstream();
    await fetch(await startGatewayToService([one, two, live.url]), { method: 'POST' }).then(({ status }) =>
      expect(status).to.equal(502),
    );
    expect(live.received).to.have.length(0);
  });

  it('send the same body when a connection is refused', async () => {
    const live = await startUpstream();
    const unreachable = await getUnreachableUrl();
    const large = 'x'.repeat(100_000);
    const chunked = new Blob([large]).stream();
    for (const body of [undefined, 'small', large, chunked]) {
      const response = await fetch(await startGatewayToService([unreachable, live.url]), {
        method: body === undefined ? 'DELETE' : 'POST',
        duplex: 'half',
        ...(body !== undefined && { body }),
      });
      expect(response.status).to.equal(200);
      const { body: received } = (await response.json()) as { body: string };
      expect(received).to.have.length(typeof body === 'object' ? large.length : (body ?? '').length);
    }
    expect(live.received).to.have.length(4);
  });

  it('send a request to another instance after a connect timeout of 2 s', async () => {
    const blackhole = stopAfterTest(await startBlackhole());
    const live = await startUpstream();
    const url = await startGatewayToService([blackhole.url, live.url]);
    const started = performance.now();
    const response = await fetch(url, { method: 'POST', body: 'small' });
    expect(((await response.json()) as { body: string }).body).to.equal('small');
    expect(performance.now() - started).to.be.at.least(1_900);
  });

  for (const method of ['GET', 'POST'])
    it(`aborts the upstream ${method} and does not retry it when the client disconnects`, async () => {
      const arrived = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const urls: (string | undefined)[] = [];
      const service = await startUpstream((req, res) => {
        urls.push(req.url);
        if (!req.url?.endsWith('/slow')) return res.end('ok');
        arrived.resolve();
        res.once('close', ended.resolve);
        return undefined;
      });
      const gateway = await startGatewayTo([service.url, service.url]);
      const outgoing = send(`${gateway.url}${PATH}/slow`, { method, agent: new Agent() });
      outgoing.on('error', () => undefined);
      outgoing.end(method === 'POST' ? '{}' : undefined);
      await arrived.promise;
      outgoing.destroy();
      await ended.promise;
      await request(gateway.url).get(`${PATH}/last`).expect(200);
      expect(urls).to.deep.equal(['slow', 'last'].map((name) => `${PATH}/${name}`));
    });
});

describe('requests of disconnected clients', () => {
  it('do not count as upstream timeouts', async () => {
    const arrived = Promise.withResolvers<void>();
    const service = await startFakeUpstream(() => arrived.resolve());
    const gateway = await startGateway({
      auth: [service.url],
      admin: [service.url],
      upstreamTimeoutSeconds: 0.5,
    });
    const outgoing = send(`${gateway.url}${PATH}`, { agent: new Agent() });
    outgoing.on('error', () => undefined).end();
    await arrived.promise;
    outgoing.destroy();
    // This request ends after the first one would have timed out.
    await request(gateway.url).get(PATH).expect(504);
    const timeouts = /^upstream_errors_total{.*admin-service.*"timeout".*} (.*)$/m;
    expect(timeouts.exec(await gateway.metrics())?.[1]).to.equal('1');
    await Promise.all([gateway.stop(), service.stop()]);
  });
});

describe('idle upstream connections', () => {
  it('end at the gateway long before the keepAliveTimeout of the services', () => {
    const agent = createUpstreamAgent() as Agent & { options: { timeout: number } };
    const server = createApiServer(() => undefined, {
      log: createLog({ service: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
    });
    expect(agent.options.timeout).to.equal(30_000);
    expect(server.keepAliveTimeout).to.be.at.least(2 * agent.options.timeout);
    agent.destroy();
  });
});
