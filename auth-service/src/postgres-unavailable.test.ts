import type { AuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { expectError } from '@platform/shared/testing/responses';
import { createTestDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { type ComposedAuthService, composeAuthService } from '../testing/auth-service.ts';

describe('Postgres unavailable', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let proxy: InterruptibleProxy;
  let service: ComposedAuthService;
  let client: AuthClient;
  let account: TestAccount;
  let device: Device;

  before(async () => {
    database = await createTestDatabase();
    redis = await createTestRedis();
    proxy = await createInterruptibleProxy(database.url);
    service = await composeAuthService(proxy.url, { REDIS_URL: redis.url });
    client = service.as('customer');
    account = await client.createAccount();
    device = await client.openDevice(account);
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await redis.drop();
    await database.drop();
  });
  afterEach(() => proxy.restore());

  const everyCall = () => [
    () => client.signUp({ body: { email: uniqueEmail(), password: PASSWORD } }),
    () =>
      client.signIn({ fingerprint: 'device', body: { email: account.email, password: account.password } }),
    () => client.me(device),
    () => client.universalMe(device),
    () => client.refreshToken(device),
    () => client.signOut(device),
  ];

  it('returns 503 on every route, with Retry-After and without internals', async () => {
    await proxy.cut();
    for (const call of everyCall()) {
      const response = await call();
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(response.headers['retry-after'])).to.be.at.least(1);
      expect(response.headers).not.to.have.property('set-cookie');
    }
  });

  it('keeps all sessions', async () => {
    await proxy.cut();
    for (const call of everyCall()) expectError(await call(), 503, 'SERVICE_UNAVAILABLE');
    await proxy.restore();
    expect((await client.me(device)).status).to.equal(200);
    device = await client.refreshed(device);
    await client.openDevice(account);
  });

  it('reports not ready until Postgres is back', async () => {
    await proxy.cut();
    await waitFor('readiness names postgres', async () => (await service.failing()).includes('postgres'));
    await proxy.restore();
    await waitFor('auth-service is ready again', async () => (await service.failing()).length === 0);
  });

  it('starts without Postgres and recovers', async () => {
    await proxy.cut();
    const early = await composeAuthService(proxy.url, { REDIS_URL: redis.url });
    try {
      expectError(await early.as('customer').me(device), 503, 'SERVICE_UNAVAILABLE');
      await proxy.restore();
      expect((await early.as('customer').me(device)).status).to.equal(200);
    } finally {
      await early.stop();
    }
  });
});
