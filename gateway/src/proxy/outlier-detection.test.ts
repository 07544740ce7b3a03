import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import {
  createInstanceHealth,
  endTrial,
  findBest,
  type InstanceHealth,
  isFailedResponse,
  recordResult,
  startTrial,
} from './outlier-detection.ts';

const START = 100_000;

const createInstances = (names: string) =>
  [...names].map((name) => ({ name, health: createInstanceHealth() }));
type Instance = ReturnType<typeof createInstances>[number];

const joinBest = (instances: readonly Instance[], now: number): string =>
  findBest(instances, now)
    .map(({ name }) => name)
    .join('');

/**
 * `A--+` records results of A: `-` is a failure, `+` a healthy response. Lower case stands for requests that
 * were sent before the start. `A?` sends a request, and `A!` ends it. `A~` makes A unready, and `A*` ready.
 * `@1000` continues 1,000 ms after the start.
 */
const play = (names: string, script: string) => {
  const instances = createInstances(names);
  let now = START;
  let ejectedFor = 0;
  const apply = (name: string, mark: string): void => {
    const { health } = instances.find((instance) => instance.name === name.toUpperCase()) ?? {};
    if (!health) throw new Error(`${name} is no instance`);
    const sentAt = name === name.toUpperCase() ? now : START - 1;
    const others = instances.map((instance) => instance.health).filter((other) => other !== health);
    if (mark === '?') startTrial(health);
    else if (mark === '!') endTrial(health, sentAt);
    else if (mark === '~' || mark === '*') health.isReady = mark === '*';
    else ejectedFor = recordResult(health, others, { isFailure: mark === '-', sentAt }, now);
  };
  for (const [name = '', ...marks] of script.split(' '))
    if (name === '@') now = START + Number(marks.join(''));
    else for (const mark of marks) apply(name, mark);
  return { best: joinBest(instances, now), ejectedFor };
};

describe('outlier detection', () => {
  const cases: [behaviour: string, names: string, script: string, best: string][] = [
    ['ejects an instance after five failures in a row', 'AB', 'A-----', 'B'],
    ['does not eject after four', 'AB', 'A----', 'AB'],
    ['counts only failures in a row', 'AB', 'A---- A+ A----', 'AB'],
    ['does not eject the only instance', 'A', 'A-----', 'A'],
    ['does not eject while the other one has just failed', 'AB', 'B- A------', 'AB'],
    ['ejects at the next failure after the other one has worked again', 'AB', 'B- A----- B+ A-', 'B'],
    ['does not eject while the other one is not ready', 'AB', 'B~ A----- B*', 'AB'],
    ['ejects none while all fail in turn', 'AB', 'A- B- A- B- A- B- A- B- A- B- A- B-', 'AB'],
    ['ejects one of three', 'ABC', 'A----- B-----', 'BC'],
    ['ejects two of four', 'ABCD', 'A----- B----- C-----', 'CD'],
    ['uses ejected instances when all fail', 'AB', 'A----- B-----', 'AB'],
    ['ejects again when the other one works again', 'AB', 'A----- B----- B+', 'B'],
    ['ends an ejection by a response while all fail', 'AB', 'A----- B---- @500 B- A+ B-', 'A'],
    ['does not extend an ejection before its end', 'AB', 'A----- B----- @500 B+ A- @1000', 'AB'],
    ['ejects for a second', 'AB', 'A----- @999', 'B'],
    ['lets a request try the instance afterwards', 'AB', 'A----- @1000', 'AB'],
    ['lets only one request try it', 'AB', 'A----- @1000 A?', 'B'],
    ['lets another one try it when the first ends without a result', 'AB', 'A----- @1000 A? A!', 'AB'],
    ['ends the ejection after a healthy response', 'AB', 'A----- @1000 A?+', 'AB'],
    ['ejects again after a failed trial', 'AB', 'A----- @1000 A?-! @2999', 'B'],
    ['counts from 0 after a healthy response', 'AB', 'A----- @1000 A?+! A----', 'AB'],
    ['ignores healthy responses to requests sent before the ejection', 'AB', 'A----- @1000 A? a+', 'B'],
    ['ignores failures of requests sent before the ejection', 'AB', 'A----- @1000 A?+! a-----', 'AB'],
    ['does not end a trial with a request sent before the ejection', 'AB', 'A----- @1000 A? a!', 'B'],
  ];
  for (const [behaviour, names, script, best] of cases)
    it(`${behaviour}: ${script}`, () => expect(play(names, script).best).to.equal(best));

  it('doubles the ejection with each failed trial, up to 30 s, and ends the doubling at a success', () => {
    let script = 'A-----';
    let time = 0;
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      expect(play('AB', script).ejectedFor, script).to.equal(seconds * 1_000);
      time += seconds * 1_000;
      script += ` @${time} A?-!`;
    }
    expect(play('AB', `A----- @1000 A?-! @3000 A?+! A-----`).ejectedFor).to.equal(1_000);
  });

  it('reports no ejection for requests that were sent before it', () => {
    for (const result of ['-', '+']) expect(play('AB', `A----- @500 a${result}`).ejectedFor).to.equal(0);
  });

  const responses: [statusCode: number, headers: IncomingHttpHeaders, isFailed: boolean][] = [
    ...[200, 404, 429, 501].map((status): (typeof responses)[number] => [status, {}, false]),
    ...[500, 502, 503, 504].map((status): (typeof responses)[number] => [status, {}, true]),
    [503, { 'retry-after': '1' }, false],
    [500, { 'retry-after': '1' }, true],
  ];
  for (const [statusCode, headers, isFailed] of responses)
    it(`counts ${statusCode} ${JSON.stringify(headers)} as ${isFailed ? 'a failure' : 'healthy'}`, () =>
      expect(isFailedResponse({ statusCode, headers })).to.equal(isFailed));
});

describe('selection by readiness', () => {
  const ready = {};
  const unready = { isReady: false };
  const ejected = { consecutiveFailures: 5, ejections: 1, ejectedUntil: START + 1 };
  const withoutRedis = { degraded: ['redis'] };
  const cases: [behaviour: string, instances: Partial<InstanceHealth>[], best: string][] = [
    ['prefers ready instances, even if it leaves less than half', [unready, unready, ready], 'C'],
    ['uses instances that are not ready when none is', [unready, unready], 'AB'],
    ['prefers an instance with a dependency that another one lacks', [withoutRedis, ready], 'B'],
    ['uses all when all lack the dependency', [withoutRedis, withoutRedis], 'AB'],
    [
      'prefers an instance that lacks only what all lack',
      [{ degraded: ['redis', 'mail'] }, withoutRedis],
      'B',
    ],
    ['uses all when each lacks another dependency', [withoutRedis, { degraded: ['mail'] }], 'AB'],
    [
      'prefers a ready instance that lacks a dependency to one that is not ready',
      [withoutRedis, unready],
      'A',
    ],
    ['prefers an instance that lacks a dependency to an ejected one', [withoutRedis, ejected], 'A'],
    ['prefers an ejected instance to one that is not ready', [unready, ejected], 'B'],
    ['uses an ejected instance last when none is ready', [unready, { ...unready, ...ejected }], 'A'],
  ];
  for (const [behaviour, healths, best] of cases)
    it(behaviour, () => {
      const instances = createInstances('ABC'.slice(0, healths.length));
      const changed = instances.map(({ name, health }, index) => ({
        name,
        health: { ...health, ...healths[index] },
      }));
      expect(joinBest(changed, START)).to.equal(best);
    });
});
