import { once } from 'node:events';
import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { startFakeUpstream } from '../fake-upstream.ts';
import { startGateway, useGateway } from '../start-gateway.ts';

const LIMIT = 102_400;
const HEAD = 'POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('request body limit', () => {
  const { service, gateway } = useGateway();

  it('forwards a body of 102,400 bytes, with Content-Length and chunked', async () => {
    const text = 'x'.repeat(LIMIT);
    const declared = await request(gateway().url).post('/api/v1/contact/lead').type('text').send(text);
    expect(declared.body.body).to.have.length(LIMIT);
    const chunked = await sendRaw(
      gateway().url,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
      chunk(text.slice(0, 50_000)),
      chunk(text.slice(50_000)),
      '0\r\n\r\n',
    );
    expect(parseStatus(chunked)).to.equal(200);
    expect(service().received.map(({ body }) => body.length)).to.deep.equal([LIMIT, LIMIT]);
    for (const { headers } of service().received) {
      expect(headers['content-length']).to.equal(String(LIMIT));
      expect(headers).not.to.have.property('transfer-encoding');
    }
  });

  it('forwards the body of a DELETE, with Content-Length and chunked, and returns 413 over the limit', async () => {
    const path = '/api/v1/customers/auth/second-factor/totp';
    const body = JSON.stringify({ currentPassword: 'x', totpCode: '000000' });
    const remove = (length: string, ...parts: string[]) =>
      sendRaw(
        gateway().url,
        `DELETE ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
        ...parts,
      );
    const accepted = [
      await remove(`Content-Length: ${body.length}`, body),
      await remove('Transfer-Encoding: chunked', chunk(body.slice(0, 9)), chunk(body.slice(9)), '0\r\n\r\n'),
      await remove('Content-Length: 0'),
    ];
    expect(accepted.map(parseStatus)).to.deep.equal([200, 200, 200]);
    expect(
      service().received.map((received) => [received.method, received.url, received.body]),
    ).to.deep.equal([
      ['DELETE', path, body],
      ['DELETE', path, body],
      ['DELETE', path, ''],
    ]);
    for (const { headers } of service().received.slice(0, 2))
      expect(headers).to.include({
        'content-type': 'application/json',
        'content-length': String(body.length),
      });
    const rejected = [
      await remove(`Content-Length: ${LIMIT + 1}`, 'x'.repeat(LIMIT + 1)),
      await remove('Transfer-Encoding: chunked', chunk('x'.repeat(LIMIT)), chunk('x'), '0\r\n\r\n'),
    ];
    expect(rejected.map(parseStatus)).to.deep.equal([413, 413]);
    expect(service().received).to.have.length(3);
  });

  it('returns 413 for a Content-Length of 102,401 bytes without forwarding the request', async () => {
    const response = await request(gateway().url)
      .post('/api/v1/contact/lead')
      .type('text')
      .send('x'.repeat(LIMIT + 1));
    expect(response.status).to.equal(413);
    expect(response.body).to.include({ statusCode: 413, code: 'BODY_TOO_LARGE' });
    expect(service().received).to.have.length(0);
  });

  it('closes the connection of a client that keeps sending after the 413', async () => {
    const outgoing = send(`${gateway().url}/api/v1/contact/lead`, {
      method: 'POST',
      headers: { 'Content-Length': '1000000000' },
    });
    outgoing.on('error', () => undefined);
    const pump = () => {
      while (!outgoing.destroyed && outgoing.write('x'.repeat(10_000)));
    };
    outgoing.on('drain', pump);
    pump();
    const [response] = await once(outgoing, 'response');
    expect(response.statusCode).to.equal(413);
    response.resume();
    await once(outgoing, 'close');
  });

  it('delivers an upstream response that is sent before the body has been read', async () => {
    const early = await startFakeUpstream((req, res) => {
      res.setHeader('Content-Type', 'text/plain');
      res.end('early');
      req.resume();
    });
    const gatewayToEarly = await startGateway({ auth: [early.url], admin: [early.url] });
    for (let count = 0; count < 3; count++) {
      const response = await request(gatewayToEarly.url)
        .post('/api/v1/contact/lead')
        .type('text')
        .send('x'.repeat(LIMIT));
      expect(response.text).to.equal('early');
    }
    await Promise.all([gatewayToEarly.stop(), early.stop()]);
  });

  it('keeps both connections open when the upstream responds before reading a chunked body', async () => {
    const early = createServer((_req, res) => {
      res.statusCode = 404;
      res.end('early');
    });
    const connections = new Set<Socket>();
    // The gateway reads the readiness on connections of its own.
    early.on('request', ({ url: path, socket }) => {
      if (path !== '/readyz') connections.add(socket);
    });
    early.listen(0, '127.0.0.1');
    await once(early, 'listening');
    const url = `http://127.0.0.1:${(early.address() as AddressInfo).port}`;
    const gatewayToEarly = await startGateway({ auth: [url], admin: [url] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const seen: unknown[] = [];
    for (let count = 0; count < 10; count += 1) {
      const headers = { 'Transfer-Encoding': 'chunked' };
      const outgoing = send(`${gatewayToEarly.url}/api/v1/contact/lead`, { agent, method: 'POST', headers });
      outgoing.end('x'.repeat(LIMIT));
      const [response] = await once(outgoing, 'response');
      response.resume();
      await once(response, 'end');
      seen.push([response.statusCode, outgoing.reusedSocket]);
    }
    agent.destroy();
    await gatewayToEarly.stop();
    early.closeAllConnections();
    early.close();
    expect(seen).to.deep.equal(seen.map((_, count) => [404, count > 0]));
    expect(connections.size, 'connections from the gateway to the service').to.equal(1);
  });

  it('serves the next request on the connection after a 413', async () => {
    const response = await sendRaw(
      gateway().url,
      `POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT + 1}\r\n\r\n${'x'.repeat(LIMIT + 1)}`,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(response.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});
