import type { AuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { waitFor } from '@platform/shared/testing/poll';
import { setReadOnly } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../testing/auth-service.ts';

const RECOVERY_SECONDS = 5;

describe('Postgres read-only, as a standby or a demoted primary is', () => {
  const service = useAuthService();
  let client: AuthClient;
  let account: TestAccount;
  let device: Device;

  before(async () => {
    client = service().as('customer');
    account = await client.createAccount();
    device = await client.openDevice(account);
    await setReadOnly(service().databaseUrl, true);
  });

  it('returns 503 with Retry-After for requests that write', async () => {
    const calls = [
      () => client.signUp({ body: { email: uniqueEmail(), password: PASSWORD } }),
      () =>
        client.signIn({ fingerprint: 'device', body: { email: account.email, password: account.password } }),
      () => client.refreshToken(device),
    ];
    for (const call of calls) {
      const response = await call();
      expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(Number(response.headers['retry-after'])).to.be.at.least(1);
    }
  });

  it('serves requests that only read', async () => {
    expect((await client.me(device)).status).to.equal(200);
  });

  it('stays ready and is degraded, and recovers when Postgres accepts writes again', async () => {
    const degraded = ['postgres-writes'];
    expect(await service().readiness()).to.deep.equal({ ready: true, failing: [], degraded });
    await setReadOnly(service().databaseUrl, false);
    await waitFor(
      'the service is ready',
      async () => (await service().failing()).length === 0,
      RECOVERY_SECONDS,
    );
    await client.openDevice(account);
  });
});
