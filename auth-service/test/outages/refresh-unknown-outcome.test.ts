import { startTestPostgres, type TestPostgres } from '@platform/dev/testing/test-postgres';
import { type AuthClient, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { migrateDatabase } from '@platform/shared/testing/test-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { composeAuthService, type RunningAuthService } from '../auth-service.ts';

const LEEWAY_SECONDS = 10;

describe('refresh whose commit outlives its request, because the synchronous standby is gone', () => {
  let postgres: TestPostgres;
  let redis: TestRedis;
  let service: RunningAuthService;
  let client: AuthClient;
  before('start PostgreSQL and auth-service', async () => {
    [postgres, redis] = await Promise.all([startTestPostgres(), createTestRedis()]);
    await migrateDatabase(postgres.url, postgres.processUrls);
    service = await composeAuthService(postgres.url, {
      DATABASE_URL: postgres.processUrls.auth,
      REDIS_URL: redis.url,
      REFRESH_REUSE_LEEWAY_SECONDS: String(LEEWAY_SECONDS),
    });
    client = service.client(CUSTOMER);
  });
  after('stop auth-service and PostgreSQL', async () => {
    await service?.stop();
    await redis?.drop();
    await postgres?.stop();
  });

  const query = (text: string, values: unknown[] = []) => queryDatabase(postgres.url, text, values);
  const createDevice = async () => client.createDevice();

  /** No commit returns while the standby with this name is missing. */
  const setSynchronousStandby = async (name: string): Promise<void> => {
    await query(`alter system set synchronous_standby_names = '${name}'`);
    await query('select pg_reload_conf()');
    await waitFor('the setting is effective', async () => {
      const [row] = await query('show synchronous_standby_names');
      return row?.['synchronous_standby_names'] === name;
    });
  };
  /** Moves all rotations into the past, beyond the leeway. */
  const passLeeway = () =>
    query('update token_records set refreshed_at = refreshed_at - make_interval(secs => $1)', [
      LEEWAY_SECONDS + 1,
    ]);
  /** Refreshes all devices without a standby; each request fails, and each rotation is committed later. */
  const refreshWithoutStandby = async (...devices: Device[]): Promise<void> => {
    const readIds = async () =>
      (await query('select refresh_token_id as id from token_records')).map(({ id }) => String(id));
    const before = new Set(await readIds());
    await setSynchronousStandby('missing');
    for (const response of await Promise.all(devices.map((device) => client.refresh(device))))
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
    await setSynchronousStandby('');
    await waitFor(
      'the commits are visible',
      async () => (await readIds()).filter((id) => !before.has(id)).length === devices.length,
    );
    await passLeeway();
  };
  const expectValid = async (device: Device): Promise<void> => {
    expect((await client.me(device)).status).to.equal(200);
    await client.refreshed(device);
  };

  it('exchanges the token at the retry, and the session continues', async () => {
    const device = await createDevice();
    await refreshWithoutStandby(device);
    const refreshed = await client.refreshed(device);
    expectError(await client.refresh(device), 401, 'REFRESH_TOKEN_SUPERSEDED');
    await expectValid(refreshed);
  });

  it('exchanges it after several failed attempts, and accepts it for a password change', async () => {
    const [device, other] = [await createDevice(), await createDevice()];
    await refreshWithoutStandby(device, other);
    await refreshWithoutStandby(device);
    const change = { currentPassword: PASSWORD, newPassword: 'A better horse 2' };
    expect((await client.changePassword(other, change)).status).to.equal(204);
    await expectValid(await client.refreshed(device));
  });

  it('returns the new pair to one of two concurrent retries, and REFRESH_TOKEN_SUPERSEDED to the other', async () => {
    const device = await createDevice();
    await refreshWithoutStandby(device);
    const lock = await holdLock(postgres.url, 'select 1 from token_records for update');
    const retries = [client.refresh(device), client.refresh(device)];
    await lock.releaseWhenWaiting(2);
    const responses = await Promise.all(retries);
    const [winner, loser] = responses.sort((one, other) => one.status - other.status);
    if (!winner || !loser) throw new Error('Two responses were expected');
    expectError(loser, 401, 'REFRESH_TOKEN_SUPERSEDED');
    await expectValid(client.afterRefresh(device, winner));
  });

  it('returns REFRESH_TOKEN_REUSED for the token once the new ones are used', async () => {
    const device = await createDevice();
    await refreshWithoutStandby(device);
    const refreshed = await client.refreshed(device);
    expect((await client.me(refreshed)).status).to.equal(200);
    await waitFor('the use is recorded', async () => {
      const rows = await query('select 1 from token_records where is_used and refreshed_at is not null');
      return rows.length > 0;
    });
    await passLeeway();
    expectError(await client.refresh(device), 401, 'REFRESH_TOKEN_REUSED');
    expectError(await client.me(refreshed), 401, 'TOKEN_INVALID');
  });
});
