import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { parseStat, readProcessorSeconds } from './processor-time.ts';

const BURN = 'const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);';

describe('processor time of a process', () => {
  it('reads the parent, the ticks and those of reaped children of a process with brackets in its name', () => {
    const stat = '4242 (postgres: (a) b) S 17 4242 4242 0 -1 4194560 913 0 0 0 250 50 9 8 20 0 1 0 100';
    expect(parseStat(stat)).to.deep.equal({ parent: 17, ticks: 300, reapedTicks: 17 });
  });

  it('counts threads that have exited', async function () {
    if (process.platform !== 'linux') return this.skip();
    const before = readProcessorSeconds(process.pid);
    await once(new Worker(BURN, { eval: true }), 'exit');
    expect(readProcessorSeconds(process.pid) - before).to.be.at.least(0.2);
  });

  it('counts children that run and children that have exited', async function () {
    if (process.platform !== 'linux') return this.skip();
    const before = readProcessorSeconds(process.pid);
    spawnSync(process.execPath, ['-e', BURN]);
    const exited = readProcessorSeconds(process.pid) - before;
    expect(exited).to.be.at.least(0.2);
    const child = spawn(process.execPath, [
      '-e',
      `${BURN} console.log('done'); setInterval(() => undefined, 1_000);`,
    ]);
    try {
      await once(child.stdout, 'data');
      expect(readProcessorSeconds(process.pid) - before - exited).to.be.at.least(0.2);
    } finally {
      child.kill();
    }
  });
});
