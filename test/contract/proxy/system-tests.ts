import { readdir } from 'node:fs/promises';
import { startProcess } from '@platform/shared/testing/process';
import type { ProxyCounts } from './prism.ts';

/** Their requests are valid, so `prism proxy --errors` forwards all of them. */
export const VALID_REQUESTS = [
  ...['block', 'concurrency', 'contact-forms', 'first-administrator', 'journey', 'mail-journey'],
  ...['own-account', 'passkeys', 'second-factor', 'typed-client'],
];

/** Their point is a request that the document does not allow, or a path that it does not have. */
export const INVALID_REQUESTS = ['access-log', 'public-surface', 'route-matrix', 'trace'];

/** The other files, each with the reason. */
export const NOT_PROXIED: Record<string, string> = {
  'back-office-docs': 'a page outside the documents; Prism follows its redirect',
  'database-logins': 'the connections to the database',
  'deletion-traces': 'a mail server that fails, and everything that is stored',
  'frozen-engines': 'metrics on the operations ports',
  'killed-account-changes': 'stops many requests at the same statement, which the proxy delays',
  'killed-auth-service': 'stops many requests at the same statement, which the proxy delays',
  'mail-failures': 'mails while engines fail',
  mock: 'another server',
  metrics: 'metrics on the operations ports',
  observability: 'alert rules and dashboards',
  queues: 'the dashboard compares Origin with Host, which Prism replaces',
  'redis-engines': 'ten codes in two minutes of failovers',
  'second-factor-outages': 'engines fail',
  'trace-errors': 'spans',
  'trace-spans': 'spans',
};

/** Titles of tests in proxied files that a validating proxy makes impossible. */
const SKIPPED = {
  'an invalid request, which Prism rejects before the gateway': [
    'types responses and validation errors of the back-office',
  ],
  'a request without its token or cookie, which Prism rejects too': [
    'notifies every tab once when a reused refresh token has ended the session',
    'reports REFRESH_TOKEN_REUSED to a tab with an old refresh token',
    'does not call as another user whose sign-in the tab has not noticed',
  ],
  'the tokens may expire while sixty calls pass through the proxy': [
    'concurrent calls in each of three tabs',
  ],
  'Prism follows redirects itself': ['serves the API documentation with its files and its document'],
  'Prism returns 500 to HEAD': ['serves one document with the operations of both services'],
};

const TIMEOUT_SECONDS = 290;
const CLOSING_LINE = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m;
const MOCHA = [
  ...['node_modules/mocha/bin/mocha.js', '--no-config', '--exit', '--timeout', '30000'],
  ...['--reporter', './shared/testing/closing-line-reporter.ts'],
  ...['--require', './shared/testing/fixtures.ts', '--require', './test/contract/proxy/proxied-stack.ts'],
  ...['--grep', Object.values(SKIPPED).flat().join('|'), '--invert'],
];

export const listSystemTests = async (): Promise<string[]> => {
  const files = await readdir(new URL('../../system', import.meta.url));
  return files.filter((file) => file.endsWith('.test.ts')).map((file) => file.replace('.test.ts', ''));
};

export type SystemTestResult = { passed: number; failed: number; output: string; counts: ProxyCounts };

const sumCounts = (proxies: readonly ProxyCounts[]): ProxyCounts => {
  const sum = (name: keyof ProxyCounts) => proxies.reduce((total, counts) => total + counts[name], 0);
  return {
    forwarded: sum('forwarded'),
    invalidRequests: sum('invalidRequests'),
    invalidResponses: sum('invalidResponses'),
  };
};

/** Runs these system tests, with Prism in front of the gateway of each stack that they start. */
export const runSystemTests = async (
  names: readonly string[],
  { errors }: { errors: boolean },
): Promise<SystemTestResult> => {
  const files = names.map((name) => `test/system/${name}.test.ts`);
  const environment = { ...process.env, PRISM_ERRORS: String(errors), TEST_STACK_DIR: '' };
  const running = startProcess([...MOCHA, ...files], { environment });
  await running.waitForExit(TIMEOUT_SECONDS);
  const output = running.output();
  const [, passed = '0', failed = '1'] = CLOSING_LINE.exec(output) ?? [];
  const proxies = JSON.parse(/^proxies: (.*)$/m.exec(output)?.[1] ?? '[]') as ProxyCounts[];
  return { passed: Number(passed), failed: Number(failed), output, counts: sumCounts(proxies) };
};
