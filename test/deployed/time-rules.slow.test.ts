import { useTestBench } from '@platform/test-bench-server/testing/use-test-bench';
import { expect } from 'chai';
import type { Run } from './probe.ts';
import { runSections } from './run-sections.ts';
import { openTimeRules } from './time-rules.ts';

/** One of each kind of outcome. The tests of the test bench run all rules. */
const NAMES =
  /^(?:refresh token of a customer|invitation|notes about a user|access token at another service)\b/;

describe('check:deployed --test-bench', () => {
  const bench = useTestBench();

  it('has a line for each rule of time, and skips those that need another setting', async () => {
    const { section, close } = await openTimeRules(bench().stackFile);
    const all = Object.entries(Object.assign({}, ...section.checks()));
    const checks = Object.fromEntries(all.filter(([name]) => NAMES.test(name)));
    const lines: string[] = [];
    const memory = { excuse: () => undefined };
    const run = { memory, failures: new Map(), undos: new Map() } as unknown as Run;
    await runSections([{ title: section.title, checks: () => [checks as never] }], run, (text, mark) =>
      lines.push(`${mark ?? ''} ${text}`.trim()),
    );
    await close();
    expect(lines).to.have.members([
      'Rules of time',
      '✓ refresh token of a customer: two hours',
      '- access token at another service: an hour: needs SERVICES',
      '✓ invitation: 7 days',
      '✓ notes about a user: sixty an hour',
    ]);
  });
});
