import { expect } from 'chai';
import { findNewest, renderFailover, renderResilience, renderSpeed, replaceBlock } from './figures.ts';

const RESULT = `# Benchmark

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
  date: '2026-11-20',
  cores: 2,
  passed: 8,
  failed: 0,
  skipped: 0,
  values: { races: 8, roundsPerRace: 1600, violations: 0 },
};

describe('figures of README.md', () => {
  it('shows each target with its verdict, and marks those that are not met', () => {
    expect(renderSpeed('2026-11-20-3.md', RESULT).split('\n')).to.deep.equal([
      '[2026-11-20-3](bench/results/2026-11-20-3.md), 2 cores of AMD EPYC: 1 of 3 targets met.',
      '',
      '| work | result | target |  |',
      '| --- | --- | --- | --- |',
      '| me against nginx | 0.43 × | ≥ 0.65 × | **not met** |',
      '| refresh | 4.27 × | ≥ 4 × | met |',
      '| sign-in | – | ≥ 0.9 × | not measured |',
    ]);
  });

  it('appends the recorded targets of a scenario that a complete run leaves out', () => {
    const recorded = [['memory', '151 MB', '≤ 150 MB', 'NOT MET', 'gateway 120, auth-service 151']];
    const lines = renderSpeed('2026-11-20-3.md', RESULT, recorded).split('\n');
    expect(lines[0]).to.include('1 of 4 targets met');
    expect(lines.at(-1)).to.equal('| memory | 151 MB | ≤ 150 MB | **not met** |');
  });

  it('rejects a benchmark result without targets', () => {
    expect(() => renderSpeed('a.md', '# Benchmark')).to.throw('a.md has no target table');
  });

  it('uses the newest benchmark result', () => {
    const names = [
      '2026-11-20-9.md',
      '2026-11-20-10.md',
      '2026-11-19-1.md',
      '2026-11-20-11.json',
      'speed.svg',
    ];
    expect(findNewest(names)).to.equal('2026-11-20-10.md');
    expect(findNewest([])).to.equal(undefined);
  });

  it('shows the values of recorded suites, and "not recorded" for the others', () => {
    const lines = renderResilience([RECORD]).split('\n');
    expect(lines[0]).to.equal('Recorded: 2026-11-20, 2 cores.');
    expect(lines).to.include(
      '| concurrent requests that exclude each other | 8 races, 1,600 rounds each: 0 violations | `npm run test:resilience -- races` |',
    );
    expect(lines.filter((line) => line.includes('| not recorded |'))).to.have.length(8);
  });

  it('shows the faults of the engines in a table of their own', () => {
    const counts = { Requests: 1_500, FailedRequests: 9, AcknowledgedWrites: 700, LostWrites: 0 };
    const values = { ...counts, DueMails: 80, LostMails: 0, DuplicateMails: 3, RecoverySeconds: 1.23 };
    const names = ['postgresKill', 'postgresFreeze', 'postgresSwitchover', 'standbyGone', 'redisKill'].concat(
      ['redisFreeze', 'redisSwitchover', 'pgbouncerKill', 'pgbouncerFreeze', 'pgbouncerSwitchover'],
    );
    const recorded = names.flatMap((name) =>
      Object.entries(values).map(([value, number]) => [name + value, number] as const),
    );
    const record = { ...RECORD, suite: 'failover', values: Object.fromEntries(recorded) };
    const lines = renderFailover([RECORD, record]).split('\n');
    expect(lines).to.include(
      '| `kill -9` of the PostgreSQL primary | last failure 1.2 s after promotion; 9 of 1,500 requests failed; 0 of 700 acknowledged writes lost; 0 of 80 mails lost, 3 sent twice | `npm run test:failover -- postgres-kill` |',
    );
    expect(renderFailover([RECORD])).to.match(/^Recorded: nothing\./);
  });

  it('rejects a record without a value that the README shows', () => {
    const incomplete = { ...RECORD, values: { races: 8 } };
    expect(() => renderResilience([incomplete])).to.throw('races.json has no value roundsPerRace');
  });

  it('replaces only the block between its markers', () => {
    const page = 'a\n<!-- figures: speed -->\nold\n<!-- /figures -->\nb <!-- /figures -->';
    expect(replaceBlock(page, 'speed', '$1 new')).to.equal(
      'a\n<!-- figures: speed -->\n$1 new\n<!-- /figures -->\nb <!-- /figures -->',
    );
    expect(() => replaceBlock(page, 'resilience', '')).to.throw('figures: resilience');
  });
});
