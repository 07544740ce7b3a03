import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../testing/auth-service.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

describe('responses', () => {
  const service = useAuthService();

  it('contain the request id of the client, also in error bodies', async () => {
    for (const id of ['a', 'abc-123_X.y', 'x'.repeat(128), '11111111-1111-4111-8111-111111111111']) {
      const response = await send(service().url, 'GET', '/api/v1/auth/me', {
        headers: { 'X-Request-Id': id },
      });
      expect(response.headers['x-request-id']).to.equal(id);
      expect(response.body.requestId).to.equal(id);
    }
  });

  it('contain a generated request id when the client sends none or an invalid one', async () => {
    const ids = new Set<unknown>();
    const unfit = [undefined, '', 'two words', 'x'.repeat(129), 'naïve', '<script>', 'a,b', '{"a":1}'];
    for (const id of unfit) {
      const response = await send(service().url, 'GET', '/api/v1/auth/me', {
        headers: { 'X-Request-Id': id },
      });
      expect(response.headers['x-request-id']).to.match(UUID);
      ids.add(response.body.requestId);
    }
    expect(ids.size).to.equal(unfit.length);
  });

  it('forbid caches, errors included', async () => {
    const client = service().as('customer');
    const { email, password } = await client.createAccount();
    const device = await client.openDevice({ email, password });
    const responses = [
      await client.signUp({ body: { email: uniqueEmail(), password: PASSWORD } }),
      await client.signUp({ body: { email, password } }),
      await client.signIn({ fingerprint: device.fingerprint, body: { email, password } }),
      await client.signIn({ fingerprint: 'device', body: { email, password: 'wrong' } }),
      await client.me(device),
      await client.me(await client.openDevice({ email, password })),
      await client.universalMe(device),
      await client.refreshToken(device),
      await client.signOut(await client.openDevice({ email, password })),
    ];
    for (const { headers } of responses) expect(headers['cache-control']).to.equal('no-store');
  });

  it("contain JSON in UTF-8, without the framework's name or version", async () => {
    const device = await service()
      .as('customer')
      .openDevice(await service().as('customer').createAccount());
    for (const { headers } of [
      await service().as('customer').me(device),
      await send(service().url, 'GET', '/nothing'),
    ]) {
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers).not.to.have.any.keys('x-powered-by', 'server', 'etag');
    }
  });

  it('do not reveal internals after an internal error', async () => {
    const client = service().as('customer');
    const { account, device } = await client.createAccountAndDevice();
    const rename = (from: string, to: string) =>
      service().records.query(`alter table ${from} rename to ${to}`);
    await rename('customer_profiles', 'elsewhere');
    const responses = [
      await client.signUp({ body: { email: uniqueEmail(), password: PASSWORD } }),
      await client.signIn({
        fingerprint: 'device',
        body: { email: account.email, password: account.password },
      }),
      await client.me(device),
      await client.universalMe(device),
      await client.refreshToken(device),
    ];
    await rename('elsewhere', 'customer_profiles');
    for (const response of responses) {
      expectError(response, 500, 'INTERNAL_ERROR');
      expect(response.text).not.to.match(/customer_profiles|elsewhere|relation/);
    }
    expect((await client.me(device)).status).to.equal(200);
  });
});
