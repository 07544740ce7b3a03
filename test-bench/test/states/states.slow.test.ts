import { loadOperations } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import { uniqueLabel, useTestBench } from '../../testing/use-test-bench.ts';
import { makeByBench, makeByHand, type Wanted } from './by-hand.ts';
import { createSnapshots } from './snapshot.ts';

const PEOPLE: readonly Wanted[] = [
  { kind: 'customer' },
  { kind: 'ADMIN' },
  { with: ['app'] },
  { with: ['passkey'] },
  { with: ['stay'] },
  { is: 'unverified' },
  { is: 'blocked' },
  { is: 'paused' },
  { is: 'deleted' },
  { is: 'invited', kind: 'OPERATOR' },
  { is: 'provider-only' },
  { is: 'role-removed', kind: 'ARBITER' },
  { is: 'last-team-administrator', kind: 'employee' },
];

/** The lines of one list in which the other one has another line, beside those. */
const differences = (one: readonly string[], other: readonly string[]): (string | undefined)[][] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) => [one[index], other[index]]).filter(
    ([left, right]) => left !== right,
  );

describe('a person made by the test bench, and one made by hand', () => {
  const bench = useTestBench();

  for (const wanted of PEOPLE)
    it(`have the same rows, records, events, mails and answers: ${Object.values(wanted).flat().join(', ')}`, async () => {
      const take = createSnapshots(bench(), await loadOperations());
      const byBench = await take(await makeByBench(bench(), uniqueLabel(), wanted));
      const byHand = await take(await makeByHand(bench(), uniqueLabel(), wanted));
      for (const part of ['rows', 'records', 'events', 'mails', 'answers'] as const)
        expect(differences(byBench[part], byHand[part]), part).to.deep.equal([]);
    }).timeout(120_000);
});
