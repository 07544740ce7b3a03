import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { findAccount } from './postgres-account.ts';
import { findPostmaster, stopLeftoverPostgres } from './stale-postgres.ts';
import { openOutsideHome } from './system-data-dir.ts';

describe('The account PostgreSQL runs as for root', () => {
  const nobody = 'nobody:x:65534:65533:nobody:/:/usr/sbin/nologin';
  const root = 'root:x:0:0:root:/root:/bin/bash';

  it('When there is an account postgres, then it is that one', () => {
    const passwd = [root, nobody, 'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash', ''].join(
      '\n',
    );
    expect(findAccount(passwd)).to.deep.equal({ name: 'postgres', uid: 101, gid: 104 });
  });

  it('When there is none, then it is nobody; and never root under that name', () => {
    expect(findAccount([root, nobody].join('\n'))).to.deep.equal({ name: 'nobody', uid: 65534, gid: 65533 });
    expect(findAccount(['postgres:x:0:0::/:/bin/sh', nobody].join('\n'))).to.include({ name: 'nobody' });
    expect(findAccount(root)).to.equal(undefined);
  });
});

describe('The directory of root for what must lie outside', () => {
  const directory = useTemporaryDirectory();
  const parent = (name: string) => {
    mkdirSync(join(directory.path, name));
    return join(directory.path, name);
  };

  it('When it is opened twice, then it is the same, in the first place that can be written', () => {
    const place = parent('plain');
    const home = openOutsideHome([join(directory.path, 'missing'), place]);
    expect(home).to.equal(join(place, 'marketplace-platform'));
    expect(openOutsideHome([place])).to.equal(home);
  });

  it('When somebody has put a link there, then it is not used', () => {
    const place = parent('linked');
    symlinkSync(parent('elsewhere'), join(place, 'marketplace-platform'));
    expect(() => openOutsideHome([place])).to.throw(/Remove it/);
  });

  it('When others can write it, then it is not used', () => {
    const place = parent('open');
    mkdirSync(join(place, 'marketplace-platform'));
    chmodSync(join(place, 'marketplace-platform'), 0o777);
    expect(() => openOutsideHome([place])).to.throw(/Remove it/);
  });
});

describe('What a killed PostgreSQL leaves behind', () => {
  const directory = useTemporaryDirectory();
  const lockFile = () => join(directory.path, 'postmaster.pid');
  const write = (pid: number) => writeFileSync(lockFile(), `${pid}\n${directory.path}\n`);

  it('When its process id is another process now, then that one is left alone, and the lock file goes', async () => {
    write(process.pid);
    expect(findPostmaster(directory.path)).to.equal(undefined);
    await stopLeftoverPostgres(directory.path);
    expect(existsSync(lockFile())).to.equal(false);
  });

  it('When its process id is nobody, then the lock file is left to PostgreSQL, which checks the memory, too', async () => {
    write(2 ** 22 + 1);
    await stopLeftoverPostgres(directory.path);
    expect(readFileSync(lockFile(), 'utf8')).to.include(String(2 ** 22 + 1));
  });

  it('When there is nothing, then nothing is done', async () => {
    await stopLeftoverPostgres(join(directory.path, 'absent'));
  });
});
