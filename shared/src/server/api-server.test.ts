import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import { listenLocally } from '@platform/shared/testing/local-server';
import { parseStatuses, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createApiServer } from './api-server.ts';

const HOST = 'Host: x\r\n';
const GARBAGE = 'NOT HTTP AT ALL\r\n\r\n';

const lastBodyOf = (text: string): Record<string, unknown> =>
  JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n')));

describe('API server', () => {
  let server: Server;
  let url: string;
  let close: () => Promise<void>;
  const runtime = { log: createLog({ service: 'test', level: 'silent' }), metrics: createMetrics('test') };
  const start = async (listener: RequestListener): Promise<void> => {
    server = createApiServer(listener, runtime);
    const local = await listenLocally(server);
    url = `http://127.0.0.1:${local.port}`;
    close = local.close;
  };
  afterEach(() => close());

  const readWhole: RequestListener = (req, res) => {
    req.resume().on('end', () => res.end(`done ${req.url}`));
  };

  it('sets timeouts for headers (20 s), requests (30 s) and idle connections (65 s)', async () => {
    await start(readWhole);
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).to.deep.equal([
      20_000, 30_000, 65_000,
    ]);
    const behindBalancer = createApiServer(readWhole, runtime, { keepAliveSeconds: 620 });
    expect(behindBalancer.keepAliveTimeout).to.equal(620_000);
  });

  // Node looks for such requests every few seconds, so all three wait at the same time.
  it('ends a request whose headers or body stop arriving with one 408, before or after its response', async () => {
    const errors: unknown[] = [];
    await start((req, res) => {
      if (req.url === '/early') res.writeHead(401).end();
      else req.on('error', (error) => errors.push(error)).resume();
    });
    Object.assign(server, { headersTimeout: 100, requestTimeout: 200 });
    const post = (path: string) =>
      sendRaw(url, `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nhalf`);
    const headers = sendRaw(url, `GET / HTTP/1.1\r\n${HOST}`);
    const [early, late, withoutHeaders] = await Promise.all([post('/early'), post('/late'), headers]);
    expect(parseStatuses(early)).to.deep.equal([401]);
    for (const text of [late, withoutHeaders]) {
      expect(parseStatuses(text)).to.deep.equal([408]);
      expect(lastBodyOf(text)).to.include({ statusCode: 408, code: 'REQUEST_TIMEOUT' });
      expect(text).to.match(/^Connection: close\r$/im);
    }
  });

  it('sends 400 for garbage after an early response', async () => {
    await start((_req, res) => res.writeHead(401, { 'Content-Length': 0 }).end());
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    socket.write(`POST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nhalf`);
    const [early] = await once(socket, 'data');
    socket.write(`second${GARBAGE}`);
    const [late] = await once(socket, 'data');
    expect([...parseStatuses(early), ...parseStatuses(late)]).to.deep.equal([401, 400]);
    await once(socket, 'close');
  });

  it('sends the whole response to a valid request, then 400 for pipelined garbage', async () => {
    await start((_req, res) => {
      setImmediate(() => res.end('x'.repeat(200_000)));
    });
    const text = await sendRaw(url, `GET / HTTP/1.1\r\n${HOST}\r\n${GARBAGE}`, GARBAGE);
    expect(parseStatuses(text)).to.deep.equal([200, 400]);
    expect(text.match(/x{200000}HTTP\/1\.1 400/)).to.have.length(1);
    expect(lastBodyOf(text)).to.include({ code: 'VALIDATION_FAILED' });
  });

  it('responds to pipelined requests in order before the error, a malformed body included', async () => {
    await start((req, res) => {
      if (req.method === 'POST') req.resume();
      else setImmediate(() => res.end(req.url));
    });
    const gets = ['/1', '/2'].map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`).join('');
    const post = `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nnot hex\r\n`;
    const text = await sendRaw(url, gets + post);
    expect(parseStatuses(text)).to.deep.equal([200, 200, 400]);
    expect(text.indexOf('/1')).to.be.lessThan(text.indexOf('/2'));
  });

  it('ends the pending request when its client disconnects during a pipelined one', async () => {
    const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await start((req, res) => {
      if (req.method === 'POST') arrived.resolve();
      else res.once('close', ended.resolve);
    });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\nPOST / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nhalf`);
    await arrived.promise;
    socket.destroy();
    await ended.promise;
  });

  it('sends no 100 Continue for a declared body over the limit, and one for a body that fits', async () => {
    await start((req, res) => {
      if (Number(req.headers['content-length']) > 102_400) res.writeHead(413).end();
      else readWhole(req, res);
    });
    const post = (length: number, connection: string) =>
      `POST / HTTP/1.1\r\n${HOST}${connection}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    expect(parseStatuses(await sendRaw(url, post(500_000, '')))).to.deep.equal([413]);
    const fitting = await sendRaw(url, post(4, 'Connection: close\r\n'), 'body');
    expect(parseStatuses(fitting)).to.deep.equal([100, 200]);
  });

  it('responds to CONNECT with 400, after the response to an earlier request', async () => {
    await start((_req, res) => {
      setImmediate(() => res.end('first'));
    });
    const text = await sendRaw(
      url,
      `GET / HTTP/1.1\r\n${HOST}\r\nCONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n\x16\x03\x01`,
    );
    expect(parseStatuses(text)).to.deep.equal([200, 400]);
    expect(lastBodyOf(text)).to.include({ statusCode: 400, error: 'Bad Request', code: 'VALIDATION_FAILED' });
  });
});
