import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { formatStatus } from '@platform/shared/testing/http-client';
import { parseStatuses } from '@platform/shared/testing/raw-http';
import { type Fixture, sendRaw } from './fixture.ts';

const HOST = 'Host: x\r\nConnection: close\r\n';

/** Spellings of a path that is forbidden for an operator, and paths that do not exist. */
const PATH_VARIANTS = [
  'http://evil.example/api/v1/users',
  'http://evil.example',
  'https://127.0.0.1/api/v1/users',
  'http://[/api/v1/users',
  '//evil.example/api/v1/users',
  '//api/v1/users',
  '/api/v1//users',
  '/api/v1/./users',
  '/api/v1/operator/../users',
  '/api/v1/operator/%2e%2e/users',
  '/api/v1/operator/%2E%2E/users',
  '/api/v1/operator/..%2fusers',
  '/api/v1/operator/..%2Fusers',
  '/api/v1/customers/auth/..%2f..%2fusers',
  '/api/v1/operator/..%5cusers',
  '/api/v1/operator/..\\users',
  '/api/v1/operator/..;/users',
  '/api/v1/operator;/../users',
  '/api/v1/operator/me/..%252fusers',
  '/api/v1/users%00',
  '/api/v1/users%2f',
  '/api/v1/users%20',
  '/api/v1/users%',
  '/api/v1/users%zz',
  '/api/v1/users#/operator/me',
  '/api/v1/%75sers',
  '/api/v1/users;a=b',
  '/api/v1/USERS',
  '/API/V1/users',
  '/api/v1/users.json',
  '/api/v1/users/.',
  '/api/v1/u\x73ers/\x80',
  '/api/v1/operator/me/../../users',
  '*',
  'api/v1/users',
];

const testPathVariants = async (fixture: Fixture): Promise<void> => {
  fixture.section('Path normalization: no spelling gives an operator the list of users');
  const { device } = await fixture.createUser(ADMINISTRATOR, 'OPERATOR');
  for (const path of PATH_VARIANTS) {
    const bytes = await sendRaw(
      fixture.url,
      `GET ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${device.accessToken}\r\n\r\n`,
    );
    const [status] = parseStatuses(bytes);
    const code = /"code":"(\w+)"/.exec(bytes)?.[1] ?? '';
    const isRejected = status === undefined || (status >= 400 && status < 500);
    fixture.check(
      isRejected && !bytes.includes('"perPage"'),
      `GET ${JSON.stringify(path).slice(1, -1)}`,
      `${status} ${code}`,
    );
  }
};

const testRateLimitBypass = async (fixture: Fixture): Promise<void> => {
  fixture.section('Rate limit bypass: every spelling of the sign-in path is limited or rejected');
  const { email, password } = await fixture.createUser(CUSTOMER);
  const variants = [
    'sign-in/',
    'SIGN-IN',
    'Sign-In/',
    '%73ign-in',
    'sign%2Din',
    'sign-in;x',
    'sign-in?x=1',
    'sign-in%20',
    'sign-in/.',
  ];
  for (const variant of variants) {
    const response = await fixture.send(`${CUSTOMER.path}/${variant}`, {
      method: 'POST',
      headers: { 'X-Fingerprint': 'device' },
      body: { email, password },
    });
    const isLimited = /^"sign-in"/.test(String(response.headers['ratelimit']));
    fixture.check(
      response.status === 200 ? isLimited : response.status >= 400 && response.status < 500,
      `POST …/${variant}`,
      `${formatStatus(response)}, rate limit ${/^"([\w-]+)"/.exec(String(response.headers['ratelimit']))?.[1]}`,
    );
  }
};

const FILE_PATHS = [
  '/api/..%2f..%2fpackage.json',
  '/api/%2e%2e/%2e%2e/package.json',
  '/api/../../package.json',
  '/api/..\\..\\package.json',
  '/api/....//....//package.json',
  '/api/swagger-ui.css/../../../package.json',
  '/api/swagger-ui.css%00.json',
  '/api/%2fetc%2fpasswd',
  '/api//etc/passwd',
  '/api/v1/docs/..%2f..%2f..%2fpackage.json',
  '/api/v1/docs/../../../../etc/passwd',
  '/api/v1/docs/..%c0%af..%c0%afetc/passwd',
  '/api/v1/docs/%252e%252e%252fpackage.json',
  '/api/package.json',
  '/api/v1/docs/package.json',
  '/api/.env',
  '/.env',
  '/.git/config',
  '/package.json',
  '/api/v1/docs/index.html/..',
  '/metrics',
  '/api/metrics',
];

const testFiles = async (fixture: Fixture): Promise<void> => {
  fixture.section('Path traversal: the documentation pages serve no other files');
  for (const path of FILE_PATHS) {
    const bytes = await sendRaw(fixture.url, `GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
    const [status = 0] = parseStatuses(bytes);
    const leaks = /marketplace-platform|root:x:|\[core\]|process_cpu|_(?:SECRET|FACTOR)_KEY/.test(bytes);
    fixture.check(!leaks && status >= 400 && status < 500, `GET ${path}`, `${status}`);
  }
};

const testMethods = async (fixture: Fixture): Promise<void> => {
  fixture.section('Methods: unsupported ones are rejected');
  const user = await fixture.createUser(CUSTOMER);
  const headers = { ...bearer(user.device), Cookie: 'Secret=1' };
  for (const method of ['TRACE', 'PUT', 'HEAD', 'PROPFIND', 'COPY', 'PURGE', 'OPTIONS']) {
    const response = await fixture.send('/api/v1/users', { method, headers });
    const isEchoed = response.text.includes('Secret=1');
    const allow = response.headers.allow ?? '';
    fixture.check(
      response.status === 405 && !isEchoed && allow !== '',
      `${method} /api/v1/users`,
      `${formatStatus(response)}, Allow: ${allow}`,
    );
  }
  for (const line of [
    'CONNECT evil.example:443 HTTP/1.1',
    'get /healthz HTTP/1.1',
    'TRACK / HTTP/1.1',
    'GET /healthz',
    'GET /healthz HTTP/2.0',
    'GET /healthz HTTP/9.9',
  ]) {
    const bytes = await sendRaw(fixture.url, `${line}\r\n${HOST}\r\n`);
    const [status] = parseStatuses(bytes);
    fixture.check(
      status === undefined || (status >= 400 && status < 600 && status !== 500),
      line,
      `${status ?? 'closed'}`,
    );
  }
};

export const testPaths = async (fixture: Fixture): Promise<void> => {
  await testPathVariants(fixture);
  await testRateLimitBypass(fixture);
  await testFiles(fixture);
  await testMethods(fixture);
};
