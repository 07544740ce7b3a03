import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { useFixture } from './fixture.ts';

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

describe('headers that a client forges', () => {
  const fixture = useFixture();

  it('change the address neither of the session, nor of the rate limit, nor in the logs', async () => {
    const { kind, email, password } = await fixture().createUser(CUSTOMER);
    let remaining = Number.POSITIVE_INFINITY;
    for (const headers of SPOOFED_ADDRESSES) {
      const response = await fixture().send(`${kind.path}/sign-in`, {
        method: 'POST',
        headers: { 'X-Fingerprint': uniqueFingerprint(), ...headers },
        body: { email, password },
      });
      const title = JSON.stringify(headers);
      expect(response.body.session?.ip, title).to.equal('127.0.0.1');
      const remainingNow = Number(/;r=(\d+);/.exec(String(response.headers['ratelimit']))?.[1]);
      expect(remainingNow, title).to.be.below(remaining);
      remaining = remainingNow;
    }
    const lines = await fixture().logLines();
    expect(lines).to.have.length.above(10);
    expect(lines.filter((line) => line.includes(SPOOFED))).to.deep.equal([]);
  });

  it('override neither the method nor the path nor the host nor the user', async () => {
    const { send, createUser, records } = fixture();
    const [operator, admin] = [await createUser(ADMINISTRATOR, 'OPERATOR'), await createUser(ADMINISTRATOR)];
    const { id } = await records.user(['CUSTOMER']);
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const headers = { ...bearer(admin.device), [name]: 'PATCH' };
      const { code } = await send(`/api/v1/users/${id}/block`, { method: 'POST', headers });
      expect(code, name).to.equal('METHOD_NOT_ALLOWED');
    }
    for (const name of ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix', 'X-Forwarded-Uri']) {
      const headers = { ...bearer(operator.device), [name]: '/api/v1/users' };
      expect((await send('/api/v1/operator/me', { headers })).body.userId, name).to.equal(operator.id);
    }
    for (const name of ['X-User-Id', 'X-Authenticated-User', 'X-Platform-Role', 'Remote-User'])
      expect((await send('/api/v1/users', { headers: { [name]: admin.id } })).status, name).to.equal(401);
    for (const name of ['Host', 'X-Forwarded-Host']) {
      const response = await send('/api', { headers: { [name]: 'evil.example' } });
      expect(response.headers.location, name).to.equal('/api/');
    }
  });
});
