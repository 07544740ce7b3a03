import { startProcess } from '@platform/shared/testing/process';
import type { Release } from './releases.ts';

/** The system tests that neither kill processes nor compare metrics, logs and traces of single processes. */
const TESTS = [
  ...['back-office-docs', 'block', 'concurrency', 'contact-forms', 'journey', 'mail-journey'],
  ...['public-surface', 'queues', 'route-matrix'],
];
const TIMEOUT_SECONDS = 240;
const CLOSING_LINE = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;

type SystemTestResult = { passed: number; failed: number; output: string };

/** Runs the release's own system tests against its processes. */
export const runSystemTests = async (release: Release): Promise<SystemTestResult> => {
  const files = TESTS.map((name) => `test/system/${name}.test.ts`);
  const mocha = [
    ...['run.mjs', 'node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--timeout', '30000'],
    ...[
      '--require',
      './shared/testing/fixtures.ts',
      '--reporter',
      './shared/testing/closing-line-reporter.ts',
    ],
  ];
  const environment = { ...process.env, TEST_STACK_DIR: await release.describe() };
  const running = startProcess([...mocha, ...files], { environment, cwd: release.root });
  await running.waitForExit(TIMEOUT_SECONDS);
  const output = running.output();
  const [, passed, failed] = CLOSING_LINE.exec(output) ?? [];
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 1), output };
};
