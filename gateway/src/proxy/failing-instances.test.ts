import type { RequestListener } from 'node:http';
import { Writable } from 'node:stream';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import request from 'supertest';
import { useTestServers } from '../../testing/start-gateway.ts';

const PATH = '/api/v1/auth/me';
const SIGN_IN = '/api/v1/customers/auth/sign-in';

const respond =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_req, res) =>
    res.writeHead(status, headers).end(String(status));
const respondBusy = respond(503, { 'Retry-After': '1' });
const reset: RequestListener = (req) => req.socket.resetAndDestroy();
const ignore: RequestListener = () => undefined;

describe('failing upstream instances', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  /** Starts a gateway to a failing instance and a working one. */
  const startFailing = async (
    listener: RequestListener,
    { other = respond(200), upstreamTimeoutSeconds = 1 } = {},
  ) => {
    const failing = await startUpstream(listener);
    const working = await startUpstream(other);
    const lines: string[] = [];
    const logOutput = new Writable({
      write: (line, _encoding, done) => {
        lines.push(String(line));
        done();
      },
    });
    const options = { upstreamTimeoutSeconds, logOutput };
    const gateway = await startGatewayTo([failing.url, working.url], options);
    const send = async (method: 'get' | 'post' | 'head', path = PATH): Promise<number> =>
      (await request(gateway.url)[method](path)).status;
    const sendAll = async (count: number, method: 'get' | 'post' = 'post'): Promise<number[]> => {
      const statuses: number[] = [];
      while (statuses.length < count) statuses.push(await send(method));
      return statuses;
    };
    /** Sends a POST, and disconnects without a response after this many milliseconds. */
    const sendAndLeave = (milliseconds: number) =>
      request(gateway.url)
        .post(PATH)
        .timeout(milliseconds)
        .catch(() => undefined);
    return { gateway, send, sendAll, sendAndLeave, failing, working, lines };
  };

  const failures: [behaviour: string, listener: RequestListener, status: number][] = [
    ['responds 500', respond(500), 500],
    ['responds 502', respond(502), 502],
    ['responds 503 without Retry-After', respond(503), 503],
    ['responds 504', respond(504), 504],
    ['resets its connections', reset, 502],
    ['does not respond', ignore, 504],
  ];
  for (const [behaviour, listener, status] of failures)
    it(`are ejected after five failures in a row: one ${behaviour}`, async () => {
      const { sendAll, failing, gateway, lines } = await startFailing(listener, {
        upstreamTimeoutSeconds: 0.5,
      });
      const statuses = await sendAll(12);
      expect(statuses).to.deep.equal([...Array(5).fill([status, 200]).flat(), 200, 200]);
      expect(failing.received).to.have.length(5);
      expect(await gateway.metrics()).to.match(/^upstream_ejections_total{upstream="auth-service".*} 1$/m);
      const logged = lines
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'upstream instance ejected');
      expect(logged).to.have.length(1);
      expect(logged[0]).to.include({ upstream: 'auth-service', url: failing.url, seconds: 1 });
    });

  it('are ejected after five clients have left after half of the timeout', async () => {
    const { sendAndLeave, sendAll, failing } = await startFailing(ignore);
    while (failing.received.length < 5) await sendAndLeave(700);
    expect(await sendAll(3)).to.deep.equal([200, 200, 200]);
  });

  it('get one request after a second, and another one if the client of the first leaves', async () => {
    let listener = respond(500);
    const { sendAll, sendAndLeave, failing } = await startFailing((req, res) => listener(req, res));
    await sendAll(10);
    for (const [next, requests] of [
      [ignore, 6],
      [respond(200), 7],
    ] as const) {
      listener = next;
      await waitFor(`the instance gets request ${requests}`, async () => {
        await sendAndLeave(200);
        return failing.received.length === requests;
      });
    }
    expect(await sendAll(2)).to.deep.equal([200, 200]);
    expect(failing.received, 'the ejection has ended').to.have.length(8);
  });

  it('are not ejected while they are busy: 503 with Retry-After', async () => {
    const { sendAll } = await startFailing(respondBusy);
    expect(await sendAll(12)).to.deep.equal(Array(6).fill([503, 200]).flat());
  });

  it('are not ejected when all of them fail', async () => {
    const { sendAll, failing, working, gateway } = await startFailing(respond(500), { other: respond(500) });
    expect(await sendAll(12, 'get')).to.deep.equal(Array(12).fill(500));
    expect([failing, working].map(({ received }) => received.length)).to.deep.equal([6, 6]);
    expect(await gateway.metrics()).to.match(/^upstream_ejections_total{upstream="auth-service".*} 0$/m);
  });

  const unready: [behaviour: string, readiness: { status: string; degraded?: string[] } | undefined][] = [
    ['whose /readyz is not 200', { status: 'unavailable' }],
    ['whose /readyz does not respond', undefined],
    ['whose /readyz names a part that another one has', { status: 'ready', degraded: ['redis'] }],
  ];
  for (const [behaviour, readiness] of unready)
    it(`get no requests while another one works: one ${behaviour}`, async () => {
      const [failing, working] = [await startUpstream(undefined, 0, () => readiness), await startUpstream()];
      const { url } = await startGatewayTo([failing.url, working.url]);
      const send = () => request(url).post(PATH).expect(200);
      await waitFor('the readiness has been read', async () => {
        const before = failing.received.length;
        for (let count = 0; count < 2; count += 1) await send();
        return failing.received.length === before;
      });
      const before = failing.received.length;
      for (let count = 0; count < 6; count += 1) await send();
      expect(failing.received).to.have.length(before);
    });

  it('get few requests while they do not respond', async () => {
    const { send, failing } = await startFailing(ignore);
    const waiting = send('post');
    while (failing.received.length === 0) await send('post');
    for (let count = 0; count < 10; count += 1) expect(await send('post')).to.equal(200);
    expect(await waiting).to.equal(504);
    expect(failing.received).to.have.length(1);
  });

  it('have twice the time where a password is hashed', async () => {
    const late: RequestListener = (_req, res) => setTimeout(() => res.end('late'), 1_500);
    const { send } = await startFailing(late, { other: late });
    expect(await send('get')).to.equal(504);
    expect(await send('post', SIGN_IN)).to.equal(200);
  });

  const retries: [behaviour: string, listener: RequestListener, get: number, post: number][] = [
    ['a broken connection', reset, 200, 502],
    ['502 of the instance', respond(502), 200, 502],
    ['504 of the instance', respond(504), 200, 504],
    ['500: not even GET', respond(500), 500, 500],
    ['503: not even GET', respondBusy, 503, 503],
    ['503 without Retry-After: not even GET', respond(503), 503, 503],
    ["the gateway's own timeout: not even GET", ignore, 504, 504],
    ['a response that is not HTTP: not even GET', (req) => req.socket.end('220 smtp.example\r\n'), 502, 502],
  ];
  for (const [behaviour, listener, get, post] of retries)
    it(`have their GET and HEAD retried on another instance, but no POST, after ${behaviour}`, async () => {
      for (const [method, status] of [
        ['get', get],
        ['head', get],
        ['post', post],
      ] as const) {
        const { send, failing, working } = await startFailing(listener);
        expect(await send(method), method).to.equal(status);
        expect(failing.received).to.have.length(1);
        expect(working.received).to.have.length(status === 200 ? 1 : 0);
      }
    });

  it('have a GET retried once only', async () => {
    const failing = await Promise.all([1, 2, 3].map(() => startUpstream(respond(502))));
    const { url } = await startGatewayTo(failing.map((upstream) => upstream.url));
    await request(url).get(PATH).expect(502);
    expect(failing.map(({ received }) => received.length)).to.deep.equal([1, 1, 0]);
  });

  it('have no GET retried that rotates tokens or sends a mail', async () => {
    for (const route of ['refresh/token', 'verification/email/code']) {
      const { send } = await startFailing(respond(502));
      expect(await send('get', `/api/v1/customers/auth/${route}`)).to.equal(502);
    }
  });
});
