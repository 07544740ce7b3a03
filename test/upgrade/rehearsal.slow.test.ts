import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { createCheckoutCopy, createCheckoutOf } from '../../tools/checkout-copy.ts';
import { findEarlierRelease, VERSION } from '../../tools/releases.ts';
import { watchMigrations } from './lock-watch.ts';
import { listPreparations, type Rehearsal, rehearse } from './rehearsal.ts';
import { findUpgradeProblems, formatRehearsal } from './report.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOTHING: Rehearsal = {
  phases: [],
  migrations: [],
  forward: { seconds: 0, output: '', code: 0 },
  back: { seconds: 0, output: '', code: 0 },
  lostWrites: [],
};

describe('an upgrade from the last earlier release, and back', () => {
  it('fails no request, and loses no session, code or write', async function () {
    this.timeout('20m');
    const { version, commit } = findEarlierRelease();
    const checkout = await createCheckoutOf(commit);
    try {
      const [from, to] = [
        { name: version, root: checkout.root },
        { name: VERSION, root: ROOT },
      ];
      const rehearsal = await rehearse({ from, to, users: 0, secondsPerPhase: 1, loadFactor: 0.05 });
      // biome-ignore lint/suspicious/noConsole: the report is what an operator reads
      console.log(formatRehearsal(rehearsal, await listPreparations(to, version)));
      expect(findUpgradeProblems(rehearsal)).to.deep.equal([]);
      expect(rehearsal.back.output).to.include('nothing was changed');
    } finally {
      await checkout.remove();
    }
  });
});

describe('the rehearsal of an upgrade', () => {
  it('names a migration that blocks others for more than a second', async () => {
    const database = await createTestDatabase();
    const copy = await createCheckoutCopy();
    try {
      await writeFile(
        join(copy.root, 'migrate/migrations/9999-planted.ts'),
        "export const up = (db) => db.raw('lock table users; select pg_sleep(2)');",
      );
      const locks = await watchMigrations(database.url, copy.root);
      const environment = { PATH: process.env['PATH'], DATABASE_URL: database.url };
      const migrating = startProcess(['migrate/src/run-migrations.ts'], { environment, cwd: copy.root });
      const writing = setInterval(
        () => void queryDatabase(database.url, 'update users set is_blocked = false').catch(() => undefined),
        100,
      );
      const { code } = await migrating.waitForExit();
      clearInterval(writing);
      expect(code, migrating.output()).to.equal(0);
      const migrations = await locks.stop();
      expect(migrations[0]?.locks).to.deep.equal(['users AccessExclusiveLock']);
      const [problem, ...others] = findUpgradeProblems({ ...NOTHING, migrations });
      expect(problem).to.match(/^9999-planted blocks others for [12]\.\d s$/);
      expect(others).to.deep.equal([]);
    } finally {
      await copy.removeAll();
      await database.drop();
    }
  });
});
