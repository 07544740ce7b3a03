import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const SMUGGLED = 'GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const HOST = 'Host: x\r\nConnection: close\r\n';

/** What a parser could take in two ways, each with a second request hidden in it. */
const AMBIGUOUS: Record<string, string> = {
  'both a length and chunks': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunks and then a length': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'two lengths': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 9\r\n\r\nbody${SMUGGLED}`,
  'two equal lengths': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody${SMUGGLED}`,
  'a list of lengths': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4, 4\r\n\r\nbody${SMUGGLED}`,
  'a signed length': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: +4\r\n\r\nbody${SMUGGLED}`,
  'a hexadecimal length': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 0x4\r\n\r\nbody${SMUGGLED}`,
  'an unknown coding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a coding twice': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a coding that is not the last': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'an obscured coding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a space before the colon': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunks in HTTP/1.0': `POST /api/v1/users HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a folded header': `POST /api/v1/users HTTP/1.1\r\n${HOST}X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a bare line feed': `POST /api/v1/users HTTP/1.1\nHost: x\nConnection: close\nTransfer-Encoding: chunked\n\n0\n\n${SMUGGLED}`,
  'a bad chunk size': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${SMUGGLED}`,
  'no version': `GET /api/v1/users\r\n${HOST}\r\n`,
  'the version 0.9': `GET /api/v1/users HTTP/0.9\r\n${HOST}\r\n`,
  'the version 2.0': `GET /api/v1/users HTTP/2.0\r\n${HOST}\r\n`,
  'two hosts': `GET /api/v1/users HTTP/1.1\r\n${HOST}host: y\r\n\r\n`,
  'no host': `GET /api/v1/users HTTP/1.1\r\nConnection: close\r\n\r\n`,
};

describe('Malformed HTTP', () => {
  let service: StandIn;
  let gateway: Gateway;

  before(async () => {
    service = await startStandIn();
    gateway = await startGateway({ auth: [service.url], admin: [service.url] });
  });
  after(() => Promise.all([gateway.stop(), service.stop()]));
  beforeEach(() => {
    service.received.length = 0;
  });

  for (const [what, bytes] of Object.entries(AMBIGUOUS))
    it(`When a request has ${what}, then it is refused in the one error body and no service gets it`, async () => {
      const answer = await sendRaw(gateway.url, bytes);
      expect(parseStatus(answer)).to.equal(400);
      const body = parseBody(answer);
      expect(body).to.include({ statusCode: 400, error: 'Bad Request', code: 'VALIDATION_FAILED' });
      expect(answer).to.match(new RegExp(`^X-Request-Id: ${body.requestId}\\r$`, 'im'));
      expect(service.received).to.have.length(0);
    });

  for (const method of ['DELETE', 'OPTIONS', 'GET'])
    it(`When ${method} carries chunks, then what is in them stays a body`, async () => {
      const answer = await sendRaw(
        gateway.url,
        `${method} /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
          `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
      );
      expect(parseStatus(answer)).to.equal(200);
      expect(service.received.map(({ url, body }) => [url, body])).to.deep.equal([
        ['/api/v1/users', SMUGGLED],
      ]);
    });

  const statusesIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g);

  it('garbage pipelined after a good POST leaves its response whole, then gets 400', async () => {
    const text = await sendRaw(
      gateway.url,
      'POST /api/v1/users HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyNOT HTTP\r\n\r\n',
      'MORE GARBAGE\r\n\r\n',
    );
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(text).to.contain('"body":"body"}HTTP/1.1 400');
    expect(service.received).to.have.length(1);
  });

  it('Expect: 100-continue gets 413 and no 100 for 500,000 declared bytes, and 100 for a body that fits', async () => {
    const expecting = (length: number) =>
      `POST /api/v1/users HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    const refused = await sendRaw(gateway.url, expecting(500_000));
    expect(statusesIn(refused)).to.deep.equal(['HTTP/1.1 413']);
    expect(parseBody(refused)).to.include({ code: 'BODY_TOO_LARGE' });
    const fitting = await sendRaw(gateway.url, expecting(4), 'body');
    expect(statusesIn(fitting)).to.deep.equal(['HTTP/1.1 100', 'HTTP/1.1 200']);
    expect(service.received.map(({ body }) => body)).to.deep.equal(['body']);
  });

  it('CONNECT gets 400 in the one error body, and the connection closes', async () => {
    const text = await sendRaw(
      gateway.url,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n',
    );
    expect(parseStatus(text)).to.equal(400);
    expect(parseBody(text)).to.include({ statusCode: 400, code: 'VALIDATION_FAILED' });
    expect(text).to.match(/^Connection: close\r$/im);
  });

  it('a chunked body without content and pipelined requests after bodies arrive as they were sent', async () => {
    const text = await sendRaw(
      gateway.url,
      'DELETE /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET /api/v1/users/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nget',
      `HEAD /api/v1/users/3 HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nhead`,
    );
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    const received = service.received.map(({ method, body, headers }) => [
      method,
      body,
      headers['content-length'],
    ]);
    expect(received).to.have.deep.members([
      ['DELETE', '', '0'],
      ['GET', 'get', '3'],
      ['HEAD', 'head', '4'],
    ]);
  });

  it('When the headers are larger than 16 KiB, then the answer is 431', async () => {
    const answer = await sendRaw(
      gateway.url,
      `GET /api/v1/users HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(parseStatus(answer)).to.equal(431);
    expect(parseBody(answer)).to.include({ code: 'HEADERS_TOO_LARGE' });
  });

  for (const count of [101, 1_500])
    it(`When there are ${count} headers, then none can hide a body behind them`, async () => {
      const answer = await sendRaw(
        gateway.url,
        `DELETE /api/v1/users HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(count)}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
      );
      expect(parseStatus(answer)).to.equal(431);
      expect(parseBody(answer)).to.include({ code: 'HEADERS_TOO_LARGE' });
      expect(service.received).to.have.length(0);
    });
});
