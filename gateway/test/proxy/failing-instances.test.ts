import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import request from 'supertest';
import { useTestServers } from '../start-gateway.ts';

const PATH = '/api/v1/auth/me';
const CODE = '/api/v1/customers/auth/verification/email/code/check';
const SIGN_IN = '/api/v1/customers/auth/sign-in';

const respond =
  (status: number): RequestListener =>
  (_req, res) =>
    res.writeHead(status, status < 500 ? {} : { 'Retry-After': '1' }).end(String(status));

describe('failing upstream instances', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  /** A gateway to a failing instance and others that work. */
  const startFailing = async (listener: RequestListener, others: RequestListener[] = [respond(200)]) => {
    const failing = await startUpstream(listener);
    const working = await Promise.all(others.map((other) => startUpstream(other)));
    const urls = [failing, ...working].map(({ url }) => url);
    const { url } = await startGatewayTo(urls, { upstreamTimeoutSeconds: 1 });
    const send = async (method: 'get' | 'post' | 'head', path = PATH): Promise<number> =>
      (await request(url)[method](path)).status;
    const sendAll = async (count: number, method: 'get' | 'post', path = PATH): Promise<number[]> => {
      const statuses: number[] = [];
      while (statuses.length < count) statuses.push(await send(method, path));
      return statuses;
    };
    return { send, sendAll, failing, working };
  };

  const reset: RequestListener = (req) => req.socket.resetAndDestroy();
  const ignore: RequestListener = () => undefined;
  const failures: [string, RequestListener, number][] = [
    ...[500, 502, 504].map((status): [string, RequestListener, number] => [
      `responds ${status}`,
      respond(status),
      status,
    ]),
    ['resets its connections', reset, 502],
    ['does not respond', ignore, 504],
  ];
  for (const [behaviour, listener, status] of failures)
    it(`ejects an instance that ${behaviour} three times while another succeeds`, async () => {
      const { sendAll, failing } = await startFailing(listener);
      const statuses = await sendAll(7, 'post');
      expect(statuses).to.deep.equal([status, 200, status, 200, status, 200, 200]);
      expect(failing.received).to.have.length(3);
    });

  it('avoids an instance only for the group of routes that it fails', async () => {
    const failing: RequestListener = (req, res) => respond(req.url === SIGN_IN ? 500 : 200)(req, res);
    const { sendAll } = await startFailing(failing);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push(...(await sendAll(1, 'post', SIGN_IN)), ...(await sendAll(1, 'post')));
    expect(statuses.filter((status) => status === 500)).to.have.length(3);
    expect(statuses.slice(-4)).to.deep.equal([200, 200, 200, 200]);
    expect((await sendAll(4, 'post')).concat(await sendAll(4, 'post', SIGN_IN))).to.deep.equal(
      Array(8).fill(200),
    );
  });

  it('keeps an instance that is busy: 503 with Retry-After', async () => {
    const { sendAll } = await startFailing(respond(503));
    const statuses = await sendAll(12, 'post');
    expect(statuses).to.deep.equal(Array(6).fill([503, 200]).flat());
  });

  it('asks no instance for what it lacks while another has it', async () => {
    const degraded = await startUpstream(respond(503), 0, () => ({ status: 'ready', degraded: ['redis'] }));
    const complete = await startUpstream(respond(200));
    const { url } = await startGatewayTo([degraded.url, complete.url]);
    const send = async (path: string) => (await request(url).post(path)).status;
    while ((await send(CODE)) !== 200 || (await send(CODE)) !== 200);
    const before = degraded.received.length;
    for (let count = 0; count < 6; count += 1) expect(await send(CODE)).to.equal(200);
    expect(degraded.received).to.have.length(before);
    expect([await send(PATH), await send(PATH)]).to.have.members([200, 503]);
  });

  it('keeps all instances when all of them fail, and repeats no request on one that failed', async () => {
    const { sendAll, failing, working } = await startFailing(respond(503), [respond(503)]);
    expect(await sendAll(12, 'get')).to.deep.equal(Array(12).fill(503));
    // Only the first request was repeated, before the other instance had failed.
    expect(failing.received.length + (working[0]?.received.length ?? 0)).to.equal(13);
  });

  for (const status of [502, 503, 504])
    it(`repeats GET and HEAD once on another instance after ${status}, and nothing else`, async () => {
      const repeated = await startFailing(respond(status));
      expect(await repeated.send('get')).to.equal(200);
      expect(await (await startFailing(respond(status))).send('head')).to.equal(200);
      expect(await (await startFailing(respond(status))).send('post')).to.equal(status);
      const [failing, third] = [respond(status), respond(200)];
      const twice = await startFailing(failing, [failing, third]);
      expect(await twice.send('get')).to.equal(status);
      expect(repeated.working[0]?.received).to.have.length(1);
      expect(twice.working.map(({ received }) => received.length)).to.deep.equal([1, 0]);
    });

  it('repeats a GET whose connection an instance resets, but neither a POST nor a GET that got 500', async () => {
    expect(await (await startFailing(reset)).send('get')).to.equal(200);
    expect(await (await startFailing(reset)).send('post')).to.equal(502);
    expect(await (await startFailing(respond(500))).send('get')).to.equal(500);
  });

  it('does not repeat a GET that rotates tokens or sends a mail', async () => {
    for (const route of ['refresh/token', 'verification/email/code'])
      expect(
        await (await startFailing(respond(502))).send('get', `/api/v1/customers/auth/${route}`),
      ).to.equal(502);
  });

  it('sends few requests to an instance that does not respond', async () => {
    const { send, failing } = await startFailing(ignore);
    const waiting = send('post');
    while (failing.received.length === 0) await send('post');
    for (let count = 0; count < 10; count += 1) expect(await send('post')).to.equal(200);
    expect(await waiting).to.equal(504);
    expect(failing.received).to.have.length(1);
  });

  it('gives routes that hash a password twice the time', async () => {
    const late: RequestListener = (_req, res) => setTimeout(() => res.end('late'), 1_500);
    const { send } = await startFailing(late, []);
    expect(await send('get')).to.equal(504);
    expect(await send('post', SIGN_IN)).to.equal(200);
  });
});
