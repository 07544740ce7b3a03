import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@platform/shared/testing/poll';
import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { getUnreachableUrl } from '../../testing/fake-upstream.ts';
import { useTestServers } from '../../testing/start-gateway.ts';

const PATH = '/api/v1/users';
const GET = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

describe('upstream errors', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  it('returns 502 with Retry-After when the connection is refused', async () => {
    const gateway = await startGatewayTo([await getUnreachableUrl()]);
    for (const method of ['get', 'post'] as const) {
      const response = await request(gateway.url)[method](PATH);
      expect(response.status).to.equal(502);
      expect(response.headers['retry-after']).to.equal('1');
      expect(response.body).to.include({
        statusCode: 502,
        error: 'Bad Gateway',
        code: 'UPSTREAM_UNAVAILABLE',
      });
      expect(response.body.requestId).to.equal(response.headers['x-request-id']);
      expect(response.text).not.to.contain('ECONNREFUSED');
    }
  });

  it('returns 504 on a timeout and aborts the upstream request', async () => {
    const stopped = Promise.withResolvers<void>();
    const slow = await startUpstream((_req, res) => {
      res.once('close', stopped.resolve);
    });
    const gateway = await startGatewayTo([slow.url], { upstreamTimeoutSeconds: 0.1 });
    const response = await request(gateway.url).get(PATH);
    expect(response.status).to.equal(504);
    expect(response.body).to.include({ error: 'Gateway Timeout', code: 'UPSTREAM_TIMEOUT' });
    await stopped.promise;
  });

  it('returns 502 when the upstream response is not HTTP', async () => {
    const notHttp = await startUpstream((req) => req.socket.end('220 smtp.example ESMTP\r\n'));
    const gateway = await startGatewayTo([notHttp.url]);
    await request(gateway.url).get(PATH).expect(502);
  });

  it('leaves the response incomplete when the upstream fails within it', async () => {
    const failing = await startUpstream((req, res) => {
      if (req.url?.endsWith('declared')) res.setHeader('Content-Length', '100');
      res.write('half', () => req.socket.destroy());
    });
    const gateway = await startGatewayTo([failing.url]);
    for (const kind of ['declared', 'chunked']) {
      const error = await fetch(`${gateway.url}${PATH}/${kind}`)
        .then((response) => response.text())
        .catch((error: Error) => error);
      expect(error, kind).to.be.instanceOf(TypeError);
    }
    expect(await sendRaw(gateway.url, GET)).not.to.match(/\r\n0\r\n\r\n$/);
  });

  it('aborts the response when the upstream stalls within it', async () => {
    const stalling = await startUpstream((_req, res) => res.write('half'));
    // The timeout is long enough for the response to begin on a busy machine.
    const gateway = await startGatewayTo([stalling.url], { upstreamTimeoutSeconds: 3 });
    const error = await fetch(`${gateway.url}${PATH}`)
      .then((response) => response.text())
      .catch((error: Error) => error);
    expect(error).to.be.instanceOf(TypeError);
  });

  it('completes a response that takes longer than the timeout without a long pause', async () => {
    const steady = await startUpstream(async (_req, res) => {
      for (let count = 0; count < 10; count += 1) {
        res.write('part');
        await delay(300);
      }
      res.end();
    });
    const gateway = await startGatewayTo([steady.url], { upstreamTimeoutSeconds: 2 });
    const response = await fetch(`${gateway.url}${PATH}`);
    expect(await response.text()).to.equal('part'.repeat(10));
  });

  it('prefers other instances after an instance responds with Connection: close', async () => {
    let readings = 0;
    const readiness = () => ({ status: 'ready', readings: ++readings });
    const stopping = await startUpstream(
      (_req, res) => res.setHeader('Connection', 'close').end('stopping'),
      0,
      readiness,
    );
    const running = await startUpstream((_req, res) => res.end('running'));
    const gateway = await startGatewayTo([stopping.url, running.url]);
    // The next reading is a second away. Both services have these instances.
    await waitFor('the readiness has been read', () => readings >= 2);
    const responses: string[] = [];
    for (let count = 0; count < 4; count++) responses.push((await request(gateway.url).get(PATH)).text);
    expect(responses).to.deep.equal(['stopping', 'running', 'running', 'running']);
  });
});
