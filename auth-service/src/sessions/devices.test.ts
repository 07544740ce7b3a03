import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('devices', () => {
  const service = useAuthService();
  const client = () => service().as('customer');

  it('keeps one session and revokes the first access token at a second sign-in', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    const second = await client().openDevice(account, first.fingerprint);

    expect(second.sessionId).to.equal(first.sessionId);
    expectError(await client().me(first), 401, 'TOKEN_INVALID');
    expect((await client().me(second)).status).to.equal(200);
    expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
      sessions: 1,
      tokenRecords: 1,
    });
  });

  it('rejects the earlier refresh token after a second sign-in, without a revocation', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    const second = await client().openDevice(account, first.fingerprint);

    const response = await client().refreshToken(first);
    expectError(response, 401, 'TOKEN_INVALID');
    expect(response.headers).not.to.have.property('set-cookie');
    await client().refreshed(second);
  });

  it('keeps the start of the session and updates its address at a second sign-in', async () => {
    const { email, password } = await client().createAccount();
    const signIn = (address: string) =>
      client().signIn({
        fingerprint: 'device',
        body: { email, password },
        headers: { 'X-Forwarded-For': address },
      });
    const before = (await signIn('203.0.113.1')).body.session;
    const after = (await signIn('203.0.113.2')).body.session;

    expect(after.createdAt).to.equal(before.createdAt);
    expect(Date.parse(after.updatedAt)).to.be.above(Date.parse(before.updatedAt));
    expect([before.ip, after.ip]).to.deep.equal(['203.0.113.1', '203.0.113.2']);
  });

  it('separates the sessions of two users on one device', async () => {
    const fingerprint = uniqueFingerprint();
    const [ada, bob] = [await client().createAccount(), await client().createAccount()];
    const adas = await client().openDevice(ada, fingerprint);
    const bobs = await client().openDevice(bob, fingerprint);

    expect(bobs.sessionId).not.to.equal(adas.sessionId);
    expect((await client().me(adas)).body.user.id).to.equal(ada.userId);
    expect((await client().me(bobs)).body.user.id).to.equal(bob.userId);
  });

  it('keeps the session with new tokens after sign-out and sign-in', async () => {
    const account = await client().createAccount();
    const before = await client().openDevice(account);
    await client().signOut(before);
    const after = await client().openDevice(account, before.fingerprint);

    expect(after.sessionId).to.equal(before.sessionId);
    expect((await client().me(after)).status).to.equal(200);
    expectError(await client().me(before), 401, 'TOKEN_INVALID');
  });

  it('leaves exactly one valid access token after five concurrent sign-ins', async () => {
    const account = await client().createAccount();
    const fingerprint = uniqueFingerprint();
    const devices = await Promise.all(
      Array.from({ length: 5 }, () => client().openDevice(account, fingerprint)),
    );
    const responses = await Promise.all(devices.map((device) => client().me(device)));
    expect(responses.filter(({ status }) => status === 200)).to.have.length(1);
    expect(new Set(devices.map(({ sessionId }) => sessionId)).size).to.equal(1);
  });
});

// The service trusts X-Forwarded-For from this machine, where the gateway and the tests run.
const cases: [string, string | undefined, string][] = [
  ['comes from the connection when no proxy names one', undefined, '127.0.0.1'],
  ['comes from our proxy', '203.0.113.7', '203.0.113.7'],
  ['accepts IPv6', '2001:db8::7', '2001:db8::7'],
  ['ignores what the client has put before it', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['is behind several of our proxies', '203.0.113.7, 10.0.0.3, 192.168.1.1', '203.0.113.7'],
  ['is that of our proxy when the proxy names none', 'unknown', '127.0.0.1'],
];

describe('session address', () => {
  const service = useAuthService();

  for (const [name, header, address] of cases)
    it(name, async () => {
      const client = service().as('customer');
      const { email, password } = await client.createAccount();
      const headers = { 'X-Forwarded-For': header };
      const { body } = await client.signIn({ fingerprint: 'device', body: { email, password }, headers });
      expect(body.session.ip).to.equal(address);
    });

  it('stays the address of the sign-in after a refresh from another address', async () => {
    const client = service().as('customer');
    const device = await client.createDevice();
    const response = await client.refreshToken({ ...device, headers: { 'X-Forwarded-For': '203.0.113.7' } });
    const { body } = await client.me(client.afterRefresh(device, response));
    expect(body.session.ip).to.equal('127.0.0.1');
  });
});
