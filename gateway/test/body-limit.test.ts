import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { echo, type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const LIMIT = 102_400;
const HEAD = 'POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('The limit on bodies', () => {
  let service: StandIn;
  let gateway: Gateway;

  before(async () => {
    service = await startStandIn();
    gateway = await startGateway({ auth: [service.url], admin: [service.url] });
  });
  after(() => Promise.all([gateway.stop(), service.stop()]));
  beforeEach(() => {
    service.received.length = 0;
  });

  it('When a body has 102,400 bytes, then it passes, with its length declared and without', async () => {
    const text = 'x'.repeat(LIMIT);
    const declared = await request(gateway.url).post('/api/v1/contact/lead').type('text').send(text);
    expect(declared.body.body).to.have.length(LIMIT);
    const chunked = await sendRaw(
      gateway.url,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
      chunk(text.slice(0, 50_000)),
      chunk(text.slice(50_000)),
      '0\r\n\r\n',
    );
    expect(parseStatus(chunked)).to.equal(200);
    expect(service.received.map(({ body }) => body.length)).to.deep.equal([LIMIT, LIMIT]);
    for (const { headers } of service.received) {
      expect(headers['content-length']).to.equal(String(LIMIT));
      expect(headers).not.to.have.property('transfer-encoding');
    }
  });

  it('When a body declares one byte more, then the answer is 413 and the service hears nothing of it', async () => {
    const answer = await request(gateway.url)
      .post('/api/v1/contact/lead')
      .type('text')
      .send('x'.repeat(LIMIT + 1));
    expect(answer.status).to.equal(413);
    expect(answer.body).to.include({ statusCode: 413, code: 'BODY_TOO_LARGE' });
    expect(service.received).to.have.length(0);
  });

  it('When a body of undeclared length passes the limit, then the answer is 413 and the service hears nothing of it', async () => {
    const answer = await sendRaw(
      gateway.url,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
      chunk('x'.repeat(60_000)),
      chunk('x'.repeat(60_000)),
      '0\r\n\r\n',
    );
    expect(parseStatus(answer)).to.equal(413);
    expect(parseBody(answer)).to.include({ code: 'BODY_TOO_LARGE' });
    expect(service.received).to.have.length(0);
  });

  it('When a client goes on sending after the answer, then it is cut off in the end', async () => {
    const outgoing = send(`${gateway.url}/api/v1/contact/lead`, {
      method: 'POST',
      headers: { 'Content-Length': '1000000000' },
    });
    outgoing.on('error', () => undefined);
    const pump = () => {
      while (!outgoing.destroyed && outgoing.write('x'.repeat(10_000)));
    };
    outgoing.on('drain', pump);
    pump();
    const [answer] = await once(outgoing, 'response');
    expect(answer.statusCode).to.equal(413);
    answer.resume();
    await once(outgoing, 'close');
  });

  it('When the answer comes before the end of the body, then both are whole', async () => {
    const early = await startStandIn((req, res) => {
      res.setHeader('Content-Type', 'text/plain');
      res.end('early');
      req.resume();
    });
    const impatient = await startGateway({ auth: [early.url], admin: [early.url] });
    for (let count = 0; count < 3; count++) {
      const answer = await request(impatient.url)
        .post('/api/v1/contact/lead')
        .type('text')
        .send('x'.repeat(LIMIT));
      expect(answer.text).to.equal('early');
    }
    await Promise.all([impatient.stop(), early.stop()]);
  });

  it('When the answer comes before the end of a body in chunks, then no connection breaks over it', async () => {
    const early = createServer((_req, res) => {
      res.statusCode = 404;
      res.end('early');
    });
    let connections = 0;
    early.on('connection', () => {
      connections += 1;
    });
    early.listen(0, '127.0.0.1');
    await once(early, 'listening');
    const url = `http://127.0.0.1:${(early.address() as AddressInfo).port}`;
    const impatient = await startGateway({ auth: [url], admin: [url] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const seen: unknown[] = [];
    for (let count = 0; count < 10; count += 1) {
      const headers = { 'Transfer-Encoding': 'chunked' };
      const outgoing = send(`${impatient.url}/api/v1/contact/lead`, { agent, method: 'POST', headers });
      outgoing.end('x'.repeat(LIMIT));
      const [answer] = await once(outgoing, 'response');
      answer.resume();
      await once(answer, 'end');
      seen.push([answer.statusCode, outgoing.reusedSocket]);
    }
    agent.destroy();
    await impatient.stop();
    early.closeAllConnections();
    early.close();
    expect(seen).to.deep.equal(seen.map((_, count) => [404, count > 0]));
    expect(connections, 'of the gateway to the service').to.equal(1);
  });

  it('When the connection is kept, then a refused body does not spoil the next request', async () => {
    const answer = await sendRaw(
      gateway.url,
      `POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT + 1}\r\n\r\n${'x'.repeat(LIMIT + 1)}`,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it('A chunked body arrives whole behind every method that may carry one', async () => {
    const seen: string[] = [];
    const listening = await startStandIn((req, res) => {
      seen.push(`${req.method} ${req.url}`);
      return echo(req, res);
    });
    const passing = await startGateway({ auth: [listening.url], admin: [listening.url] });
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']) {
      const answer = await sendRaw(
        passing.url,
        `${method} /api/v1/users HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`,
        chunk('GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'),
        '0\r\n\r\n',
      );
      expect(parseStatus(answer), method).to.equal(200);
      expect(answer).to.contain('smuggled HTTP/1.1');
    }
    expect(seen).to.have.length(6);
    expect(seen.join()).not.to.contain('smuggled');
    await Promise.all([passing.stop(), listening.stop()]);
  });
});
