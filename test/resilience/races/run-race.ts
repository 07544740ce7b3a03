import { formatStatus } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import type { Race } from './fixture.ts';

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 200);
/** A command takes seconds to start on a busy machine. */
const ROUND_TIMEOUT_MILLISECONDS = 10_000;
export const RACE_MILLISECONDS = ROUNDS * ROUND_TIMEOUT_MILLISECONDS;
const MAX_SHOWN = 5;

/** Prints the number of each result. @throws AssertionError with the violated invariants */
export const runRace = async ({ run }: Race): Promise<void> => {
  const violations: string[] = [];
  const counts = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const results = await run((holds, invariant, actual) => {
      if (!holds) violations.push(`round ${round}: ${invariant}, but ${actual}`);
    }, round);
    for (const each of results) {
      const result = typeof each === 'string' ? each : formatStatus(each);
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
  }
  expect(violations.slice(0, MAX_SHOWN), `${violations.length} violations`).to.deep.equal([]);
  console.log(
    `      ${[...counts]
      .sort()
      .map(([result, count]) => `${count} × ${result}`)
      .join(', ')}`,
  );
};
