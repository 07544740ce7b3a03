const { statSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { STACK_SECONDS } = require('./shared/src/async/patience.ts');

/** The slowest files first, so that no worker is left with one of them at the end. */
const FOLDERS = [
  'test/system',
  'auth-service',
  'mailer-worker',
  'gateway',
  'admin-service',
  'migrate',
  'dev',
  'test-bench',
  'bench',
  'tools',
  'test/deployed',
  'shared',
  'openapi',
  'web',
];

const OPTION_WITH_VALUE = /^(--config|-g|--grep|-f|--fgrep)$/;
/** A misspelt path is a file, too: Mocha would only warn of it, and run everything. */
const PATH = /^[\w.-]+\/[\w./-]+$/;
/** Mocha adds the files of the command line to those of its configuration. */
const isSpec = (argument, index, all) =>
  !OPTION_WITH_VALUE.test(all[index - 1]) &&
  (/\.test\.tsx?$/.test(argument) ||
    PATH.test(argument) ||
    statSync(argument, { throwIfNoEntry: false })?.isDirectory());
const hasSpec = process.argv.slice(2).some(isSpec);

module.exports = {
  extension: ['ts', 'tsx'],
  spec: hasSpec ? [] : FOLDERS.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
  recursive: true,
  // The recipes are packages outside the workspaces. `npm run test:all` runs the tests that install, build,
  // wait or start processes of their own.
  ignore: [
    '**/node_modules/**',
    'openapi/client/recipes/**',
    // Mocha would load the other files of a directory as well, such as benchmarks.
    '**/!(*.test).{ts,tsx}',
    ...(hasSpec ? [] : ['**/*.slow.test.ts']),
  ],
  require: ['./test/response-coverage.ts', './shared/testing/fixtures.ts', './web/testing/load-pages.ts'],
  reporter: './shared/testing/closing-line-reporter.ts',
  parallel: true,
  // Tests wait more than they compute.
  jobs: availableParallelism() + 2,
  'forbid-only': true,
  // A server or connection that a failed test has left open must not keep the run from ending.
  exit: true,
  // Long enough for a test that starts a stack; ends a test that hangs.
  timeout: STACK_SECONDS * 1_000,
  slow: 1_000,
};
