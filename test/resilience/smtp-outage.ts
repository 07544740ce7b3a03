// `npm run test:mail-faults`: the mail stories of `npm test` (test/system/mail-failures.test.ts), the mail server away for a minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const MOCHA = [
  'node_modules/mocha/bin/mocha.js',
  '--no-config',
  '--extension',
  'ts',
  '--fail-zero',
  '--exit',
];
const SETUP = [
  '--require',
  './shared/testing/fixtures.ts',
  '--reporter',
  './shared/testing/closing-line-reporter.ts',
];

const child = spawn(process.execPath, [...MOCHA, ...SETUP, 'test/system/mail-failures.test.ts'], {
  cwd: new URL('../..', import.meta.url),
  env: { ...process.env, MAIL_FAULT_SECONDS: '60' },
  stdio: 'inherit',
});
const [code] = await once(child, 'exit');
process.exitCode = code ?? 1;
