import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createMetrics } from '@platform/shared/metrics/metrics';
import { listenLocally } from '@platform/shared/testing/local-server';
import { parseMetrics } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { createBreachedPasswordLookup } from './known-passwords-adapter.ts';

const PASSWORD = 'correct horse battery staple';
const HASH = createHash('sha1').update(PASSWORD).digest('hex').toUpperCase();
const SUFFIX = HASH.slice(5);
const OTHERS = Array.from(
  { length: 900 },
  (_, index) => `${index.toString(16).toUpperCase().padStart(35, '0')}:${index}`,
);
const toBody = (...lines: string[]): string =>
  [...OTHERS.slice(0, 450), ...lines, ...OTHERS.slice(450)].join('\r\n');

type Received = {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
};

const startRangeApi = async (respond: RequestListener) => {
  const received: Received[] = [];
  const server = createServer(async (req, res) => {
    const { method, url, headers } = req;
    const body = (await req.toArray()).join('');
    received.push({ method, url, headers, body });
    respond(req, res);
  });
  const { port, close } = await listenLocally(server);
  return { url: `http://127.0.0.1:${port}/range`, received, close };
};

/** Responses from which nothing can be concluded. */
const FAILURES: [name: string, respond: RequestListener, reason: RegExp][] = [
  ['an error status', (_req, res) => res.writeHead(503).end(`${SUFFIX}:7`), /status 503/],
  ['a redirect', (_req, res) => res.writeHead(302, { Location: '/range/other' }).end(), /./],
  ['a page of HTML', (_req, res) => res.end('<!doctype html><title>Sign in</title>'), /malformed/],
  ['a malformed line after the password', (_req, res) => res.end(`${SUFFIX}:7\r\nrubbish`), /malformed/],
  ['a line without a count', (_req, res) => res.end(SUFFIX), /malformed/],
  [
    'too many bytes',
    (_req, res) => res.end(`${SUFFIX}:7\r\n${`${OTHERS[1]}\r\n`.repeat(40_000)}`),
    /1048576 bytes/,
  ],
  ['a closed connection', (req) => req.socket.destroy(), /./],
  [
    'a body that ends early',
    (req, res) =>
      res.writeHead(200, { 'Content-Length': 999 }).write(`${SUFFIX}:7`, () => req.socket.destroy()),
    /./,
  ],
];

/** Responses that never end, so the lookup must give up. */
const HANGING: [name: string, respond: RequestListener][] = [
  ['no response', () => undefined],
  ['no end of the body', (_req, res) => void res.write(`${SUFFIX}:7\r\n`)],
];

describe('breached password lookup', () => {
  let close: (() => Promise<void>) | undefined;
  afterEach('stop the API', async () => {
    await close?.();
    close = undefined;
  });

  const start = async (respond: RequestListener, options: { pauseMilliseconds?: number } = {}) => {
    const api = await startRangeApi(respond);
    close = api.close;
    const metrics = createMetrics('test');
    const errors: Error[] = [];
    const onError = (error: Error) => errors.push(error);
    const isBreached = createBreachedPasswordLookup({ url: api.url, metrics, onError, ...options });
    const countOutcomes = async () =>
      Object.fromEntries(
        parseMetrics(await metrics.render())
          .filter(({ name, value }) => name === 'breached_password_lookups_total' && value > 0)
          .map(({ labels, value }) => [labels['outcome'], value]),
      );
    return { ...api, isBreached, errors, countOutcomes };
  };

  it('finds a listed password, regardless of the letter case in the response', async () => {
    for (const suffix of [SUFFIX, SUFFIX.toLowerCase()]) {
      const { isBreached, countOutcomes } = await start((_req, res) => res.end(toBody(`${suffix}:3`)));
      expect(await isBreached(PASSWORD)).to.equal(true);
      expect(await countOutcomes()).to.deep.equal({ found: 1 });
      await close?.();
    }
  });

  it('finds nothing in other suffixes, in padding, and in an empty response', async () => {
    for (const body of [toBody(), toBody(`${SUFFIX}:0`), '', '\r\n', `${'A'.repeat(35)}:9\n`]) {
      const { isBreached, errors, countOutcomes } = await start((_req, res) => res.end(body));
      expect(await isBreached(PASSWORD)).to.equal(false);
      expect(errors).to.deep.equal([]);
      expect(await countOutcomes()).to.deep.equal({ 'not-found': 1 });
      await close?.();
    }
  });

  it('sends five characters of the hash, and requests padding', async () => {
    const { isBreached, received } = await start((_req, res) => res.end(toBody()));
    await isBreached(PASSWORD);
    expect(received.length).to.equal(1);
    const [request] = received;
    expect(request).to.deep.include({ method: 'GET', url: `/range/${HASH.slice(0, 5)}`, body: '' });
    expect(request?.headers).to.include({ 'add-padding': 'true' });
    const sent = JSON.stringify(received).toUpperCase();
    expect(sent).not.to.include(HASH.slice(0, 6)).and.not.include(SUFFIX.slice(0, 6));
    expect(sent).not.to.include(PASSWORD.toUpperCase());
  });

  for (const [name, respond, reason] of FAILURES)
    it(`treats ${name} as not found, once`, async () => {
      const { isBreached, received, errors, countOutcomes } = await start(respond);
      expect(await isBreached(PASSWORD)).to.equal(false);
      expect(received.length).to.equal(1);
      expect(await countOutcomes()).to.deep.equal({ unavailable: 1 });
      expect(errors.length).to.equal(1);
      const logged = `${errors[0]?.message} ${errors[0]?.stack} ${JSON.stringify(errors[0])}`;
      expect(errors[0]?.message).to.match(reason);
      expect(logged.toUpperCase()).not.to.include(HASH.slice(0, 5)).and.not.include('HORSE');
    });

  for (const [name, respond] of HANGING)
    it(`gives up after a second with ${name}, and closes the connection`, async () => {
      let isClosed = false;
      const { isBreached, errors } = await start((req, res) => {
        req.socket.once('close', () => {
          isClosed = true;
        });
        respond(req, res);
      });
      const startedAt = performance.now();
      const results = await Promise.all(Array.from({ length: 20 }, () => isBreached(PASSWORD)));
      expect(performance.now() - startedAt)
        .to.be.above(900)
        .and.below(3_000);
      expect(results).to.deep.equal(Array(20).fill(false));
      expect(errors[0]?.message).to.equal('No response within 1000 ms');
      await waitFor('the connection is closed', () => isClosed);
    });

  it('treats an API that does not run as not found', async () => {
    const { isBreached, errors } = await start(() => undefined);
    await close?.();
    close = undefined;
    expect(await isBreached(PASSWORD)).to.equal(false);
    expect(errors.map(({ message }) => message)).to.deep.equal(['ECONNREFUSED']);
  });

  it('pauses after a failure, and looks up again after the pause', async () => {
    let isDown = true;
    const { isBreached, received, countOutcomes } = await start(
      (_req, res) => (isDown ? res.writeHead(500).end() : res.end(toBody(`${SUFFIX}:1`))),
      { pauseMilliseconds: 300 },
    );
    expect(await isBreached(PASSWORD)).to.equal(false);
    isDown = false;
    expect(await isBreached(PASSWORD)).to.equal(false);
    expect(received.length).to.equal(1);
    expect(await countOutcomes()).to.deep.equal({ unavailable: 1, paused: 1 });
    await waitFor('the password is found', () => isBreached(PASSWORD));
    expect(received.length).to.equal(2);
  });

  it('finds nothing and registers no metric without an API', async () => {
    const metrics = createMetrics('test');
    const isBreached = createBreachedPasswordLookup({
      url: undefined,
      metrics,
      onError: () => expect.fail('It failed'),
    });
    expect(await isBreached('password')).to.equal(false);
    expect(await metrics.render()).not.to.include('breached_password');
  });
});
