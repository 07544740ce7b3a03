import fc from 'fast-check';
import { oneOf } from './request.ts';

/** `/healthz` is not one of them: its headers differ from those of all other responses. */
const PATHS = ['/api/v1/users', '/api/v1/customers/auth/sign-in', '/api/v1', '/readyz', '/nowhere'];

/**
 * Requests that violate HTTP, or nearly do. `PATH` stands for a path. The server closes the connection after
 * each.
 */
const REQUESTS: readonly string[] = [
  'GET PATH HTTP/1.1\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\0b\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nX-Bare: a\nX-Fingerprint: b\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\r\n folded\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nX-Space : x\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\n: empty\r\n\r\n',
  'GET PATH HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n',
  'GET  PATH HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET PATH with space HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET PATH\t HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET PATH\0 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET PATH\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET http://evil.examplePATH HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'GET http://[/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  'GET PATH HTTP/1.0\r\n\r\n',
  'CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET PATH HTTP/0.9\r\n\r\n',
  'GET PATH HTTP/2.0\r\nHost: localhost\r\n\r\n',
  'GET PATH HTTQ/1.1\r\nHost: localhost\r\n\r\n',
  'get PATH HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'FOO PATH HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e1\r\n\r\n{}',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}',
  'POST PATH HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}GET /x HTTP/1.1\r\n',
  `GET PATH HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET PATH${'/x'.repeat(10_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `GET PATH HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${'X-H: y\r\n'.repeat(500)}\r\n`,
];

/** Requests that an HTTP client cannot send. */
export const rawRequest: fc.Arbitrary<Buffer> = fc
  .tuple(oneOf(REQUESTS), oneOf(PATHS))
  .map(([request, path]) => Buffer.from(request.replace('PATH', path), 'latin1'));
