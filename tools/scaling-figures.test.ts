import { expect } from 'chai';
import { renderScaling } from './scaling-figures.ts';

const RECORD = {
  command: 'npm run bench -- cost-by-load --record',
  date: '2026-11-21',
  environment: { machine: '2 cores of AMD EPYC', commit: '0f8c3f9e6f0d' },
  tables: [{ title: 'Cores by request rate', columns: ['requests/s', 'all'], rows: [['10', '0.078']] }],
};

describe('figures of docs/scaling.md', () => {
  const figures = renderScaling({ 'cost-by-load': RECORD });

  it('show a recorded table with date, commit, command and machine', () => {
    expect(figures['cores']?.split('\n')).to.deep.equal([
      '| requests/s | all |',
      '| --- | --- |',
      '| 10 | 0.078 |',
      '',
      '[Recorded](../bench/results/cost-by-load.json) on 2026-11-21 at 0f8c3f9e6f0d by `npm run bench -- cost-by-load --record`: 2 cores of AMD EPYC.',
    ]);
  });

  it('show "not recorded" without a record, and for a record that lacks the table', () => {
    expect(figures['searches']).to.equal('Not recorded: `npm run bench -- lists --record`.');
    expect(figures['idle cost']).to.equal('Not recorded: `npm run bench -- cost-by-load --record`.');
  });
});
