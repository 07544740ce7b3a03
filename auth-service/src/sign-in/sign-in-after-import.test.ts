import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

/** An import creates so many users in a moment. Those without a password share the hash null. */
const IMPORTED = 1_000;

describe('sign-in beside imported users of which Postgres has no statistics yet', () => {
  const service = useAuthService({ DATABASE_CONNECTIONS: '1' });
  const client = () => service().as('customer');
  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    service().records.query<Row & Record<string, unknown>>(text, values);

  it('reads no more rows, although all of them have the same hash', async () => {
    await query('alter table users set (autovacuum_enabled = false)');
    await query(
      `insert into users (email, password_hash) select 'user-' || n || '@example.com', 'hash-' || n from generate_series(1, 60) n`,
    );
    await query('analyze users');
    const account = await client().createAccount();
    // The plan is that of the small table from the sixth execution on.
    for (let round = 0; round < 7; round += 1) await client().openDevice(account);
    await query(
      `insert into users (email, password_hash)
       select 'imported-' || n || '@example.com', u.password_hash from users u, generate_series(1, $2) n where u.id = $1`,
      [account.userId, IMPORTED],
    );
    const readCounts = async () => {
      const [counts] = await query<{ rows: number; updates: number }>(
        `select seq_tup_read::int as rows, n_tup_upd::int as updates from pg_stat_user_tables where relname = 'users'`,
      );
      return counts ?? { rows: 0, updates: 0 };
    };
    const before = await readCounts();
    await client().openDevice(account);
    const after = await waitFor('the statistics of the sign-in', async () => {
      const counts = await readCounts();
      return counts.updates > before.updates && counts;
    });
    expect(after.rows - before.rows).to.be.below(20 * IMPORTED);
  });
});
