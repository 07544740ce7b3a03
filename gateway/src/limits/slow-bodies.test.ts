import { waitFor } from '@platform/shared/testing/poll';
import { openRawConnection, parseBody, parseStatus } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { type FakeUpstream, startFakeUpstream } from '../../testing/fake-upstream.ts';
import { type Gateway, startGateway } from '../../testing/start-gateway.ts';

const MAX_BYTES = 102_400;
const MAX_SLOW_PER_SUBNET = 50;
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Sends the headers of a POST, with the client address that a load balancer would report. */
const startPost = (url: string, address: string, framing: string) => {
  const { write, close, closed, received } = openRawConnection(url);
  write(`POST /api/v1/contact/lead HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${framing}\r\n\r\n`);
  return { send: write, disconnect: close, response: closed, received };
};

/** Resolves when the gateway has received the headers of this many requests. */
const waitForRequests = ({ server }: Gateway, count: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  server.on('request', () => {
    requests += 1;
    if (requests === count) resolve();
  });
  return promise;
};

describe('slow request bodies', () => {
  let service: FakeUpstream;
  let gateway: Gateway;
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    service = await startFakeUpstream();
    service.server.on('request', ({ url }) => {
      if (url !== '/readyz') requests += 1;
    });
    gateway = await startGateway({ auth: [service.url], admin: [service.url], trustedProxyHops: 1 });
  });
  afterEach(() => Promise.all([gateway.stop(), service.stop()]));
  const post = (address: string, framing = 'Connection: close\r\nContent-Length: 10') =>
    startPost(gateway.url, address, framing);

  it('returns one 408 after 10 s without using an upstream connection', async () => {
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
    expect(performance.now() - started).to.be.at.least(9_900);
    expect(requests).to.equal(0);
  });

  it('returns 429 for the 51st slow body of a client network until others end', async () => {
    const [first, other] = [post('203.0.113.1'), post('203.0.113.2')];
    for (const end of ['disconnect', 'send'] as const) {
      const slow = range(MAX_SLOW_PER_SUBNET - 1 + 5).map(() => post('203.0.113.1'));
      const responses: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const { response } of slow)
        void response.then((text) => {
          responses.push(text);
          if (responses.length === 5) resolve();
        });
      await promise;
      expect(responses.map(parseStatus)).to.deep.equal([429, 429, 429, 429, 429]);
      expect(parseBody(responses[0] ?? '')).to.include({ code: 'RATE_LIMITED' });
      expect(responses[0]).to.match(/^Retry-After: 10\r$/im);
      for (const client of slow) client[end]('0123456789');
      await Promise.all(slow.map(({ response }) => response));
      const expected = end === 'send' ? 200 : Number.NaN;
      expect(responses.slice(5).map(parseStatus)).to.deep.equal(
        range(MAX_SLOW_PER_SUBNET - 1).map(() => expected),
      );
    }
    for (const client of [first, other]) {
      client.send('0123456789');
      expect(parseStatus(await client.response)).to.equal(200);
    }
    const metrics = await gateway.metrics();
    expect(/^rate_limit_rejections_total{.*limit="bodies".*} (.*)$/m.exec(metrics)?.[1]).to.equal('10');
  });

  it('does not limit concurrent bodies that arrive in time', async () => {
    // This is fewer than the requests that a network may have in flight.
    const count = 2 * (MAX_SLOW_PER_SUBNET + 5);
    const allArrived = waitForRequests(gateway, count);
    const clients = range(count).map((index) => post(`203.0.113.${index % 2}`));
    await allArrived;
    for (const { send } of clients) send('0123456789');
    const texts = await Promise.all(clients.map(({ response }) => response));
    expect(new Set(texts.map(parseStatus))).to.deep.equal(new Set([200]));
  });
});

describe('memory of request bodies', () => {
  const MAX_LARGE_BODIES = Math.floor((8 * 1_024 * 1_024) / MAX_BYTES);
  /** So many networks that their slow bodies together exceed the memory for all bodies. */
  const SLOW_NETWORKS = 14;

  const postLargeBody = (gateway: Gateway, address: string) => {
    const client = startPost(gateway.url, address, `Connection: close\r\nContent-Length: ${MAX_BYTES}`);
    client.send('x'.repeat(MAX_BYTES));
    return client;
  };
  const expectRoom = async (gateway: Gateway, address: string) =>
    expect(parseStatus(await postLargeBody(gateway, address).response)).to.equal(200);
  const waitForRoom = (gateway: Gateway, address: string) =>
    waitFor(
      'there is memory for a large body',
      async () => parseStatus(await postLargeBody(gateway, address).response) === 200,
    );

  it('stays within the limit of a client network (429) until the response', async () => {
    let isServing = false;
    const service = await startFakeUpstream((_req, res) => isServing && res.end('served'));
    const gateway = await startGateway({
      auth: [service.url],
      admin: [service.url],
      trustedProxyHops: 1,
      upstreamTimeoutSeconds: 60,
    });
    const clients = range(MAX_LARGE_BODIES + 1).map(() => postLargeBody(gateway, '203.0.113.1'));
    const rejected = await Promise.race(clients.map(({ response }) => response));
    expect([parseStatus(rejected), parseBody(rejected)['code']]).to.deep.equal([429, 'RATE_LIMITED']);
    expect(rejected).to.match(/^Retry-After: 1\r$/im);
    for (const { disconnect } of clients) disconnect();
    // The upstream requests of the disconnected clients also end.
    isServing = true;
    await waitForRoom(gateway, '203.0.113.1');
    await Promise.all([gateway.stop(), service.stop()]);
  });

  it('counts the received bytes, and ends the slowest incomplete body with 503 when memory is used up', async () => {
    const service = await startFakeUpstream();
    const gateway = await startGateway({ auth: [service.url], admin: [service.url], trustedProxyHops: 1 });
    const startBody = (index: number) => {
      const address = `203.0.113.${index % SLOW_NETWORKS}`;
      const client = startPost(gateway.url, address, `Content-Length: ${MAX_BYTES}`);
      client.send('x');
      return client;
    };
    const idle = startBody(0);
    // Once this later request has its response, the gateway has received the byte.
    await expectRoom(gateway, '198.51.100.1');
    const count = SLOW_NETWORKS * MAX_SLOW_PER_SUBNET - 1;
    const allArrived = waitForRequests(gateway, count);
    const clients = range(count).map((index) => startBody(index + 1));
    await allArrived;
    await expectRoom(gateway, '198.51.100.1');
    expect(idle.received()).to.equal('');
    for (const client of clients) client.send('x'.repeat(MAX_BYTES - 2));
    const ended = await idle.response;
    expect([parseStatus(ended), parseBody(ended)['code']]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    expect(ended).to.match(/^Connection: close\r$/im);
    expect(ended).to.match(/^Retry-After: 1\r$/im);
    await expectRoom(gateway, '198.51.100.1');
    for (const { disconnect } of clients) disconnect();
    await Promise.all([gateway.stop(), service.stop()]);
  });
});
