import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { bearer, deviceHeaders, type Scene } from './fixture.ts';
import { sendBytes, show, statusesIn } from './web-client.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const SPOOFED = '203.0.113.66';

const ADDRESS_CLAIMS: Record<string, string>[] = [
  { 'X-Forwarded-For': SPOOFED },
  { 'X-Forwarded-For': `${SPOOFED}, 127.0.0.1` },
  { 'X-Forwarded-For': `127.0.0.1, ${SPOOFED}` },
  { 'X-Forwarded-For': "'; drop table users; --" },
  { Forwarded: `for=${SPOOFED}` },
  { 'X-Real-IP': SPOOFED, 'X-Client-IP': SPOOFED, 'True-Client-IP': SPOOFED, 'CF-Connecting-IP': SPOOFED },
  { 'X-Forwarded-For': SPOOFED, Connection: 'keep-alive, X-Forwarded-For' },
];

const tryAddresses = async (scene: Scene): Promise<void> => {
  scene.section('A client that claims another address: what its session notes, and whose limit it uses up');
  const { kind, email, password } = await scene.person(CUSTOMER);
  let left = Number.POSITIVE_INFINITY;
  for (const headers of ADDRESS_CLAIMS) {
    const answer = await scene.send(`${kind.path}/sign-in`, {
      method: 'POST',
      headers: { 'X-Fingerprint': uniqueFingerprint(), ...headers },
      body: { email, password },
    });
    const { session } = answer.body as { session?: { ip: string } };
    const now = Number(/;r=(\d+);/.exec(String(answer.headers['ratelimit']))?.[1]);
    scene.check(
      session?.ip === '127.0.0.1' && now < left,
      JSON.stringify(headers),
      `${show(answer)}, address ${session?.ip}, ${now} left of the limit`,
    );
    left = now;
  }
};

const tryRequestIds = async (scene: Scene): Promise<void> => {
  scene.section('Request ids that could forge a header or a line of the log');
  const well = [
    ' a b',
    'x'.repeat(129),
    '<script>alert(1)</script>',
    '%0d%0aSet-Cookie:%20a=b',
    '../../etc',
    'é',
    '{"a":1}',
  ];
  for (const id of well) {
    const answer = await scene.send('/healthz', {
      headers: { 'X-Request-Id': Buffer.from(id).toString('latin1') },
    });
    const made = String(answer.headers['x-request-id']);
    scene.check(UUID.test(made), `X-Request-Id: ${id.slice(0, 40)}`, `${show(answer)}, one is made: ${made}`);
  }
  const raw = [
    'a\nSet-Cookie: evil=1',
    'a\rSet-Cookie: evil=1',
    'a\r\n Set-Cookie: evil=1',
    'a\0b',
    'a\x0bb',
  ];
  for (const id of raw) {
    const bytes = await sendBytes(
      scene.url,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`,
    );
    const given = /^x-request-id: (.*)\r$/im.exec(bytes)?.[1] ?? '';
    const isClean = !/^set-cookie/im.test(bytes) && (UUID.test(given) || given === 'a');
    scene.check(
      isClean,
      `X-Request-Id: ${JSON.stringify(id)}`,
      `${statusesIn(bytes).join(', ') || 'closed'}, id ${given}`,
    );
  }
};

const tryOverrides = async (scene: Scene): Promise<void> => {
  scene.section('Headers that some servers let decide over the method, the path, the host or the user');
  const operator = await scene.person(ADMINISTRATOR, 'OPERATOR');
  const admin = await scene.person(ADMINISTRATOR);
  const { id } = await scene.records.user(['CUSTOMER']);
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
    const headers = { ...bearer(admin.device.accessToken), [name]: 'PATCH' };
    const answer = await scene.send(`/api/v1/users/${id}/block`, { method: 'POST', headers });
    scene.check(answer.code === 'METHOD_NOT_ALLOWED', `POST …/block with ${name}: PATCH`, answer);
  }
  const queried = await scene.send(`/api/v1/users/${id}?_method=PATCH`, {
    headers: bearer(admin.device.accessToken),
  });
  scene.check(queried.status === 400, 'GET …/users/:id?_method=PATCH', queried);
  for (const name of ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Uri']) {
    const headers = { ...bearer(operator.device.accessToken), [name]: '/api/v1/users' };
    const answer = await scene.send('/api/v1/operator/me', { headers });
    const isOwn = (answer.body as { userId?: string }).userId === operator.id;
    scene.check(isOwn, `an operator's me with ${name}: /api/v1/users`, `${show(answer)}, the operator's own`);
  }
  for (const name of ['X-User-Id', 'X-Authenticated-User', 'X-Platform-Role', 'Remote-User']) {
    const answer = await scene.send('/api/v1/users', { headers: { [name]: admin.id } });
    scene.check(answer.status === 401, `users without a token, with ${name}`, answer);
  }
  for (const headers of [{ Host: 'evil.example' }, { 'X-Forwarded-Host': 'evil.example' }]) {
    const answer = await scene.send('/api', { headers });
    const location = String(answer.headers.location);
    scene.check(
      location === '/api/',
      `/api with ${JSON.stringify(headers)}`,
      `${show(answer)}, Location: ${location}`,
    );
  }
};

const tryHopByHop = async (scene: Scene): Promise<void> => {
  scene.section('Headers that a client declares hop-by-hop, so that the gateway would take them away');
  const person = await scene.person(CUSTOMER);
  const path = `${CUSTOMER.path}/me`;
  const headers = { ...bearer(person.device.accessToken), ...deviceHeaders(person) };
  const tries: [string, number][] = [
    ['Authorization', 401],
    ['X-Fingerprint', 400],
    ['X-Forwarded-For', 200],
    ['X-Request-Id', 200],
    ['Content-Length', 200],
    ['Transfer-Encoding', 200],
    ['Host', 200],
  ];
  for (const [name, status] of tries) {
    const answer = await scene.send(path, { headers: { ...headers, Connection: `close, ${name}` } });
    scene.check(answer.status === status, `me with Connection: close, ${name}`, answer);
  }
};

const tryLogs = async (scene: Scene): Promise<void> => {
  scene.section('What is in the logs after all that');
  const lines = await scene.logLines();
  const broken = lines.filter((line) => {
    try {
      return typeof JSON.parse(line) !== 'object';
    } catch {
      return true;
    }
  });
  scene.check(
    broken.length === 0 && lines.length > 100,
    `${lines.length} lines`,
    `${broken.length} that are not JSON`,
  );
  const spoofed = lines.filter((line) => line.includes(SPOOFED));
  scene.check(spoofed.length === 0, `the address ${SPOOFED}`, `in ${spoofed.length} lines`);
  const secrets = lines.filter((line) => /eyJ[\w-]+\.eyJ|Correct horse|\$2b\$/.test(line));
  scene.check(secrets.length === 0, 'a token, a password or a hash', `in ${secrets.length} lines`);
};

export const attackHeaders = async (scene: Scene): Promise<void> => {
  await tryAddresses(scene);
  await tryRequestIds(scene);
  await tryOverrides(scene);
  await tryHopByHop(scene);
};

/** Last, when every other attack has left its lines. */
export const inspectLogs = tryLogs;
