import { STACK_SECONDS } from '@platform/shared/async/patience';
import { startProcess } from '@platform/shared/testing/process';
import { expect } from 'chai';
import { useServices } from '../../testing/services.ts';
import { createClockVariables } from './moved-clock.ts';
import { createWorld, findOutcomes, type Outcomes } from './rule.ts';
import { RULES } from './rules.ts';

/** The lines of run-rules-by-clock.ts: one for each rule, and one with the clocks. */
const runByClock = async (variables: Record<string, string>): Promise<Record<string, string | number>[]> => {
  const environment = { ...process.env, ...variables };
  const running = startProcess(['test-bench/test/rules/run-rules-by-clock.ts'], { environment });
  const { code } = await running.waitForExit(STACK_SECONDS);
  expect(code, running.output()).to.equal(0);
  const lines = running.output().split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
};

describe('rule of time of an account', () => {
  const services = useServices();
  const byAge = new Map<string, Outcomes>();

  for (const rule of RULES)
    it(rule.name, async () => {
      const { name, before, after } = rule;
      const outcomes = await findOutcomes(rule, createWorld(services()));
      byAge.set(name, outcomes);
      expect(outcomes).to.deep.equal({ before, after });
    });

  it('has the same responses with the clock of everything moved', async function () {
    const variables = await createClockVariables();
    if (variables === undefined) return this.skip();
    const lines = await runByClock(variables);
    const { moved, ...clocks } = lines.pop() ?? {};
    const table = lines.map(({ name, ...byClock }) => {
      const { before, after } = byAge.get(String(name)) ?? {};
      const { before: clockBefore, after: clockAfter } = byClock;
      return { name, before, after, 'before, by clock': clockBefore, 'after, by clock': clockAfter };
    });
    console.table(table);
    for (const [name, ahead] of Object.entries(clocks)) expect(ahead, name).to.be.closeTo(Number(moved), 2);
    expect(lines).to.deep.equal(RULES.map(({ name, before, after }) => ({ name, before, after })));
    return undefined;
  });
});
