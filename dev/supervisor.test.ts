import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { isAlive } from './process-identity.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from './supervisor.ts';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

describe('A supervised process', () => {
  const directory = useTemporaryDirectory();
  let script: string;
  let ready: string;
  let logFile: string;
  let supervised: SupervisedProcess | undefined;
  let said: string[] = [];

  before(() => {
    script = join(directory.path, 'script.mjs');
    ready = join(directory.path, 'ready');
    logFile = join(directory.path, 'log');
  });

  const markReady = "import { writeFileSync } from 'node:fs'; writeFileSync('ready', '');";
  const stay = 'setInterval(() => 0, 1000);';

  const supervise = (source: string, plan: Partial<ProcessPlan> = {}): SupervisedProcess => {
    writeFileSync(script, source);
    const command = { file: process.execPath, args: [script], env: {}, cwd: directory.path, logFile };
    const isReady = async () => existsSync(ready);
    supervised = superviseProcess(
      { name: 'it', command, isReady, stopSeconds: 5, ...plan },
      { say: (line) => said.push(line), onRestarted: () => said.push('restarted') },
    );
    return supervised;
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => 'it started',
      (error: Error) => error.message,
    );

  afterEach(async () => {
    supervised?.kill();
    await supervised?.stop();
    rmSync(ready, { force: true });
    said = [];
  });

  it('When it ends before it is ready, then the start fails with the end of its log, and it is not tried again', async () => {
    const message = await failure(supervise("console.log('no such file'); process.exit(3);").start());
    expect(message).to.include('it did not start (exit code 3)').and.include('no such file');
    expect(supervised?.pid()).to.equal(null);
  });

  it('When it is not ready in time, then it is killed, and the start fails', async () => {
    const message = await failure(supervise(stay, { startSeconds: 0.3 }).start());
    expect(message).to.include('it was not ready within 0.3 s');
    expect(supervised?.pid()).to.equal(null);
  });

  it('When its program does not exist, then the start fails and says so', async () => {
    const command = { file: '/no/such/program', args: [], env: {}, cwd: directory.path, logFile };
    expect(await failure(supervise('', { command }).start())).to.include('ENOENT');
  });

  it('When it dies, then it is started again, and that is told', async () => {
    const it = supervise(markReady + stay);
    await it.start();
    const first = it.pid() ?? 0;
    rmSync(ready);
    process.kill(first, 'SIGKILL');
    await waitFor('it is back', () => said.includes('restarted'));
    expect(said[0]).to.equal('it ended unexpectedly (ended by SIGKILL); starting it again.');
    expect(it.pid()).to.be.a('number').and.not.equal(first);
  }).timeout(10_000);

  it('When it cannot come back, then it is tried on, told once, until it can', async () => {
    const it = supervise(markReady + stay);
    await it.start();
    rmSync(ready);
    writeFileSync(script, "console.log('broken'); process.exit(1);");
    process.kill(it.pid() ?? 0, 'SIGKILL');
    const failures = () => readFileSync(logFile, 'utf8').split('broken').length - 1;
    await waitFor('it failed twice', () => failures() >= 2);
    writeFileSync(script, markReady + stay);
    await waitFor('it is back', () => said.includes('restarted'));
    expect(said.filter((line) => line.includes('trying on'))).to.have.length(1);
  }).timeout(15_000);

  it('When it does not heed the stop, then it is killed after its time', async () => {
    const it = supervise(`process.on('SIGTERM', () => 0); ${markReady} ${stay}`, { stopSeconds: 0.3 });
    await it.start();
    const pid = it.pid() ?? 0;
    await it.stop();
    expect(isAlive(pid)).to.equal(false);
    expect(said).to.deep.equal([]);
  });

  it('When it is stopped while it is down, then it stays down', async () => {
    const it = supervise(markReady + stay);
    await it.start();
    process.kill(it.pid() ?? 0, 'SIGKILL');
    await waitFor('its end was noticed', () => said.length > 0);
    await it.stop();
    expect(it.pid()).to.equal(null);
    expect(said).to.have.length(1);
  });

  it('When it is killed by its owner, then it is not started again', async () => {
    const it = supervise(markReady + stay);
    await it.start();
    it.kill();
    await it.stop();
    expect(it.pid()).to.equal(null);
    expect(said).to.deep.equal([]);
  });
});
