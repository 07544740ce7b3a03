// `npm run test:resilience` runs every suite; `npm run test:resilience -- races shutdown` only these, `-- floods slow-readers`
// the floods of such a name.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { formatCounts, type SuiteCounts } from '@platform/shared/testing/suite';

const MAIL_FAILURES = 'test/resilience/outages/mail-failures.test.ts';
const MOCHA = [
  ...['node_modules/mocha/bin/mocha.js', '--no-config', '--extension', 'ts', '--fail-zero', '--exit'],
  ...['--require', './shared/testing/fixtures.ts', '--reporter', './shared/testing/closing-line-reporter.ts'],
];

const WORKSPACES = 'shared,auth-service,mailer-worker,dev,test';

type SuiteProgram = { args: string[]; environment?: Record<string, string> };

const SUITES: Record<string, SuiteProgram> = {
  races: { args: ['test/resilience/races.ts'] },
  crashes: { args: ['test/resilience/crashes.ts'] },
  shutdown: { args: ['test/resilience/shutdown.ts'] },
  routing: { args: ['test/resilience/routing.ts'] },
  floods: { args: ['test/resilience/floods.ts'] },
  'provider-outages': { args: ['test/resilience/provider-outages.ts'] },
  'mail-backlog': { args: ['test/resilience/mail-backlog.ts'] },
  'valkey-pods': { args: [...MOCHA, 'test/resilience/valkey-pods/valkey-pods.test.ts'] },
  // The tests that wait for timeouts of engines and processes, in the `outages` folder of each workspace.
  outages: {
    args: [...MOCHA, '--parallel', '--timeout', '120000', `{${WORKSPACES}}/**/outages/*.test.ts`],
  },
  // One of them, with the mail server down for a minute.
  'smtp-outage': {
    args: [...MOCHA, MAIL_FAILURES],
    environment: { MAIL_FAULT_SECONDS: '60' },
  },
};

const CLOSING_LINE = /^(\d+) passed, (\d+) failed, (?:(\d+) slow, )?(\d+) skipped$/;

/** Runs a suite in its own process, so that no state of the suite before remains. */
const runProgram = async ({ args, environment }: SuiteProgram): Promise<Required<SuiteCounts>> => {
  const child = spawn(process.execPath, args, {
    cwd: new URL('../..', import.meta.url),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let counts: Required<SuiteCounts> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const [found, passed, failed, slow = 0, skipped] = CLOSING_LINE.exec(line) ?? [];
    if (found)
      counts = {
        ...{ passed: Number(passed), failed: Number(failed) },
        ...{ slow: Number(slow), skipped: Number(skipped) },
      };
    else console.log(line);
  }
  await exited;
  // A suite that fails without a failed check has crashed.
  if (!counts || (child.exitCode !== 0 && counts.failed + counts.slow === 0))
    return { passed: 0, failed: 1, slow: 0, skipped: 0 };
  return counts;
};

const named = process.argv.slice(2);
const selected = named.filter((name) => name in SUITES);
const unknown = named.filter((name) => !(name in SUITES));
// Words after one of these suites select its cases.
if (/^(?:floods|routing)$/.test(selected.join())) SUITES[selected.join()]?.args.push(...unknown);
else if (unknown.length > 0)
  throw new Error(`Unknown suite: ${unknown.join(', ')}. The suites are ${Object.keys(SUITES).join(', ')}.`);

const total = { passed: 0, failed: 0, slow: 0, skipped: 0 };
for (const [name, suite] of Object.entries(SUITES)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  console.log(`\n${name}`);
  const counts = await runProgram(suite);
  console.log(`${name}: ${formatCounts(counts)}`);
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.slow += counts.slow;
  total.skipped += counts.skipped;
}
console.log(`\n${formatCounts(total)}`);
if (total.failed + total.slow > 0) process.exitCode = 1;
