import {
  type AuthClient,
  CUSTOMER,
  type Device,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

const RECOVERY_SECONDS = 5;

describe('Postgres read-only, as a standby or a demoted primary is', () => {
  const service = useAuthService();
  let client: AuthClient;
  let account: TestAccount;
  let device: Device;

  /** A setting of the database applies to new connections, so the open ones are closed. */
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    const { databaseUrl } = service();
    const name = new URL(databaseUrl).pathname.slice(1);
    const setting = `default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`;
    await queryDatabase(databaseUrl, `set transaction read write; alter database ${name} set ${setting}`);
    if (isReadOnly)
      await queryDatabase(
        databaseUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
  };

  before(async () => {
    client = service().client(CUSTOMER);
    account = await client.createAccount();
    device = await client.openDevice(account);
    await setReadOnly(true);
  });

  it('returns 503 with Retry-After for requests that write', async () => {
    const calls = [
      () => client.signUp({ email: uniqueEmail(), password: PASSWORD }),
      () => client.signIn({ email: account.email, password: account.password }, 'device'),
      () => client.refresh(device),
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

  it('reports not ready, and recovers when Postgres accepts writes again', async () => {
    await waitFor('readiness names postgres', async () => (await service().failing()).includes('postgres'));
    await setReadOnly(false);
    await waitFor(
      'the service is ready',
      async () => (await service().failing()).length === 0,
      RECOVERY_SECONDS,
    );
    await client.openDevice(account);
  });
});
