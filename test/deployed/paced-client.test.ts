import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createPacedClient } from './paced-client.ts';

const SIGN_IN = '/api/v1/customers/auth/sign-in';

describe('paced client', () => {
  let close: (() => void) | undefined;
  afterEach(() => close?.());

  const listen = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    close = () => server.close();
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const measure = async (run: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await run();
    return performance.now() - started;
  };
  const onResponse = () => undefined;
  const log = () => undefined;

  it('sends no more requests per second than allowed', async () => {
    const url = await listen((_req, res) => res.end());
    const client = createPacedClient({ url, requestsPerSecond: 20, log });
    const milliseconds = await measure(async () => {
      for (let count = 0; count < 6; count += 1) await client.send({ path: '/' }, { onResponse });
    });
    expect(milliseconds).to.be.at.least(5 * 50);
  });

  it('spreads requests over the window when less than half of a limit remains', async () => {
    const url = await listen((_req, res) =>
      res
        .setHeader('RateLimit-Policy', '"sign-in";q=60;w=60')
        .setHeader('RateLimit', '"sign-in";r=3;t=2')
        .end(),
    );
    const client = createPacedClient({ url, requestsPerSecond: 1_000, log });
    const send = (path: string) => client.send({ path }, { onResponse });
    await send(SIGN_IN);
    // Another limit is not affected.
    expect(await measure(() => send('/api/v1'))).to.be.below(300);
    expect(await measure(() => send(SIGN_IN))).to.be.within(150, 2_000);
  });

  it('counts sign-ins itself when the headers are missing', async () => {
    const url = await listen((_req, res) => res.end());
    const client = createPacedClient({ url, requestsPerSecond: 1_000, log });
    const stop = AbortSignal.timeout(1_500);
    let count = 0;
    try {
      for (; count < 60; count += 1) await client.send({ path: SIGN_IN }, { onResponse, signal: stop });
    } catch (error) {
      expect((error as Error).name).to.match(/Abort|Timeout/);
    }
    expect(count).to.be.within(1, 32);
  });

  it('waits for Retry-After and sends the request again, but not after RESEND_LOCKED', async () => {
    const statuses: number[] = [];
    const url = await listen((req, res) => {
      const code = req.url === '/limited' ? 'RATE_LIMITED' : 'RESEND_LOCKED';
      const status = req.url === '/limited' && statuses.length > 0 ? 200 : 429;
      res
        .writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '1' })
        .end(JSON.stringify({ code }));
    });
    const client = createPacedClient({ url, requestsPerSecond: 1_000, log });
    const collect = ({ status }: { status: number }) => void statuses.push(status);
    const milliseconds = await measure(() => client.send({ path: '/limited' }, { onResponse: collect }));
    expect(statuses).to.deep.equal([429, 200]);
    expect(milliseconds).to.be.at.least(1_000);
    const locked = await client.send({ path: '/locked' }, { onResponse: collect });
    expect([locked.status, statuses]).to.deep.equal([429, [429, 200, 429]]);
  });
});
