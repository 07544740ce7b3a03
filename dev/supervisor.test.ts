import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';
import { isAlive } from './process-identity.ts';
import { createProgress } from './progress.ts';
import { type ProcessPlan, type SupervisedProcess, superviseProcess } from './supervisor.ts';
import { useTemporaryDirectory } from './testing/temporary-directory.ts';

describe('process supervisor', () => {
  const directory = useTemporaryDirectory();
  let script: string;
  let ready: string;
  let logFile: string;
  let supervised: SupervisedProcess | undefined;
  let lines: string[] = [];
  const progress = createProgress(() => undefined);

  before(() => {
    script = join(directory.path, 'script.mjs');
    ready = join(directory.path, 'ready');
    logFile = join(directory.path, 'log');
  });

  const markReady = "import { writeFileSync } from 'node:fs'; writeFileSync('ready', '');";
  const keepRunning = 'setInterval(() => 0, 1000);';

  const supervise = (source: string, plan: Partial<ProcessPlan> = {}): SupervisedProcess => {
    writeFileSync(script, source);
    const command = { file: process.execPath, args: [script], env: {}, cwd: directory.path, logFile };
    const isReady = async () => existsSync(ready);
    supervised = superviseProcess(
      { name: 'it', command, isReady, stopSeconds: 5, ...plan },
      { log: (line) => lines.push(line), onRestarted: () => lines.push('restarted'), progress },
    );
    return supervised;
  };

  afterEach(async () => {
    supervised?.kill();
    await supervised?.stop();
    rmSync(ready, { force: true });
    lines = [];
  });

  it('fails with the end of the log if the process exits before it is ready', async () => {
    const { message } = await getRejection(
      supervise("console.log('no such file'); process.exit(3);").start(),
    );
    expect(message).to.include('it did not start (exit code 3)').and.include('no such file');
    expect(supervised?.pid()).to.equal(null);
  });

  it('kills a process that is not ready in time', async () => {
    const { message } = await getRejection(supervise(keepRunning, { startSeconds: 0.3 }).start());
    expect(message).to.include('it was not ready within 0.3 s');
    expect(supervised?.pid()).to.equal(null);
  });

  it('does not count the time in which a process waits for another one', async () => {
    const { promise: untilFinished, resolve: finish } = Promise.withResolvers<void>();
    const other = progress.run({ name: 'other' }, () => untilFinished);
    let checks = 0;
    const isReady = async () => {
      checks += 1;
      if (checks === 5) finish();
      return false;
    };
    const { message } = await getRejection(
      supervise(keepRunning, { isReady, startSeconds: 0, waitsFor: ['other'] }).start(),
    );
    expect(message).to.include('it was not ready within 0 s');
    expect(checks).to.be.above(4);
    await other;
  });

  it('fails if the program does not exist', async () => {
    const command = { file: '/no/such/program', args: [], env: {}, cwd: directory.path, logFile };
    expect((await getRejection(supervise('', { command }).start())).message).to.include('ENOENT');
  });

  it('restarts a process that exits unexpectedly, and logs it', async () => {
    const it = supervise(markReady + keepRunning);
    await it.start();
    const first = it.pid() ?? 0;
    rmSync(ready);
    process.kill(first, 'SIGKILL');
    await waitFor('the process is restarted', () => lines.includes('restarted'));
    expect(lines[0]).to.equal('it exited unexpectedly (signal SIGKILL); restarting it.');
    expect(it.pid()).to.be.a('number').and.not.equal(first);
  });

  it('kills a process that does not stop in time', async () => {
    const it = supervise(`process.on('SIGTERM', () => 0); ${markReady} ${keepRunning}`, { stopSeconds: 0.3 });
    await it.start();
    const pid = it.pid() ?? 0;
    await it.stop();
    expect(isAlive(pid)).to.equal(false);
    expect(lines).to.deep.equal([]);
  });

  it('does not restart a process after kill()', async () => {
    const it = supervise(markReady + keepRunning);
    await it.start();
    it.kill();
    await it.stop();
    expect(it.pid()).to.equal(null);
    expect(lines).to.deep.equal([]);
  });
});
