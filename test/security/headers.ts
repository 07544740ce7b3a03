import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus } from '@platform/shared/testing/http-client';
import type { Fixture } from './fixture.ts';

const SPOOFED = '203.0.113.66';

const SPOOFED_ADDRESSES: Record<string, string>[] = [
  { 'X-Forwarded-For': SPOOFED },
  { 'X-Forwarded-For': `${SPOOFED}, 127.0.0.1` },
  { 'X-Forwarded-For': `127.0.0.1, ${SPOOFED}` },
  { 'X-Forwarded-For': "'; drop table users; --" },
  { Forwarded: `for=${SPOOFED}` },
  { 'X-Real-IP': SPOOFED, 'X-Client-IP': SPOOFED, 'True-Client-IP': SPOOFED, 'CF-Connecting-IP': SPOOFED },
  { 'X-Forwarded-For': SPOOFED, Connection: 'keep-alive, X-Forwarded-For' },
];

const testAddresses = async (fixture: Fixture): Promise<void> => {
  fixture.section('Spoofed client address: neither the session nor the rate limit uses it');
  const { kind, email, password } = await fixture.createUser(CUSTOMER);
  let remaining = Number.POSITIVE_INFINITY;
  for (const headers of SPOOFED_ADDRESSES) {
    const response = await fixture.send(`${kind.path}/sign-in`, {
      method: 'POST',
      headers: { 'X-Fingerprint': uniqueFingerprint(), ...headers },
      body: { email, password },
    });
    const { session } = response.body as { session?: { ip: string } };
    const remainingNow = Number(/;r=(\d+);/.exec(String(response.headers['ratelimit']))?.[1]);
    fixture.check(
      session?.ip === '127.0.0.1' && remainingNow < remaining,
      JSON.stringify(headers),
      `${formatStatus(response)}, address ${session?.ip}, ${remainingNow} requests remaining`,
    );
    remaining = remainingNow;
  }
};

const testOverrides = async (fixture: Fixture): Promise<void> => {
  fixture.section('Override headers: method, path, host and user are not taken from them');
  const operator = await fixture.createUser(ADMINISTRATOR, 'OPERATOR');
  const admin = await fixture.createUser(ADMINISTRATOR);
  const { id } = await fixture.records.user(['CUSTOMER']);
  for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
    const headers = { ...bearer(admin.device), [name]: 'PATCH' };
    const response = await fixture.send(`/api/v1/users/${id}/block`, { method: 'POST', headers });
    fixture.check(response.code === 'METHOD_NOT_ALLOWED', `POST …/block with ${name}: PATCH`, response);
  }
  const queried = await fixture.send(`/api/v1/users/${id}?_method=PATCH`, {
    headers: bearer(admin.device),
  });
  fixture.check(queried.status === 400, 'GET …/users/:id?_method=PATCH', queried);
  for (const name of ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Uri']) {
    const headers = { ...bearer(operator.device), [name]: '/api/v1/users' };
    const response = await fixture.send('/api/v1/operator/me', { headers });
    const isOperator = (response.body as { userId?: string }).userId === operator.id;
    fixture.check(
      isOperator,
      `GET operator/me with ${name}: /api/v1/users`,
      `${formatStatus(response)}, ${isOperator ? 'the operator' : 'another body'}`,
    );
  }
  for (const name of ['X-User-Id', 'X-Authenticated-User', 'X-Platform-Role', 'Remote-User']) {
    const response = await fixture.send('/api/v1/users', { headers: { [name]: admin.id } });
    fixture.check(response.status === 401, `GET users without a token, with ${name}`, response);
  }
  for (const headers of [{ Host: 'evil.example' }, { 'X-Forwarded-Host': 'evil.example' }]) {
    const response = await fixture.send('/api', { headers });
    const location = String(response.headers.location);
    fixture.check(
      location === '/api/',
      `/api with ${JSON.stringify(headers)}`,
      `${formatStatus(response)}, Location: ${location}`,
    );
  }
};

export const testLogs = async (fixture: Fixture): Promise<void> => {
  fixture.section('Logs: valid JSON without spoofed addresses and secrets');
  const lines = await fixture.logLines();
  const invalid = lines.filter((line) => {
    try {
      return typeof JSON.parse(line) !== 'object';
    } catch {
      return true;
    }
  });
  fixture.check(
    invalid.length === 0 && lines.length > 100,
    `${lines.length} lines`,
    `${invalid.length} are not JSON`,
  );
  const spoofed = lines.filter((line) => line.includes(SPOOFED));
  fixture.check(spoofed.length === 0, `the address ${SPOOFED}`, `in ${spoofed.length} lines`);
  const secrets = lines.filter((line) =>
    /eyJ[\w-]+\.eyJ|Correct horse|\$2b\$|[?&](?:code|state)=/.test(line),
  );
  fixture.check(
    secrets.length === 0,
    'a token, a password, a hash or a code of a provider',
    `in ${secrets.length} lines`,
  );
};

export const testHeaders = async (fixture: Fixture): Promise<void> => {
  await testAddresses(fixture);
  await testOverrides(fixture);
};
