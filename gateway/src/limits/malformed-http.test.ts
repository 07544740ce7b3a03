import { parseBody, parseStatus, sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { useGateway } from '../../testing/start-gateway.ts';

const SMUGGLED = 'GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const HOST = 'Host: x\r\nConnection: close\r\n';

/**
 * Requests that two HTTP parsers could delimit differently. Most contain a second, smuggled request in the
 * body.
 */
const AMBIGUOUS: Record<string, string> = {
  'Content-Length followed by Transfer-Encoding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'Transfer-Encoding followed by Content-Length': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'two different Content-Lengths': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 9\r\n\r\nbody${SMUGGLED}`,
  'two equal Content-Lengths': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody${SMUGGLED}`,
  'a list of Content-Lengths': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 4, 4\r\n\r\nbody${SMUGGLED}`,
  'a signed Content-Length': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: +4\r\n\r\nbody${SMUGGLED}`,
  'a hexadecimal Content-Length': `POST /api/v1/users HTTP/1.1\r\n${HOST}Content-Length: 0x4\r\n\r\nbody${SMUGGLED}`,
  'an unknown transfer coding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a repeated transfer coding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'chunked before another transfer coding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'an obfuscated transfer coding': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a space before the colon of a header': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunked body over HTTP/1.0': `POST /api/v1/users HTTP/1.0\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'a folded header line': `POST /api/v1/users HTTP/1.1\r\n${HOST}X-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  'bare line feeds': `POST /api/v1/users HTTP/1.1\nHost: x\nConnection: close\nTransfer-Encoding: chunked\n\n0\n\n${SMUGGLED}`,
  'an invalid chunk size': `POST /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${SMUGGLED}`,
  'a missing HTTP version': `GET /api/v1/users\r\n${HOST}\r\n`,
  'HTTP/0.9': `GET /api/v1/users HTTP/0.9\r\n${HOST}\r\n`,
  'HTTP/2.0 in the request line': `GET /api/v1/users HTTP/2.0\r\n${HOST}\r\n`,
  'two Host headers': `GET /api/v1/users HTTP/1.1\r\n${HOST}host: y\r\n\r\n`,
  'a missing Host header': `GET /api/v1/users HTTP/1.1\r\nConnection: close\r\n\r\n`,
};

describe('malformed HTTP requests', () => {
  const { service, gateway } = useGateway();

  for (const [description, bytes] of Object.entries(AMBIGUOUS))
    it(`returns 400 for ${description} without forwarding the request`, async () => {
      const response = await sendRaw(gateway().url, bytes);
      expect(parseStatus(response)).to.equal(400);
      const body = parseBody(response);
      expect(body).to.include({ statusCode: 400, error: 'Bad Request', code: 'VALIDATION_FAILED' });
      expect(response).to.match(new RegExp(`^X-Request-Id: ${body.requestId}\\r$`, 'im'));
      expect(service().received).to.have.length(0);
    });

  for (const method of ['DELETE', 'OPTIONS', 'GET'])
    it(`forwards a request inside the chunked body of ${method} as body only`, async () => {
      const response = await sendRaw(
        gateway().url,
        `${method} /api/v1/users HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n` +
          `${SMUGGLED.length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`,
      );
      expect(parseStatus(response)).to.equal(200);
      expect(service().received.map(({ url, body }) => [url, body])).to.deep.equal([
        ['/api/v1/users', SMUGGLED],
      ]);
    });

  const statusesIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g);

  it('forwards pipelined requests unchanged, including an empty chunked body', async () => {
    const text = await sendRaw(
      gateway().url,
      'DELETE /api/v1/users/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'GET /api/v1/users/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nget',
      `HEAD /api/v1/users/3 HTTP/1.1\r\n${HOST}Content-Length: 4\r\n\r\nhead`,
    );
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    const received = service().received.map(({ method, body, headers }) => [
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

  it('returns 431 for headers over 16 KiB', async () => {
    const response = await sendRaw(
      gateway().url,
      `GET /api/v1/users HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expect(parseStatus(response)).to.equal(431);
    expect(parseBody(response)).to.include({ code: 'HEADERS_TOO_LARGE' });
    expect(response).to.match(/^Strict-Transport-Security: max-age=31536000; includeSubDomains\r$/m);
  });

  for (const count of [101, 1_500])
    it(`returns 431 for ${count} headers, which could hide a Content-Length`, async () => {
      const response = await sendRaw(
        gateway().url,
        `DELETE /api/v1/users HTTP/1.1\r\n${HOST}${'a:\r\n'.repeat(count)}Content-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`,
      );
      expect(parseStatus(response)).to.equal(431);
      expect(parseBody(response)).to.include({ code: 'HEADERS_TOO_LARGE' });
      expect(service().received).to.have.length(0);
    });
});
