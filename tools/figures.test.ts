import { expect } from 'chai';
import { findNewest, renderFailover, renderResilience, renderSpeed, replaceBlock } from './figures.ts';

const RESULT = `# Benchmark

- commit: 0f8c3f9e6f0d
- machine: 2 cores of AMD EPYC

## Targets

| work | result | target |  | details |
| --- | --- | --- | --- | --- |
| me against nginx | 0.43 × | ≥ 0.65 × | NOT MET | 8,325/s against 19,216/s |
| refresh | 4.27 × | ≥ 4 × | met | 2,210/s \\| 517/s |
| sign-in | – | ≥ 0.9 × | not measured | no Directus |

## me

|  | requests/s | slowest | fastest |
| --- | --- | --- | --- |
| gateway | 8,325 | 7,801 | 8,379 |
`;

const RECORD = {
  suite: 'races',
  command: 'npm run test:resilience -- races',
  program: 'test/resilience/races.ts',
  cases: '0123456789abcdef',
  date: '2026-11-20',
  commit: '0f8c3f9e6f0d',
  cores: 2,
  passed: 8,
  failed: 0,
  skipped: 0,
  values: { races: 8, roundsPerRace: 1600, violations: 0 },
};

describe('figures of the documents', () => {
  it('show each target with its verdict, and mark those that are not met', () => {
    expect(renderSpeed('2026-11-20-3.md', RESULT).split('\n')).to.deep.equal([
      '[2026-11-20-3](bench/results/2026-11-20-3.md) at 0f8c3f9e6f0d, 2 cores of AMD EPYC: 1 of 3 targets met.',
      '',
      '| work | result | target |  |',
      '| --- | --- | --- | --- |',
      '| me against nginx | 0.43 × | ≥ 0.65 × | **not met** |',
      '| refresh | 4.27 × | ≥ 4 × | met |',
      '| sign-in | – | ≥ 0.9 × | not measured |',
    ]);
  });

  it('append the targets of the memory, which a complete run leaves out, with their commit', () => {
    const memory = {
      ...{ command: 'npm run bench -- memory --record', date: '2026-11-20', tables: [] },
      environment: { commit: '30f7d87f2f24' },
      targets: [['memory', '151 MB', '≤ 150 MB', 'NOT MET', 'gateway 120, auth-service 151']],
    };
    const lines = renderSpeed('2026-11-20-3.md', RESULT, memory).split('\n');
    expect(lines[0]).to.match(/; \[memory\]\(\S+\) at 30f7d87f2f24: 1 of 4 targets met\.$/);
    expect(lines.at(-1)).to.equal('| memory | 151 MB | ≤ 150 MB | **not met** |');
  });

  it('reject a benchmark result without targets', () => {
    expect(() => renderSpeed('a.md', '# Benchmark')).to.throw('a.md has no target table');
  });

  it('use the newest benchmark result', () => {
    const names = ['2026-11-20-9.md', '2026-11-20-10.md', '2026-11-19-1.md', '2026-11-20-11.json'];
    expect(findNewest(names)).to.equal('2026-11-20-10.md');
    expect(findNewest([])).to.equal(undefined);
  });

  it('show the values of recorded suites with their commit, and "not recorded" for the others', () => {
    const lines = renderResilience([RECORD]).split('\n');
    expect(lines).to.include(
      '| concurrent requests that exclude each other | 8 races, 1,600 rounds each: 0 violations | races |',
    );
    expect(lines.filter((line) => line.includes('| not recorded |'))).to.have.length(8);
    expect(lines.at(-1)).to.equal(
      'Recorded: `npm run test:resilience -- races` on 2026-11-20 at 0f8c3f9e6f0d, 2 cores.',
    );
  });

  it('show the faults of the engines in a table of their own', () => {
    const counts = { Requests: 1_500, FailedRequests: 9, AcknowledgedWrites: 700, LostWrites: 0 };
    const values = { ...counts, DueMails: 80, LostMails: 0, DuplicateMails: 3, RecoverySeconds: 1.23 };
    const names = ['postgresKill', 'postgresFreeze', 'postgresSwitchover', 'standbyGone', 'redisKill'].concat(
      ['redisFreeze', 'redisSwitchover', 'pgbouncerKill', 'pgbouncerFreeze', 'pgbouncerSwitchover'],
    );
    const recorded = names.flatMap((name) =>
      Object.entries(values).map(([value, number]) => [name + value, number] as const),
    );
    const record = { ...RECORD, suite: 'failover', values: Object.fromEntries(recorded) };
    expect(renderFailover([RECORD, record]).split('\n')).to.include(
      '| `kill -9` of the PostgreSQL primary, from the promotion | 1.2 s | 9 of 1,500 | 0 of 700 | 0 of 80 | 3 |',
    );
    expect(renderFailover([RECORD])).to.match(/^Not recorded: /);
  });

  it('reject a record without a value that a page shows', () => {
    const incomplete = { ...RECORD, values: { races: 8 } };
    expect(() => renderResilience([incomplete])).to.throw('races.json has no value roundsPerRace');
  });

  it('replace only the block between its markers', () => {
    const page = 'a\n<!-- figures: speed -->\nold\n<!-- /figures -->\nb <!-- /figures -->';
    expect(replaceBlock(page, 'speed', '$1 new')).to.equal(
      'a\n<!-- figures: speed -->\n$1 new\n<!-- /figures -->\nb <!-- /figures -->',
    );
    expect(() => replaceBlock(page, 'resilience', '')).to.throw('figures: resilience');
  });
});
