import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writeSection } from './measurements-page.ts';
import type { Result } from './table.ts';

const SCENARIOS = ['me', 'list'];
const toMeasured = (commit: string, results: Result[]) => ({ environment: { commit }, results, tables: [] });
const toResult = (name: string, value: number): Result => ({
  name,
  unit: '×',
  target: { atMost: 0.5 },
  value,
  basis: 'a round',
});

describe('page of measurements', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'measurements-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('names the commit of each scenario and every missed target, and keeps nothing else', async () => {
    const file = join(folder, 'measurements.md');
    await writeFile(file, '# By hand\n\nFast.\n\n## removed\n\nOld.\n');
    writeSection(file, SCENARIOS, 'list', toMeasured('Commit 1', [toResult('users', 0.7)]));
    writeSection(file, SCENARIOS, 'me', toMeasured('Commit 2', [toResult('me', 0.4)]));
    const page = await readFile(file, 'utf8');
    expect(page.slice(page.indexOf('Missed targets')).split('\n')).to.deep.equal([
      'Missed targets:',
      '',
      '| work | figure | target | of |',
      '|---|---|---|---|',
      '| users | 0.70 × | ≤ 0.5 ×, **missed** | a round |',
      '',
      '## me',
      '',
      'Commit 2.',
      '',
      '| work | figure | target | of |',
      '|---|---|---|---|',
      '| me | 0.40 × | ≤ 0.5 × | a round |',
      '',
      '## list',
      '',
      'Commit 1.',
      '',
      '| work | figure | target | of |',
      '|---|---|---|---|',
      '| users | 0.70 × | ≤ 0.5 ×, **missed** | a round |',
      '',
    ]);
    expect(page).not.to.match(/By hand|Old/);

    writeSection(file, SCENARIOS, 'list', toMeasured('Commit 2', [toResult('users', 0.5)]));
    expect(await readFile(file, 'utf8')).to.include('All targets are met.');
  });
});
