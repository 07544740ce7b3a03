import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { removeData, type StackFile, spawnStack, waitUntilReady } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import pg from 'pg';
import { explainFullDisk, findFullDisk } from '../disk-space.ts';
import { StackError } from '../stack-error.ts';
import { killStackProcesses, listStackProcesses } from '../testing/stack-processes.ts';
import { useTemporaryDirectory } from '../testing/temporary-directory.ts';

const sentence = (directory: string) =>
  `The disk of ${directory} is full: free some space, or set DATA_DIR to a folder on another disk. ` +
  'The data of a new stack needs about 100 MB.';

describe('full disk', () => {
  const directory = useTemporaryDirectory();

  it('explains an error that says so, of Node, initdb or PostgreSQL', () => {
    for (const message of [
      'ENOSPC: no space left on device, write',
      'initdb: error: could not close file "pg_hba.conf": No space left on device',
      'could not extend file "base/16384/2691": wrote only 4096 of 8192 bytes. HINT: Check free disk space.',
      'EDQUOT: disk quota exceeded, mkdir',
    ])
      expect(explainFullDisk(new StackError(message), directory.path))
        .to.be.instanceOf(StackError)
        .with.property('message', sentence(directory.path));
  });

  it('explains an error whose code, hint, cause or inner error says so', () => {
    const initFile = 'could not write init file: No space left on device';
    const extension = 'could not extend file "base/16384/16702": wrote only 4096 of 8192 bytes at block 0';
    const hint = 'Check free disk space.';
    for (const error of [
      Object.assign(new Error(initFile), { code: '53100', severity: 'FATAL' }),
      Object.assign(new Error(extension), { code: '53100', hint }),
      Object.assign(new Error(extension), { hint }),
      new Error('Migration failed', { cause: Object.assign(new Error(extension), { code: '53100' }) }),
      new AggregateError([new Error('write EPIPE'), Object.assign(new Error('write'), { code: 'ENOSPC' })]),
    ])
      expect(explainFullDisk(error, directory.path))
        .to.be.instanceOf(StackError)
        .with.property('message', sentence(directory.path));
  });

  it('does not explain other errors', () => {
    for (const error of [
      new StackError('Port 3000 (GATEWAY_PORT) on 127.0.0.1 is in use.'),
      new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
      Object.assign(new Error('out of memory'), { code: '53200', hint: undefined }),
    ])
      expect(explainFullDisk(error, directory.path)).to.equal(error);
    expect(findFullDisk(directory.path)).to.equal(undefined);
    expect(findFullDisk(join(directory.path, 'not-created'))).to.equal(undefined);
  });
});

/** Only root mounts a small disk, in memory; elsewhere these tests skip themselves. */
describe('start on a full disk', function () {
  this.timeout(300_000);
  let disk: string;
  let dataDir: string;
  const directory = useTemporaryDirectory(async () => {
    await killStackProcesses(dataDir);
    spawnSync('umount', ['--lazy', disk]);
  });

  const mount = (size: string): boolean =>
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status === 0;
  const resize = (size: string) =>
    expect(spawnSync('mount', ['-o', `remount,size=${size}`, disk]).status).to.equal(0);
  const fill = () => {
    const { bfree, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bfree * bsize));
  };
  const free = () => rmSync(join(disk, 'filler'));
  const expectSentence = async () => {
    const stack = spawnStack(dataDir);
    expect(await stack.waitForExit(60)).to.include({ code: 1, signal: null });
    expect(stack.output().trim()).to.equal(sentence(dataDir));
    expect(listStackProcesses(dataDir)).to.deep.equal([]);
  };
  const stopped = async (stack: ReturnType<typeof spawnStack>) =>
    expect(await stack.stop(30)).to.include({ code: 0, signal: null });

  before(function () {
    disk = join(directory.path, 'disk');
    dataDir = join(disk, 'data');
    mkdirSync(disk);
    chmodSync(directory.path, 0o755);
    if (process.platform !== 'linux' || process.getuid?.() !== 0 || !mount('8k')) this.skip();
  });

  it('ends in one sentence, whatever the step, and the next start succeeds', async () => {
    // Secrets, configuration of the cluster, its first WAL segment, and the creation of the database.
    for (const size of ['8k', '64k', '10m', '40m']) {
      resize(size);
      await expectSentence();
    }
    // From an empty disk: PostgreSQL rejects every connection after the creation, or a migration fails.
    for (const size of ['41700k', '42100k', '42400k']) {
      await removeData(dataDir);
      resize(size);
      await expectSentence();
    }
    resize('100m');
    const stack = spawnStack(dataDir);
    await waitUntilReady(dataDir, stack);
    await stopped(stack);
  });

  it('ends in one sentence when the data exists, and keeps it', async () => {
    fill();
    await expectSentence();
    free();
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).to.equal(true);
  });

  it('causes a log line when the disk becomes full later, and processes restart once there is space', async () => {
    const stack = spawnStack(dataDir);
    const { databaseUrl }: StackFile = await waitUntilReady(dataDir, stack);
    fill();
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined); // PostgreSQL terminates the connection
    await client.connect();
    const filling = client.query(
      'create table filler as select repeat(n::text, 100) from generate_series(1, 1e7) n',
    );
    const rejected = await filling.then(
      () => false,
      () => true,
    );
    expect(rejected).to.equal(true);
    await client.end().catch(() => undefined);
    process.kill((await waitUntilReady(dataDir, stack)).pids.auth, 'SIGKILL');
    await waitFor('the reason is logged', () => stack.output().includes(sentence(dataDir)));
    free();
    await waitFor(
      'auth-service is ready again',
      () => stack.output().includes('auth-service is ready again'),
      60,
    );
    await stopped(stack);
  });
});
