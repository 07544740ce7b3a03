import { randomUUID } from 'node:crypto';
import { parseStatuses } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { sendRaw, useFixture } from './fixture.ts';

const HOST = 'Host: localhost\r\nConnection: close\r\n';

/**
 * Ambiguous requests: two parsers could disagree about where a request ends, and therefore about the request
 * hidden in its body.
 */
const createAmbiguousRequests = (hidden: string): Record<string, string> => {
  const post = (headers: string, body: string, version = '1.1') =>
    `POST /api/v1/contact/lead HTTP/${version}\r\n${HOST}${headers}\r\n\r\n${body}`;
  const chunks = `0\r\n\r\n${hidden}`;
  const te = 'Transfer-Encoding';
  return {
    'CL.TE': post(`Content-Length: 4\r\n${te}: chunked`, chunks),
    'TE.CL': post(
      `${te}: chunked\r\nContent-Length: 4`,
      `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    ),
    'CL.CL': post('Content-Length: 4\r\nContent-Length: 90', `body${hidden}`),
    'CL as a list': post('Content-Length: 4, 90', `body${hidden}`),
    'CL with a sign': post('Content-Length: +4', `body${hidden}`),
    'CL in hexadecimal': post('Content-Length: 0x4', `body${hidden}`),
    'TE.TE, the second with an unknown coding': post(`${te}: chunked\r\n${te}: x`, chunks),
    'TE after another coding': post(`${te}: gzip, chunked`, chunks),
    'TE before another coding': post(`${te}: chunked, identity`, chunks),
    'TE with a tab': post(`${te}:\tchunked\r\nContent-Length: 4`, chunks),
    'TE with a vertical tab': post(`${te}: \x0bchunked`, chunks),
    'TE with a space before the colon': post(`${te} : chunked`, chunks),
    'TE in a folded header line': post(`X-A: 1\r\n ${te}: chunked`, chunks),
    'TE in quotes': post(`${te}: "chunked"`, chunks),
    'TE in HTTP/1.0': post(`${te}: chunked`, chunks, '1.0'),
    'a bare line feed': `POST /api/v1/contact/lead HTTP/1.1\nHost: localhost\n${te}: chunked\n\n${chunks}`,
    'a chunk size of -1': post(`${te}: chunked`, `-1\r\n\r\n${hidden}`),
    'a chunk size that overflows': post(`${te}: chunked`, `ffffffffffffffff1\r\n${chunks}`),
    'a chunk extension with a line feed': post(`${te}: chunked`, `0;a\n\r\n\r\n${hidden}`),
    'a line feed after a chunk': post(`${te}: chunked`, `1\r\na\n0\r\n\r\n${hidden}`),
    'GET with a body': `GET /api/v1 HTTP/1.1\r\n${HOST}Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
    'DELETE with chunks': `DELETE /api/v1/users HTTP/1.1\r\n${HOST}${te}: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
    'Expect together with the body': post(`Expect: 100-continue\r\nContent-Length: ${hidden.length}`, hidden),
    'a body without a length': `POST /api/v1/contact/lead HTTP/1.1\r\n${HOST}\r\n${hidden}`,
    'a header after a NUL': `GET /healthz HTTP/1.1\r\n${HOST}X-A: \0\r\nContent-Length: 5\r\n\r\n${hidden}`,
    'a request line in the path': `GET /healthz%20HTTP/1.1%0d%0aX:%20y HTTP/1.1\r\n${HOST}\r\n`,
  };
};

describe('request smuggling', () => {
  const fixture = useFixture();

  for (const name of Object.keys(createAmbiguousRequests('')))
    it(`does not lead a hidden request to a service: ${name}`, async () => {
      const marker = `/api/v1/smuggled-${randomUUID()}`;
      const hidden = `GET ${marker} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const response = await sendRaw(fixture().url, createAmbiguousRequests(hidden)[name] ?? '');
      const statuses = parseStatuses(response).filter((status) => status !== 100);
      expect(statuses).to.have.length.at.most(1);
      for (const status of statuses) expect(status).to.be.below(500);
      expect((await fixture().logLines()).filter((line) => line.includes(marker))).to.deep.equal([]);
    });
});
