import { once } from 'node:events';
import { connect } from 'node:net';
import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const MAX_BYTES = 102_400;
const SLOW_PER_NETWORK = 50;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A POST whose body follows later, from the address that the balancer reports. */
const beginPost = (port: number, address: string, framing: string) => {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(
    `POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${framing}\r\n\r\n`,
  );
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.on('error', () => socket.destroy());
  return {
    send: (part: string) => socket.write(part),
    leave: () => socket.destroy(),
    /** Everything that arrives until the connection closes. */
    response: once(socket, 'close').then(() => text),
  };
};

describe('Request bodies at the gateway', () => {
  let service: StandIn;
  let gateway: Gateway;
  let connections: number;

  beforeEach(async () => {
    connections = 0;
    service = await startStandIn();
    service.server.on('connection', () => {
      connections += 1;
    });
    gateway = await startGateway({ auth: [service.url], admin: [service.url], trustedProxyHops: 1 });
  });
  afterEach(() => Promise.all([gateway.stop(), service.stop()]));
  const post = (address: string, framing = 'Connection: close\r\nContent-Length: 10') =>
    beginPost(gateway.port, address, framing);

  it('a slow body gets one 408 after 10 s, and takes no connection to the service', async () => {
    const started = performance.now();
    const declared = post('203.0.113.1', 'Content-Length: 10');
    declared.send('half');
    const chunked = post('203.0.113.1', 'Transfer-Encoding: chunked');
    chunked.send('4\r\nhalf\r\n');
    for (const text of await Promise.all([declared.response, chunked.response])) {
      expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 408']);
      expect(parseBody(text)).to.include({ statusCode: 408, code: 'REQUEST_TIMEOUT' });
      expect(text).to.match(/^Connection: close\r$/im);
    }
    expect(performance.now() - started).to.be.within(9_900, 20_000);
    expect(connections).to.equal(0);
  });

  it('the 51st slow body of a client network gets 429, until others have arrived or ended', async () => {
    const [first, other] = [post('203.0.113.1'), post('203.0.113.2')];
    for (const end of ['leave', 'send'] as const) {
      const slow = range(SLOW_PER_NETWORK - 1 + 5).map(() => post('203.0.113.1'));
      const answered: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const { response } of slow)
        void response.then((text) => {
          answered.push(text);
          if (answered.length === 5) resolve();
        });
      await promise;
      expect(answered.map(parseStatus)).to.deep.equal([429, 429, 429, 429, 429]);
      expect(parseBody(answered[0] ?? '')).to.include({ code: 'RATE_LIMITED' });
      expect(answered[0]).to.match(/^Retry-After: 10\r$/im);
      for (const client of slow) client[end]('0123456789');
      await Promise.all(slow.map(({ response }) => response));
      const expected = end === 'send' ? 200 : Number.NaN;
      expect(answered.slice(5).map(parseStatus)).to.deep.equal(
        range(SLOW_PER_NETWORK - 1).map(() => expected),
      );
    }
    for (const client of [first, other]) {
      client.send('0123456789');
      expect(parseStatus(await client.response)).to.equal(200);
    }
    const metrics = await gateway.metrics();
    expect(/^rate_limit_refusals_total{.*limit="bodies".*} (.*)$/m.exec(metrics)?.[1]).to.equal('10');
  });

  it('ordinary bodies are never limited, however many of one network are unfinished at once', async () => {
    const count = 2 * SLOW_PER_NETWORK;
    const { promise: haveArrived, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    gateway.server.on('request', () => {
      requests += 1;
      if (requests === count) resolve();
    });
    const clients = range(count).map(() => post('203.0.113.1'));
    await haveArrived;
    for (const { send } of clients) send('0123456789');
    const texts = await Promise.all(clients.map(({ response }) => response));
    expect(new Set(texts.map(parseStatus))).to.deep.equal(new Set([200]));
  });
});

describe('The memory of request bodies at the gateway', () => {
  it('is limited per client network (429) and in all (503), and released with the response', async () => {
    const waiting: (() => void)[] = [];
    const service = await startStandIn((_req, res) => {
      waiting.push(() => res.end('late'));
    });
    const gateway = await startGateway({
      auth: [service.url],
      admin: [service.url],
      trustedProxyHops: 1,
      upstreamTimeoutSeconds: 60,
    });
    const large = (address: string) => {
      const client = beginPost(gateway.port, address, `Connection: close\r\nContent-Length: ${MAX_BYTES}`);
      client.send('x'.repeat(MAX_BYTES));
      return client;
    };
    const fits = Math.floor((16 * 1_024 * 1_024) / MAX_BYTES);
    const held = [];
    for (const network of range(4)) {
      const clients = range(fits + 1).map(() => large(`203.0.113.${network}`));
      held.push(...clients);
      const refused = await Promise.race(clients.map(({ response }) => response));
      expect([parseStatus(refused), parseBody(refused)['code']]).to.deep.equal([429, 'RATE_LIMITED']);
      expect(refused).to.match(/^Retry-After: 1\r$/im);
    }
    const refused = await Promise.any(range(4).map(() => large('198.51.100.1').response));
    expect([parseStatus(refused), parseBody(refused)['code']]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    expect(refused).to.match(/^Retry-After: 1\r$/im);

    for (const { leave } of held) leave();
    await Promise.all(held.map(({ response }) => response));
    const after = large('198.51.100.2');
    // What was forwarded before the clients left has ended too.
    service.server.on('request', (_req, res) => res.end('served'));
    expect(parseStatus(await after.response)).to.equal(200);
    await Promise.all([gateway.stop(), service.stop()]);
  });

  it('is not kept by pipelined requests whose client leaves before their turn', async () => {
    const count = 200;
    const ended: Promise<unknown>[] = [];
    const service = await startStandIn((req, res) => {
      if (req.url === '/api/v1/held') ended.push(once(res, 'close'));
      else res.end('served');
    });
    const gateway = await startGateway({ auth: [service.url], admin: [service.url] });
    const { promise: haveArrived, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    gateway.server.on('request', () => {
      requests += 1;
      if (requests === 2 * count) resolve();
    });
    const clients = range(count).map(() => {
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(
        `GET /api/v1/held HTTP/1.1\r\nHost: x\r\n\r\nPOST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: ${MAX_BYTES}\r\n\r\n{`,
      );
      return socket;
    });
    await haveArrived;
    while (ended.length < count) await once(service.server, 'request');
    for (const client of clients) client.destroy();
    await Promise.all(ended);
    const body = 'x'.repeat(MAX_BYTES);
    const response = await fetch(`${gateway.url}/api/v1/users`, { method: 'POST', body });
    expect(response.status).to.equal(200);
    await Promise.all([gateway.stop(), service.stop()]);
  });

  it('pipelined bodies arrive whole and are answered in their order', async () => {
    const service = await startStandIn();
    const gateway = await startGateway({ auth: [service.url], admin: [service.url] });
    const post = (connection: string, body: string) =>
      `POST /api/v1/users HTTP/1.1\r\nHost: x\r\n${connection}Content-Length: ${body.length}\r\n\r\n${body}`;
    const text = await sendRaw(
      gateway.url,
      post('', 'one') + post('', 'x'.repeat(MAX_BYTES)) + post('Connection: close\r\n', 'three'),
    );
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).to.deep.equal(range(3).map(() => 'HTTP/1.1 200'));
    expect(service.received.map(({ body }) => body.length)).to.have.members([3, MAX_BYTES, 5]);
    await Promise.all([gateway.stop(), service.stop()]);
  });
});
