import { holdLock } from '@platform/shared/testing/hold-lock';
import { expect } from 'chai';
import { countStatements } from '../../testing/count-statements.ts';
import { useWorkerDatabase } from '../../testing/worker-database.ts';
import { deleteExpiredGuesses } from './expired-rows.ts';

describe('cleanup of failed guesses', () => {
  const { url, database, query } = useWorkerDatabase();
  const addGuesses = (expiresAt: string, count: number) =>
    query(
      `insert into failed_guesses (subject, secret, scope, expires_at)
       select gen_random_uuid()::text, 'password', 'network', ${expiresAt} from generate_series(1, $1)`,
      [count],
    );
  const countGuesses = async () => (await query('select 1 from failed_guesses')).length;

  it('deletes the expired failures, at most 200 per statement', async () => {
    await addGuesses("now() - interval '1 s'", 450);
    await addGuesses("now() + interval '1 hour'", 2);
    await addGuesses("'infinity'", 1);
    const { countingDatabase, getRowCounts } = countStatements(database());
    expect(await deleteExpiredGuesses(countingDatabase)).to.equal(450);
    expect(getRowCounts('remove-expired-guesses')).to.deep.equal([200, 200, 50]);
    expect(await countGuesses()).to.equal(3);
  });

  it('skips a failure that an attempt has locked', async () => {
    await addGuesses('now()', 1);
    const attempt = await holdLock(url(), 'update failed_guesses set failures = failures + 1');
    expect(await deleteExpiredGuesses(database())).to.equal(0);
    await attempt.commit();
    expect(await countGuesses()).to.equal(1);
  });
});
