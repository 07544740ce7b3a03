import { expect } from 'chai';
import { renderScaling } from './scaling-figures.ts';

const RECORD = {
  command: 'npm run bench -- account-creation --record',
  date: '2026-11-21',
  environment: {
    machine: '2 cores of AMD EPYC',
    postgres: '18.4',
    'load before it began': '0.10, 0.20, 0.30',
  },
  tables: [
    {
      title: 'Account creation by commit latency',
      columns: ['delay', 'per second'],
      rows: [['20', '640']],
    },
  ],
};

describe('figures of docs/scaling.md', () => {
  it('show a recorded table with date, command and machine', () => {
    expect(renderScaling({ 'account-creation': RECORD })['account creation']?.split('\n')).to.deep.equal([
      '[Recorded](../bench/results/account-creation.json) on 2026-11-21 by `npm run bench -- account-creation --record`: 2 cores of AMD EPYC, PostgreSQL 18.4, load averages before it 0.10, 0.20, 0.30.',
      '',
      '| delay | per second |',
      '| --- | --- |',
      '| 20 | 640 |',
    ]);
  });

  it('are "not recorded" without a record', () => {
    expect(renderScaling({})['idle cost']).to.equal(
      'Not recorded: `npm run bench -- cost-by-load --record`.',
    );
  });

  it('reject a record without the table', () => {
    expect(() => renderScaling({ 'cost-by-load': RECORD })).to.throw(
      'cost-by-load.json has no table "Processor time of a request by load"',
    );
  });
});
