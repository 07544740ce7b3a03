import { holdLock } from '@platform/shared/testing/hold-lock';
import { expect } from 'chai';
import { countStatements } from '../../testing/count-statements.ts';
import { useWorkerDatabase } from '../../testing/worker-database.ts';
import { deletePendingFactors } from './expired-rows.ts';

/** Adds a factor for each of $2 users; its sealed secret is the name of the age. */
const INSERT_FACTORS = `
  with owners as (
    insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' from generate_series(1, $2) returning id
  )
  insert into totp_factors (user_id, sealed_secret, enabled_at, created_at)
  select id, $1, case when $3 then now() - $1::interval end, now() - $1::interval from owners`;

describe('cleanup of second factors that were not confirmed', () => {
  const { url, database, query } = useWorkerDatabase();

  const addFactors = async (age: string, { count = 1, isEnabled = false } = {}): Promise<void> => {
    await query(
      INSERT_FACTORS.replaceAll('$1', `'${age}'`)
        .replace('$2', String(count))
        .replace('$3', String(isEnabled)),
    );
  };
  const getAges = async () =>
    (
      await query<{ age: string }>('select sealed_secret as age from totp_factors order by created_at desc')
    ).map(({ age }) => age);

  it('deletes exactly the factors that are older than a day', async () => {
    for (const age of ['1 minute', '23:59:00', '24:01:00', '30 days']) await addFactors(age);
    await addFactors('31 days', { isEnabled: true });
    expect(await deletePendingFactors(database())).to.equal(2);
    expect(await getAges()).to.deep.equal(['1 minute', '23:59:00', '31 days']);
    expect(await deletePendingFactors(database())).to.equal(0);
  });

  it('deletes at most 200 per statement', async () => {
    await addFactors('2 days', { count: 450 });
    const { countingDatabase, getRowCounts } = countStatements(database());
    expect(await deletePendingFactors(countingDatabase)).to.equal(450);
    expect(getRowCounts('remove-pending-factors')).to.deep.equal([200, 200, 50]);
  });

  for (const [name, change] of [
    ['confirmed', 'enabled_at = now()'],
    ['started again', 'created_at = now()'],
  ] as const)
    it(`keeps a factor that is ${name} while the cleanup waits for it`, async () => {
      await addFactors('2 days');
      const confirmation = await holdLock(url(), `update totp_factors set ${change}`);
      const deletion = deletePendingFactors(database());
      await confirmation.commitWhenWaiting(1);
      expect(await deletion).to.equal(0);
      expect(await getAges()).to.deep.equal(['2 days']);
    });
});
