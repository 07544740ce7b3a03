import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { startGateway, useGateway } from '../../testing/start-gateway.ts';

const LIMIT = 102_400;
const PATH = '/api/v1/contact/lead';
const HOST = 'Host: x\r\nConnection: close\r\n';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('request body limit', () => {
  const { service, gateway } = useGateway();

  const send = (method: string, length: string, ...parts: string[]) =>
    sendRaw(gateway().url, `${method} ${PATH} HTTP/1.1\r\n${HOST}${length}\r\n\r\n`, ...parts);

  for (const method of ['POST', 'DELETE']) {
    it(`forwards a ${method} with 102,400 bytes, with Content-Length and chunked`, async () => {
      const text = 'x'.repeat(LIMIT);
      const [start, end] = [chunk(text.slice(0, 50_000)), chunk(text.slice(50_000))];
      const responses = [
        await send(method, `Content-Length: ${LIMIT}`, text),
        await send(method, 'Transfer-Encoding: chunked', start, end, '0\r\n\r\n'),
      ];
      expect(responses.map(parseStatus)).to.deep.equal([200, 200]);
      for (const { body, headers } of service().received) {
        expect(body).to.have.length(LIMIT);
        expect(headers['content-length']).to.equal(String(LIMIT));
        expect(headers).not.to.have.property('transfer-encoding');
      }
    });

    it(`returns 413 for a ${method} with a byte more without forwarding it`, async () => {
      const rejected = [
        await send(method, `Content-Length: ${LIMIT + 1}`, 'x'.repeat(LIMIT + 1)),
        await send(method, 'Transfer-Encoding: chunked', chunk('x'.repeat(LIMIT)), chunk('x'), '0\r\n\r\n'),
      ];
      expect(rejected.map(parseStatus)).to.deep.equal([413, 413]);
      for (const response of rejected)
        expect(parseBody(response)).to.include({ statusCode: 413, code: 'BODY_TOO_LARGE' });
      expect(service().received).to.have.length(0);
    });
  }

  it('returns 413 before 404 and 405', async () => {
    const head = `Host: x\r\nConnection: close\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`;
    for (const path of ['/nowhere', '/healthz', '/openapi.json']) {
      const response = await sendRaw(gateway().url, `POST ${path} HTTP/1.1\r\n${head}`);
      expect(parseStatus(response), path).to.equal(413);
    }
  });

  it('closes the connection of a client that keeps sending after the 413', async () => {
    const outgoing = request(gateway().url + PATH, {
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

  it('keeps both connections open when the upstream responds before reading a chunked body', async () => {
    const early = createServer((_req, res) => {
      res.statusCode = 404;
      res.end('early');
    });
    const connections = new Set<Socket>();
    // The gateway reads the readiness over separate connections.
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
      const outgoing = request(gatewayToEarly.url + PATH, { agent, method: 'POST', headers });
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
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: ${LIMIT + 1}\r\n\r\n${'x'.repeat(LIMIT + 1)}`,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(response.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});
