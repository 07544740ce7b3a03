import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { parseStatuses } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import { sendRaw, useFixture } from './fixture.ts';

const HOST = 'Host: localhost\r\nConnection: close\r\n';

/** Spellings of a path that is forbidden for an operator, and paths that do not exist. */
const PATH_VARIANTS = [
  ...['http://evil.example/api/v1/users', 'https://127.0.0.1/api/v1/users'],
  ...['http://[/api/v1/users', '//evil.example/api/v1/users', '//api/v1/users', '/api/v1//users'],
  ...['/api/v1/./users', '/api/v1/operator/../users', '/api/v1/operator/%2e%2e/users'],
  ...['/api/v1/operator/%2E%2E/users', '/api/v1/operator/..%2fusers', '/api/v1/operator/..%2Fusers'],
  ...['/api/v1/customers/auth/..%2f..%2fusers', '/api/v1/operator/..%5cusers'],
  ...['/api/v1/operator/..\\users', '/api/v1/operator/..;/users', '/api/v1/operator;/../users'],
  ...['/api/v1/operator/me/..%252fusers', '/api/v1/users%00', '/api/v1/users%2f', '/api/v1/users%20'],
  ...['/api/v1/users%', '/api/v1/users%zz', '/api/v1/users#/operator/me', '/api/v1/%75sers'],
  ...['/api/v1/users;a=b', '/api/v1/USERS', '/API/V1/users', '/api/v1/users.json', '/api/v1/users/.'],
  ...['/api/v1/u\x73ers/\x80', '/api/v1/operator/me/../../users', '*', 'api/v1/users'],
];

const FILE_PATHS = [
  ...['/api/..%2f..%2fpackage.json', '/api/%2e%2e/%2e%2e/package.json', '/api/../../package.json'],
  ...['/api/..\\..\\package.json', '/api/....//....//package.json'],
  ...['/api/swagger-ui.css/../../../package.json', '/api/swagger-ui.css%00.json'],
  ...['/api/%2fetc%2fpasswd', '/api//etc/passwd', '/api/v1/docs/..%2f..%2f..%2fpackage.json'],
  ...['/api/v1/docs/../../../../etc/passwd', '/api/v1/docs/..%c0%af..%c0%afetc/passwd'],
  ...['/api/v1/docs/%252e%252e%252fpackage.json', '/api/package.json', '/api/v1/docs/package.json'],
  ...['/api/.env', '/.env', '/.git/config', '/package.json', '/api/v1/docs/index.html/..', '/metrics'],
  ...['/api/metrics'],
];

const SIGN_IN_VARIANTS = [
  ...['sign-in/', 'SIGN-IN', 'Sign-In/', '%73ign-in', 'sign%2Din', 'sign-in;x', 'sign-in?x=1'],
  ...['sign-in%20', 'sign-in/.'],
];

/** Matches contents of files, and responses of the operations ports. */
const SECRET = /marketplace-platform|root:x:|\[core\]|process_cpu|_(?:SECRET|FACTOR)_KEY/;

describe('spellings of a path', () => {
  const fixture = useFixture();
  const sendLine = (line: string, headers = '') => sendRaw(fixture().url, `${line}\r\n${HOST}${headers}\r\n`);

  it('do not lead an operator to the list of users', async () => {
    const { device } = await fixture().createUser(ADMINISTRATOR, 'OPERATOR');
    for (const path of PATH_VARIANTS) {
      const bytes = await sendLine(`GET ${path} HTTP/1.1`, `Authorization: Bearer ${device.accessToken}\r\n`);
      expect(parseStatuses(bytes)[0] ?? 400, path).to.be.within(400, 499);
      expect(bytes, path).not.to.include('"perPage"');
    }
  });

  it('do not bypass the rate limit of sign-ins', async () => {
    const { email, password } = await fixture().createUser(CUSTOMER);
    for (const variant of SIGN_IN_VARIANTS) {
      const response = await fixture().send(`${CUSTOMER.path}/${variant}`, {
        method: 'POST',
        headers: { 'X-Fingerprint': 'device' },
        body: { email, password },
      });
      if (response.status === 200) expect(response.headers['ratelimit'], variant).to.match(/^"sign-in"/);
      else expect(response.status, variant).to.be.within(400, 499);
    }
  });

  it('of the documentation serve no other files', async () => {
    for (const path of FILE_PATHS) {
      const bytes = await sendLine(`GET ${path} HTTP/1.1`);
      expect(parseStatuses(bytes)[0], path).to.be.within(400, 499);
      expect(bytes, path).not.to.match(SECRET);
    }
  });
});

describe('request lines', () => {
  const fixture = useFixture();

  it('with an unsupported method get 405, and do not echo headers', async () => {
    const user = await fixture().createUser(CUSTOMER);
    const headers = { ...bearer(user.device), Cookie: 'Secret=1' };
    for (const method of ['TRACE', 'PUT', 'HEAD', 'PROPFIND', 'COPY', 'PURGE', 'OPTIONS']) {
      const response = await fixture().send('/api/v1/users', { method, headers });
      expect(response.status, method).to.equal(405);
      expect(response.headers.allow, method).to.equal('GET');
      expect(response.text, method).not.to.include('Secret=1');
    }
  });

  it('with another protocol are rejected', async () => {
    for (const line of [
      'CONNECT evil.example:443 HTTP/1.1',
      'get /healthz HTTP/1.1',
      'TRACK / HTTP/1.1',
      'GET /healthz',
      'GET /healthz HTTP/2.0',
    ]) {
      const bytes = await sendRaw(fixture().url, `${line}\r\n${HOST}\r\n`);
      expect(parseStatuses(bytes)[0] ?? 400, line).to.be.oneOf([400, 404, 405, 501, 505]);
    }
  });
});
