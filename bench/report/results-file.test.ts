import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createReport } from './report.ts';
import { writeResults } from './results-file.ts';

describe('benchmark result files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-bench-'));
  after(() => rmSync(directory, { recursive: true }));

  const write = () => {
    const environment = { date: '2026-11-20T12:00:00.000Z' };
    return writeResults(directory, { environment, report: createReport(), heading: 'Benchmark' });
  };

  it('replaces the previous results and numbers the runs of a day, but keeps the records of scenarios', () => {
    for (const name of ['2026-11-19-7.md', '2026-11-20-2.md', 'cost-by-load.json'])
      writeFileSync(join(directory, name), '');
    expect(write()).to.equal(join(directory, '2026-11-20-3.md'));
    expect(readdirSync(directory)).to.have.members(['2026-11-20-3.md', 'cost-by-load.json']);
  });
});
