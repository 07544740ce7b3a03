import { startProcess } from '@platform/shared/testing/process';
import { expect } from 'chai';

const SUITE = new URL('../testing/suite.ts', import.meta.url).href;

/** A suite whose `run` has this body, as a program. */
const runSuite = async (body: string) => {
  const script = `
    import { runSuite } from '${SUITE}';
    await runSuite({ name: 'x', timeoutSeconds: 60, run: async (report) => { ${body} } });`;
  const running = startProcess(['--input-type=module', '-e', script], { environment: process.env });
  const { code } = await running.waitForExit();
  return { code, output: running.output() };
};

describe('Suite', () => {
  it('counts a missed time limit as slow, not as failed, and names the load of the machine', async () => {
    const { code, output } = await runSuite(`report.check(true, 'ok'); report.timeLimit(false, '3 s');`);
    expect(output).to.match(/^✗ slow: 3 s \(load [\d.]+, \d+ cores\)$/m);
    expect(output).to.match(/\n1 passed, 0 failed, 1 slow, 0 skipped\n$/);
    expect(code).to.equal(1);
  });

  it('passes when every time limit is met', async () => {
    const { code, output } = await runSuite(`report.timeLimit(true, '3 s');`);
    expect(output)
      .to.contain('✓ 3 s\n')
      .and.to.match(/\n1 passed, 0 failed, 0 skipped\n$/);
    expect(code).to.equal(0);
  });
});
