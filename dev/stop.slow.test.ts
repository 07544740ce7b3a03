import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { STACK_SECONDS } from '@platform/shared/async/patience';
import { waitFor } from '@platform/shared/testing/poll';
import { startProcess } from '@platform/shared/testing/process';
import { spawnStack, waitUntilReady } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { deleteDatabase } from './engines/orphaned-databases.ts';
import { runsAsRoot } from './engines/postgres-paths.ts';
import { findPostmaster } from './engines/stale-postgres.ts';
import { killStackProcesses, listStackProcesses } from './testing/stack-processes.ts';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

/** Runs a command of package.json on a data directory, without a terminal as standard input. */
const runOn = async (dataDir: string, script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
  const command = startProcess(['run.mjs', script, ...args], {
    environment: { ...process.env, DATABASE_URL: '', REDIS_URL: '', ...env, DATA_DIR: dataDir },
  });
  const { code } = await command.waitForExit(STACK_SECONDS);
  return { code, output: command.output() };
};
const stopOn = (dataDir: string) => runOn(dataDir, 'dev/stop.ts');
const resetOn = (dataDir: string, args = ['--yes'], env = {}) => runOn(dataDir, 'dev/reset.ts', args, env);

describe('npm run stop', () => {
  const directory = useTemporaryDirectory(killStackProcesses);

  it('says that no stack is running', async () => {
    const expected = { code: 0, output: `No stack is running on ${directory.path}.\n` };
    expect(await stopOn(directory.path)).to.deep.equal(expected);
    expect(readdirSync(directory.path)).to.deep.equal([]);
  });

  it('stops a stack that is starting', async () => {
    const stack = spawnStack(directory.path);
    await waitFor('something runs', () => existsSync(join(directory.path, 'logs', 'valkey.log')));
    const { code, output } = await stopOn(directory.path);
    expect(output).to.equal(`Stopped the stack on ${directory.path} (process ${stack.pid}).\n`);
    expect(code).to.equal(0);
    expect(await stack.waitForExit()).to.include({ code: 0, signal: null });
    expect(listStackProcesses(directory.path)).to.deep.equal([]);
  });

  it('stops a stack that is ready', async () => {
    const stack = spawnStack(directory.path);
    await waitUntilReady(directory.path, stack);
    expect((await stopOn(directory.path)).output).to.include(`(process ${stack.pid})`);
    expect(await stack.waitForExit()).to.include({ code: 0, signal: null });
    expect(listStackProcesses(directory.path)).to.deep.equal([]);
  });

  it('stops a PostgreSQL that is still running after all other processes were killed', async function () {
    if (process.platform !== 'linux') this.skip();
    const stack = spawnStack(directory.path);
    const { pids } = await waitUntilReady(directory.path, stack);
    for (const pid of Object.values({ ...pids, postgres: pids.stack })) process.kill(pid, 'SIGKILL');
    await stack.waitForExit();
    expect(findPostmaster(realpathSync(join(directory.path, 'postgres')))).to.equal(pids.postgres);
    const { code, output } = await stopOn(directory.path);
    expect(output).to.include('No stack is running').and.include('stopped the PostgreSQL');
    expect(code).to.equal(0);
    expect(listStackProcesses(directory.path)).to.deep.equal([]);
  });

  it('does not stop a process that has the id of a killed stack', async () => {
    const other = startProcess(['-e', 'setInterval(() => 0, 1000)'], { environment: process.env });
    writeFileSync(join(directory.path, 'stack.pid'), String(other.pid));
    expect((await stopOn(directory.path)).output).to.equal(`No stack is running on ${directory.path}.\n`);
    expect(other.hasExited()).to.equal(false);
    await other.stop();
  });
});

describe('npm run reset', () => {
  const directory = useTemporaryDirectory(killStackProcesses);

  it('deletes nothing without a confirmation', async () => {
    writeFileSync(join(directory.path, 'stack.lock'), '');
    writeFileSync(join(directory.path, 'secrets.json'), '{}');
    const { code, output } = await resetOn(directory.path, []);
    expect(code).to.equal(1);
    expect(output).to.include('npm run reset -- --yes');
    expect(readdirSync(directory.path)).to.have.members(['stack.lock', 'secrets.json']);
  });

  it('stops the stack and deletes its data, also after an interrupted start, and no other file', async () => {
    const stack = spawnStack(directory.path);
    await waitUntilReady(directory.path, stack);
    const cluster = realpathSync(join(directory.path, 'postgres'));
    for (const folder of ['postgres.new-123', 'pages']) mkdirSync(join(directory.path, folder));
    writeFileSync(join(directory.path, 'secrets.json.123.new'), '');
    writeFileSync(join(directory.path, 'notes.txt'), 'mine');
    const { code, output } = await resetOn(directory.path);
    // Other databases of this machine may be orphaned, which the last lines say.
    expect(output)
      .to.match(/^Stopped/)
      .and.include(
        `Stopped the stack on ${directory.path} (process ${stack.pid}).\nDeleted the data in ${directory.path}.\n` +
          `Kept in ${directory.path}, because no stack created it: notes.txt\n`,
      );
    expect(code).to.equal(0);
    expect(readdirSync(directory.path)).to.deep.equal(['notes.txt']);
    expect(existsSync(cluster)).to.equal(false);
    expect(listStackProcesses(directory.path)).to.deep.equal([]);
  });

  it('does not touch a folder that is not a data directory', async () => {
    mkdirSync(join(directory.path, 'logs'));
    const { code, output } = await resetOn(directory.path);
    expect(output.split('\n')[0]).to.equal(`There is no data of a stack in ${directory.path}.`);
    expect(code).to.equal(0);
    expect(readdirSync(directory.path)).to.include('logs');
  });

  it('keeps a database that the data directory only links to, and names external engines', async () => {
    const dataDir = join(directory.path, 'data');
    const cluster = join(directory.path, 'my-cluster');
    for (const path of [dataDir, cluster]) mkdirSync(path);
    writeFileSync(join(dataDir, 'stack.lock'), '');
    symlinkSync(cluster, join(dataDir, 'postgres'));
    const { output } = await resetOn(dataDir, ['--yes'], { DATABASE_URL: 'postgres://me@db.internal/shop' });
    expect(output).to.include(`Kept ${cluster}, to which`);
    expect(output).to.include('The data of the external DATABASE_URL is untouched.');
    expect(existsSync(cluster)).to.equal(true);
    expect(existsSync(dataDir)).to.equal(false);
  });

  it('lists the database of a deleted data folder, and deletes it only after a confirmation', async function () {
    if (!runsAsRoot()) this.skip(); // otherwise the database is in the data folder
    const dataDir = join(directory.path, 'deleted');
    const stack = spawnStack(dataDir);
    await waitUntilReady(dataDir, stack);
    const cluster = realpathSync(join(dataDir, 'postgres'));
    process.kill(stack.pid, 'SIGTERM');
    await stack.waitForExit();
    rmSync(dataDir, { recursive: true });
    const line = `${cluster} (of ${dataDir})`;
    expect((await resetOn(directory.path)).output)
      .to.include(line)
      .and.include('npm run reset -- --orphans');
    const { code, output } = await resetOn(directory.path, ['--orphans']);
    expect(output).to.include(line).and.include('npm run reset -- --orphans --yes');
    expect([code, existsSync(cluster)]).to.deep.equal([1, true]);
    const next = spawnStack(directory.path);
    await waitUntilReady(directory.path, next);
    await waitFor('the start lists the database', () => next.output().includes(line));
    process.kill(next.pid, 'SIGTERM');
    await next.waitForExit();
    deleteDatabase(cluster);
    expect((await resetOn(directory.path)).output).to.not.include(cluster);
  });
});
