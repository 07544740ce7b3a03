import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const TESTS = resolve(import.meta.dirname, '../deploy/prometheus/tests');

const run = (args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', timeout: 300_000 });
  return { status, output: stdout + stderr };
};

// promtool evaluates every rule for each minute of more than a day.
describe('alert rules over time', () => {
  before('skip without promtool', function () {
    if (run(['--version']).status !== 0) this.skip();
  });

  for (const name of readdirSync(TESTS))
    it(`fire and are silent as expected: ${name}`, () => {
      const { status, output } = run(['test', 'rules', join(TESTS, name)]);
      expect(status, output).to.equal(0);
      expect(output).to.include('SUCCESS');
    });
});
