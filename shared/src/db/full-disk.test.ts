import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { getRejection } from '@platform/shared/testing/rejection';
import { createEmptyDatabase, type TestDatabase } from '@platform/shared/testing/test-database';
import { expect } from 'chai';
import { connectDatabase, type DatabasePool } from './database.ts';

/** Only root can mount the small disk, which is in memory. Otherwise the test skips itself. */
describe('Postgres with a full disk', () => {
  const disk = mkdtempSync(join(tmpdir(), 'platform-disk-'));
  const tablespace = `disk_${process.pid}`;
  let own: TestDatabase;
  let server: string;
  let pool: DatabasePool;

  before(async function () {
    const mount = ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk];
    if (process.platform !== 'linux' || spawnSync('mount', mount).status !== 0) this.skip();
    own = await createEmptyDatabase();
    server = new URL('/postgres', own.url).href;
    const [data] = await queryDatabase<{ directory: string }>(
      server,
      `select current_setting('data_directory') as directory`,
    );
    const { uid, gid } = statSync(data?.directory ?? '');
    chownSync(disk, uid, gid);
    await queryDatabase(server, `create tablespace ${tablespace} location '${disk}'`);
    const name = new URL(own.url).pathname.slice(1);
    await queryDatabase(server, `alter database ${name} set tablespace ${tablespace}`);
    pool = connectDatabase({
      url: own.url,
      applicationName: 'test',
      maxConnections: 2,
      onError: () => undefined,
    });
  });
  after(async () => {
    await pool?.close();
    await own?.drop();
    if (own) await queryDatabase(server, `drop tablespace ${tablespace}`);
    spawnSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true });
  });

  it('accepts no writes but responds, from the first failed write until the disk has space', async () => {
    const write = () =>
      pool.database.raw(
        'create table written as select repeat(n::text, 100) from generate_series(1, 9999) n',
      );
    await pool.checkWrites();
    const { bfree, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bfree * bsize));
    expect(await getRejection(write())).to.have.property('status', 503);
    for (let check = 0; check < 2; check += 1)
      expect(await getRejection(pool.checkWrites())).to.have.nested.property('cause.code', '53100');
    await pool.ping();
    rmSync(join(disk, 'filler'));
    await pool.checkWrites();
    await write();
  });
});
