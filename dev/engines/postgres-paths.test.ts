import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { findAccount, openSystemDataDir } from './postgres-paths.ts';
import { findPostmaster, stopStalePostgres } from './stale-postgres.ts';

describe('PostgreSQL account of root', () => {
  const nobody = 'nobody:x:65534:65533:nobody:/:/usr/sbin/nologin';
  const root = 'root:x:0:0:root:/root:/bin/bash';

  it('uses postgres if it exists', () => {
    const passwd = [root, nobody, 'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash', ''].join(
      '\n',
    );
    expect(findAccount(passwd)).to.deep.equal({ name: 'postgres', uid: 101, gid: 104 });
  });

  it('falls back to nobody, and is never an alias of root', () => {
    expect(findAccount([root, nobody].join('\n'))).to.deep.equal({ name: 'nobody', uid: 65534, gid: 65533 });
    expect(findAccount(['postgres:x:0:0::/:/bin/sh', nobody].join('\n'))).to.include({ name: 'nobody' });
    expect(findAccount(root)).to.equal(undefined);
  });
});

describe('system data directory', () => {
  const directory = useTemporaryDirectory();
  const parent = (name: string) => {
    mkdirSync(join(directory.path, name));
    return join(directory.path, name);
  };

  it('stays the same on each call, in the first writable parent', () => {
    const place = parent('plain');
    const systemDataDir = openSystemDataDir([join(directory.path, 'missing'), place]);
    expect(systemDataDir).to.equal(join(place, 'marketplace-platform'));
    expect(openSystemDataDir([place])).to.equal(systemDataDir);
  });

  it('must not be writable for other users', () => {
    const place = parent('open');
    mkdirSync(join(place, 'marketplace-platform'));
    chmodSync(join(place, 'marketplace-platform'), 0o777);
    expect(() => openSystemDataDir([place])).to.throw(/Remove it/);
  });
});

describe('stale PostgreSQL', () => {
  const directory = useTemporaryDirectory();
  const lockFile = () => join(directory.path, 'postmaster.pid');
  const write = (pid: number) => writeFileSync(lockFile(), `${pid}\n${directory.path}\n`);

  it('removes the lock file when its process id was reused, without signaling that process', async () => {
    write(process.pid);
    expect(findPostmaster(directory.path)).to.equal(undefined);
    await stopStalePostgres(directory.path);
    expect(existsSync(lockFile())).to.equal(false);
  });

  it('keeps the lock file of an exited process for the checks of PostgreSQL', async () => {
    write(2 ** 22 + 1);
    await stopStalePostgres(directory.path);
    expect(readFileSync(lockFile(), 'utf8')).to.include(String(2 ** 22 + 1));
  });
});
