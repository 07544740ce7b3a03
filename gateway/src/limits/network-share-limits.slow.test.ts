import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { waitFor } from '@platform/shared/testing/poll';
import { openRawConnection } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { useTestServers } from '../../testing/start-gateway.ts';
import { range } from '../../testing/use-gateways.ts';

const PATH = '/api/v1/users';
const MEGABYTE = 1_024 * 1_024;
/**
 * Larger than the kernel buffers of two connections. Together with the buffers of one connection it still
 * fits into the share.
 */
const LARGE = Buffer.alloc(9.5 * MEGABYTE, 'x');
const toRequest = (path = PATH) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const countResponses = (text: string): number => text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;

describe("a network's share at the running gateway", () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  it('reads a response at the speed of the service, even if the client reads nothing', async () => {
    let sent = 0;
    const upstream = await startUpstream((_req, res) => {
      res.end(LARGE).on('finish', () => {
        sent += 1;
      });
    });
    const gateway = await startGatewayTo([upstream.url]);
    const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').pause();
    client.write(toRequest());
    await waitFor('the service has sent its response', async () => sent === 1);
    client.destroy();
    expect(await gateway.metrics()).not.to.match(/upstream_errors_total\{.*\} [1-9]/);
  });

  it('closes a connection that reads nothing but keeps sending', async () => {
    const upstream = await startUpstream((_req, res) => void res.end(LARGE));
    const gateway = await startGatewayTo([upstream.url]);
    const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').pause();
    // An error shows that the gateway has closed the connection.
    const ended = new Promise((resolve) => client.once('error', resolve));
    client.write(toRequest());
    const sending = setInterval(() => client.write('\r\n'), 500);
    await ended;
    clearInterval(sending);
  });

  it('closes a connection that does not read the responses of the gateway itself', async () => {
    const gateway = await startGatewayTo([(await startUpstream()).url]);
    const client = connect(Number(new URL(gateway.url).port), '127.0.0.1').pause();
    const ended = new Promise((resolve) => client.once('error', resolve));
    // Together they are larger than the kernel buffers of a connection.
    const requests = range(9).map(() => toRequest('/openapi.json'));
    client.write(requests.join(''));
    const sending = setInterval(() => client.write('\r\n'), 500);
    await ended;
    clearInterval(sending);
  });

  it('counts the unread responses of the gateway itself', async () => {
    const gateway = await startGatewayTo([(await startUpstream()).url]);
    const port = Number(new URL(gateway.url).port);
    const clients = range(20).map(() => connect(port, '127.0.0.1').pause());
    for (const client of clients)
      client.on('error', () => undefined).write(toRequest('/openapi.json').repeat(9));
    await waitFor('the gateway ends one', async () =>
      /rate_limit_rejections_total\{.*limit="responses".*\} [1-9]/.test(await gateway.metrics()),
    );
    for (const client of clients) client.destroy();
  });

  it('closes connections whose unread responses are larger than the share, and serves others', async () => {
    const upstream = await startUpstream((_req, res) => void res.end(Buffer.alloc(16 * MEGABYTE, 'x')));
    const gateway = await startGatewayTo([upstream.url]);
    const clients = range(3).map(() => connect(Number(new URL(gateway.url).port), '127.0.0.1').pause());
    const closed: Promise<unknown>[] = clients.map((client) => once(client, 'close'));
    for (const client of clients) client.on('error', () => undefined).write(toRequest());
    await waitFor('the gateway ends one', async () =>
      /rate_limit_rejections_total\{.*limit="responses".*\} [1-9]/.test(await gateway.metrics()),
    );
    expect((await request(gateway.url).get('/healthz')).status).to.equal(200);
    for (const client of clients) client.destroy();
    await Promise.all(closed);
    expect(await gateway.metrics()).not.to.match(/upstream_errors_total\{.*\} [1-9]/);
  });

  it('returns 429 for the 65th request in flight of a network, and serves another network', async () => {
    const waiting: ServerResponse[] = [];
    const upstream = await startUpstream((_req, res) => void waiting.push(res));
    const gateway = await startGatewayTo([upstream.url], { trustedProxyHops: 1 });
    const get = (address: string) => request(gateway.url).get(PATH).set('X-Forwarded-For', address);
    const held = range(64).map(() => get('203.0.113.1').then(({ status }) => status));
    await waitFor('all are in flight', async () => waiting.length === 64);
    const rejected = await get('203.0.113.1');
    expect([rejected.status, rejected.body.code]).to.deep.equal([429, 'RATE_LIMITED']);
    expect(rejected.headers).to.include({ 'retry-after': '1' });
    const other = get('203.0.113.2').then(({ status }) => status);
    await waitFor('the other one is in flight', async () => waiting.length === 65);
    for (const res of waiting) res.end();
    expect(new Set(await Promise.all([...held, other]))).to.deep.equal(new Set([200]));
    const again = get('203.0.113.1').then(({ status }) => status);
    await waitFor('the next one is in flight', async () => waiting.length === 66);
    waiting.at(-1)?.end();
    expect(await again).to.equal(200);
  });

  it('serves pipelined requests one after another, and closes a connection with more than eight waiting', async () => {
    const waiting: ServerResponse[] = [];
    const upstream = await startUpstream((_req, res) => void waiting.push(res));
    const gateway = await startGatewayTo([upstream.url]);
    const client = openRawConnection(gateway.url);
    client.write(toRequest().repeat(9));
    await waitFor('the first is forwarded', async () => waiting.length === 1);
    waiting[0]?.end();
    await waitFor('the second is forwarded', async () => waiting.length === 2);
    expect(countResponses(client.received())).to.equal(1);
    client.write(toRequest().repeat(2_000));
    await client.closed.catch(() => undefined);
    expect(waiting).to.have.length(2);
  });

  for (const [hops, responses] of [
    [0, 3],
    [1, 6],
  ] as const)
    it(`serves ${responses} of six pipelined requests with two allowed behind ${hops} proxies`, async () => {
      const upstream = await startUpstream();
      const gateway = await startGatewayTo([upstream.url], {
        rateLimitScale: 2 / 600,
        trustedProxyHops: hops,
      });
      const client = openRawConnection(gateway.url);
      client.write(toRequest().repeat(6));
      await waitFor('the last response', async () => countResponses(client.received()) === responses);
      if (hops === 0)
        expect(await client.closed.catch(() => client.received())).to.match(/^Connection: close\r$/im);
      expect(upstream.received).to.have.length(2);
      client.close();
    });
});
