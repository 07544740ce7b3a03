import { queryDatabase } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import { usePlatform } from './use-platform.ts';

/** The tests connect as the owner and without an application name. */
const CONNECTED = `
  select distinct application_name || ' as ' || usename as connection from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and application_name <> ''`;

describe('database logins', () => {
  const platform = usePlatform();

  it('differ for each process, and none is the owner', async () => {
    const { stack } = platform();
    // The readiness check queries the database.
    for (const process of ['auth', 'admin', 'worker'] as const)
      expect((await fetch(`${stack.opsUrls[process]}/readyz`)).status, process).to.equal(200);
    const rows = await queryDatabase<{ connection: string }>(stack.databaseUrl, CONNECTED);
    expect(rows.map(({ connection }) => connection)).to.have.members([
      'admin-service as admin_service',
      'auth-service as auth_service',
      'mailer-worker as mailer_worker',
    ]);
  });
});
