import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { bearer, isUntouched, type Scene } from './fixture.ts';
import { sendBytes, show, statusesIn } from './web-client.ts';

const HOST = 'Host: x\r\nConnection: close\r\n';

/** Ways to write a path that an operator may not go, or that is not there. */
const DISGUISES = [
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

const tryDisguises = async (scene: Scene): Promise<void> => {
  scene.section("Paths in other forms, with an operator's token: never the list of users");
  const { device } = await scene.person(ADMINISTRATOR, 'OPERATOR');
  for (const path of DISGUISES) {
    const bytes = await sendBytes(
      scene.url,
      `GET ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${device.accessToken}\r\n\r\n`,
    );
    const [status] = statusesIn(bytes);
    const code = /"code":"(\w+)"/.exec(bytes)?.[1] ?? '';
    const isRefused = status === undefined || (status >= 400 && status < 500);
    scene.check(
      isRefused && !bytes.includes('"perPage"'),
      `GET ${JSON.stringify(path).slice(1, -1)}`,
      `${status} ${code}`,
    );
  }
};

const tryLimitEscapes = async (scene: Scene): Promise<void> => {
  scene.section('Sign-in in other spellings: under the same limit, or no sign-in');
  const { email, password } = await scene.person(CUSTOMER);
  const spellings = [
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
  for (const spelling of spellings) {
    const answer = await scene.send(`${CUSTOMER.path}/${spelling}`, {
      method: 'POST',
      headers: { 'X-Fingerprint': 'device' },
      body: { email, password },
    });
    const isLimited = /^"sign-in"/.test(String(answer.headers['ratelimit']));
    scene.check(
      answer.status === 200 ? isLimited : answer.status >= 400 && answer.status < 500,
      `POST …/${spelling}`,
      `${show(answer)}, counted as ${/^"([\w-]+)"/.exec(String(answer.headers['ratelimit']))?.[1]}`,
    );
  }
};

const FILES = [
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

const tryFiles = async (scene: Scene): Promise<void> => {
  scene.section('Files that the documentation pages do not serve');
  for (const path of FILES) {
    const bytes = await sendBytes(scene.url, `GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
    const [status = 0] = statusesIn(bytes);
    const leaks = /marketplace-platform|root:x:|\[core\]|process_cpu|_SECRET_KEY/.test(bytes);
    scene.check(!leaks && status >= 400 && status < 500, `GET ${path}`, `${status}`);
  }
};

const tryMethods = async (scene: Scene): Promise<void> => {
  scene.section('Methods that the interface does not have');
  const person = await scene.person(CUSTOMER);
  const headers = { ...bearer(person.device.accessToken), Cookie: 'Secret=1' };
  for (const method of ['TRACE', 'PUT', 'HEAD', 'PROPFIND', 'COPY', 'PURGE', 'OPTIONS']) {
    const answer = await scene.send('/api/v1/users', { method, headers });
    const isEchoed = answer.text.includes('Secret=1');
    const allow = answer.headers.allow ?? '';
    scene.check(
      answer.status === 405 && !isEchoed && allow !== '',
      `${method} /api/v1/users`,
      `${show(answer)}, Allow: ${allow}`,
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
    const bytes = await sendBytes(scene.url, `${line}\r\n${HOST}\r\n`);
    const [status] = statusesIn(bytes);
    scene.check(
      status === undefined || (status >= 400 && status < 600 && status !== 500),
      line,
      `${status ?? 'closed'}`,
    );
  }
};

const tryTrailingSlashes = async (scene: Scene): Promise<void> => {
  scene.section('Trailing slashes: an empty id is not the collection');
  const { device: administrator } = await scene.person(ADMINISTRATOR);
  const customer = await scene.person(CUSTOMER);
  const calls: [string, string, string][] = [
    ['DELETE', `${CUSTOMER.path}/sessions/`, customer.device.accessToken],
    ['GET', '/api/v1/users/', administrator.accessToken],
    ['GET', '/api/v1/projects/', administrator.accessToken],
    ['GET', '/api/v1/administrator/teams/', administrator.accessToken],
    ['TRACE', '/api/v1/users/', administrator.accessToken],
  ];
  for (const [method, path, token] of calls) {
    const answer = await scene.send(path, { method, headers: bearer(token) });
    scene.check(answer.status === 404 && answer.code === 'ROUTE_NOT_FOUND', `${method} ${path}`, answer);
  }
  scene.check(await isUntouched(scene, customer), 'the session afterwards', 'works');
};

export const attackPaths = async (scene: Scene): Promise<void> => {
  await tryDisguises(scene);
  await tryLimitEscapes(scene);
  await tryFiles(scene);
  await tryMethods(scene);
  await tryTrailingSlashes(scene);
};
