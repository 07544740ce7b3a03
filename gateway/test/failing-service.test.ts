import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { findDeadUrl, type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const PATH = '/api/v1/users';
const GET = `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

describe('A failing service', () => {
  const running: { stop: () => Promise<void> }[] = [];
  const standIn = async (...given: Parameters<typeof startStandIn>): Promise<StandIn> => {
    const started = await startStandIn(...given);
    running.unshift(started);
    return started;
  };
  const gatewayTo = async (urls: string[], config: object = {}): Promise<Gateway> => {
    const started = await startGateway({ auth: urls, admin: urls, ...config });
    running.unshift(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map(({ stop }) => stop()));
  });

  it('When nobody listens, then the answer is 502 and says when to come back', async () => {
    const gateway = await gatewayTo([await findDeadUrl()]);
    for (const method of ['get', 'post'] as const) {
      const answer = await request(gateway.url)[method](PATH);
      expect(answer.status).to.equal(502);
      expect(answer.headers['retry-after']).to.equal('1');
      expect(answer.body).to.include({ statusCode: 502, error: 'Bad Gateway', code: 'UPSTREAM_UNAVAILABLE' });
      expect(answer.body.requestId).to.equal(answer.headers['x-request-id']);
      expect(answer.text).not.to.contain('ECONNREFUSED');
    }
  });

  it('When the name of the service is unknown, then the answer is 502', async () => {
    const gateway = await gatewayTo(['http://no-such-host.invalid:3001']);
    await request(gateway.url).get(PATH).expect(502);
  });

  it('When a service is slow, then the answer is 504 and the service is told to stop', async () => {
    const stopped = Promise.withResolvers<void>();
    const slow = await standIn((_req, res) => {
      res.once('close', stopped.resolve);
    });
    const gateway = await gatewayTo([slow.url], { upstreamTimeoutSeconds: 0.1 });
    const answer = await request(gateway.url).get(PATH);
    expect(answer.status).to.equal(504);
    expect(answer.body).to.include({ error: 'Gateway Timeout', code: 'UPSTREAM_TIMEOUT' });
    await stopped.promise;
  });

  it('When a service resets the connection before its answer, then the answer is 502', async () => {
    const resetting = await standIn((req) => req.socket.resetAndDestroy());
    const gateway = await gatewayTo([resetting.url]);
    for (const method of ['get', 'post'] as const) {
      const answer = await request(gateway.url)[method](PATH).send({ a: 1 });
      expect(answer.status).to.equal(502);
      expect(answer.body).to.include({ code: 'UPSTREAM_UNAVAILABLE' });
    }
  });

  it('When a service answers something that is no HTTP, then the answer is 502', async () => {
    const babbling = await standIn((req) => req.socket.end('220 smtp.example ESMTP\r\n'));
    const gateway = await gatewayTo([babbling.url]);
    await request(gateway.url).get(PATH).expect(502);
  });

  it('When a service dies within its answer, then the client sees that it is not whole', async () => {
    const dying = await standIn((req, res) => {
      if (req.url?.endsWith('declared')) res.setHeader('Content-Length', '100');
      res.write('half', () => req.socket.destroy());
    });
    const gateway = await gatewayTo([dying.url]);
    for (const kind of ['declared', 'chunked']) {
      const fault = await fetch(`${gateway.url}${PATH}/${kind}`)
        .then((answer) => answer.text())
        .catch((error: Error) => error);
      expect(fault, kind).to.be.instanceOf(TypeError);
    }
    expect(await sendRaw(gateway.url, GET)).not.to.match(/\r\n0\r\n\r\n$/);
  });

  it('When a service falls silent within its answer, then the client does not wait for ever', async () => {
    const silent = await standIn((_req, res) => res.write('half'));
    // Long enough for the response to begin on a busy machine.
    const gateway = await gatewayTo([silent.url], { upstreamTimeoutSeconds: 3 });
    const fault = await fetch(`${gateway.url}${PATH}`)
      .then((answer) => answer.text())
      .catch((error: Error) => error);
    expect(fault).to.be.instanceOf(TypeError);
  });

  it('When one of two instances refuses, then no request is lost, whatever its body', async () => {
    const service = await standIn();
    const dead = await findDeadUrl();
    const large = 'x'.repeat(100_000);
    const chunked = new Blob([large]).stream();
    for (const body of [undefined, 'small', large, chunked]) {
      const gateway = await gatewayTo([dead, service.url]);
      const answer = await fetch(`${gateway.url}${PATH}`, {
        method: body === undefined ? 'DELETE' : 'POST',
        duplex: 'half',
        ...(body !== undefined && { body }),
      });
      expect(answer.status).to.equal(200);
      const { body: arrived } = (await answer.json()) as { body: string };
      expect(arrived).to.have.length(typeof body === 'object' ? large.length : (body ?? '').length);
    }
    expect(service.received).to.have.length(4);
  });

  it('When an instance comes back, then it is used again', async () => {
    const first = await standIn();
    const gateway = await gatewayTo([first.url]);
    await request(gateway.url).get(PATH).expect(200);
    await first.stop();
    await request(gateway.url).get(PATH).expect(502);
    await standIn(undefined, Number(new URL(first.url).port));
    await request(gateway.url).get(PATH).expect(200);
  });

  it('When a kept connection turns out to be closed, then a GET is sent again and a POST is not', async () => {
    const used = new WeakSet();
    const forgetful = await standIn((req, res) => {
      if (used.has(req.socket)) req.socket.resetAndDestroy();
      else res.end('ok');
      used.add(req.socket);
    });
    const gateway = await gatewayTo([forgetful.url]);
    for (let count = 0; count < 3; count++) await request(gateway.url).get(PATH).expect(200);
    await request(gateway.url).post(PATH).send({ a: 1 }).expect(502);
  });

  it('When an instance asks for new connections, then it is stopping and the other is preferred', async () => {
    const stopping = await standIn((_req, res) => res.setHeader('Connection', 'close').end('stopping'));
    const staying = await standIn((_req, res) => res.end('staying'));
    const gateway = await gatewayTo([stopping.url, staying.url]);
    const answers: string[] = [];
    for (let count = 0; count < 4; count++) answers.push((await request(gateway.url).get(PATH)).text);
    expect(answers).to.deep.equal(['stopping', 'staying', 'staying', 'staying']);
  });
});
