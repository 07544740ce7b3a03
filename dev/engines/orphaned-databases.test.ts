import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeData } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';
import { deleteDatabase, listOrphanedDatabases, recordDataDir } from './orphaned-databases.ts';
import { openSystemDataDir } from './postgres-paths.ts';

describe('orphaned databases', () => {
  const directory = useTemporaryDirectory();
  const list = () => listOrphanedDatabases([directory.path]);

  /** Creates a database in the system data directory, and a data directory that links to it. */
  const create = (name: string) => {
    const dataDir = join(directory.path, name);
    const clusterDir = join(openSystemDataDir([directory.path]), `postgres-data-${name}`);
    for (const path of [dataDir, clusterDir]) mkdirSync(path);
    writeFileSync(join(clusterDir, 'PG_VERSION'), '18');
    symlinkSync(clusterDir, join(dataDir, 'postgres'));
    recordDataDir(clusterDir, dataDir, [directory.path]);
    return { dataDir, clusterDir };
  };

  it('are those whose data directory was deleted or links to another database', () => {
    const [used, deleted, replaced] = [create('used'), create('deleted'), create('replaced')];
    expect(list()).to.deep.equal([]);
    rmSync(deleted.dataDir, { recursive: true });
    rmSync(join(replaced.dataDir, 'postgres'));
    symlinkSync(used.clusterDir, join(replaced.dataDir, 'postgres'));
    expect(list()).to.deep.equal([
      { ...deleted, pid: undefined },
      { ...replaced, pid: undefined },
    ]);
  });

  it('are not those whose data directory was moved and used again', () => {
    const moved = create('moved');
    const before = list();
    recordDataDir(moved.clusterDir, join(directory.path, 'elsewhere'), [directory.path]);
    expect(list()).to.have.length(before.length + 1);
    recordDataDir(moved.clusterDir, moved.dataDir, [directory.path]);
    expect(list()).to.deep.equal(before);
  });

  it('are deleted with the remains of an interrupted start', () => {
    const { clusterDir, dataDir } = create('unfinished');
    mkdirSync(`${clusterDir}.new-123`);
    rmSync(dataDir, { recursive: true });
    deleteDatabase(clusterDir);
    const folder = openSystemDataDir([directory.path]);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).to.deep.equal([]);
    expect(list().map((orphan) => orphan.clusterDir)).to.not.include(clusterDir);
  });

  it('are not left by tests, also in nested folders', async () => {
    const { clusterDir } = create('left');
    const run = join(directory.path, 'run');
    mkdirSync(join(run, 'data'), { recursive: true });
    symlinkSync(clusterDir, join(run, 'data', 'postgres'));
    await removeData(run);
    expect([clusterDir, `${clusterDir}.data-dir`, run].filter(existsSync)).to.deep.equal([]);
  });

  it('have no record for a database inside of its data directory', () => {
    const clusterDir = join(directory.path, 'postgres');
    recordDataDir(clusterDir, directory.path, [directory.path]);
    expect(existsSync(`${clusterDir}.data-dir`)).to.equal(false);
  });
});
