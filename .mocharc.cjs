const { statSync } = require('node:fs');
const { availableParallelism } = require('node:os');

const ALL = [
  // The slowest files first, so that no worker is left with one of them at the end.
  'dev/**/*.test.ts',
  'tools/**/*.test.ts',
  'test/system/**/*.test.ts',
  'test/deployed/**/*.test.ts',
  'auth-service/**/*.test.ts',
  'admin-service/**/*.test.ts',
  'mailer-worker/**/*.test.ts',
  'gateway/**/*.test.ts',
  'shared/**/*.test.ts',
  'migrate/**/*.test.ts',
  'openapi/**/*.test.ts',
];

/** Mocha adds the files of the command line to those of its configuration. */
const isSpec = (argument) =>
  argument.endsWith('.test.ts') || statSync(argument, { throwIfNoEntry: false })?.isDirectory();
const hasSpec = process.argv.slice(2).some(isSpec);

module.exports = {
  extension: 'ts',
  spec: hasSpec ? [] : ALL,
  recursive: true,
  // The recipes are packages outside the workspaces; `npm run test:all` runs the outages.
  ignore: [
    '**/node_modules/**',
    'openapi/client/recipes/**',
    // Mocha would load the other files of a directory as well, such as benchmarks.
    '**/!(*.test).ts',
    ...(hasSpec ? [] : ['**/outages/**']),
  ],
  require: ['./test/response-coverage.ts', './shared/testing/fixtures.ts'],
  reporter: './shared/testing/closing-line-reporter.ts',
  parallel: true,
  // Tests wait more than they compute.
  jobs: availableParallelism() + 1,
  'forbid-only': true,
  // What a failed test leaves open must not keep the run from ending.
  exit: true,
  // Ends a test that hangs; a slow machine must not reach it.
  timeout: 120_000,
  slow: 1_000,
};
