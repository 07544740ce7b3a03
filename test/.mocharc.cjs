// The slow suites run one after another: all with `npm run test:all`, or one of them with
// `npm run test:all -- test/security`.
const { availableParallelism } = require('node:os');
const quick = require('../.mocharc.cjs');

const SUITES = [
  'test/contract/**/*.test.ts',
  'test/security/**/*.test.ts',
  'test/fuzz/**/*.test.ts',
  'test/client/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/resilience/**/*.test.ts',
  '{admin-service,auth-service,dev,gateway,mailer-worker,migrate,openapi,shared,test/deployed,test/system,test/upgrade,test-bench,tools}/**/*.slow.test.ts',
];
const { spec } = quick;

module.exports = {
  ...quick,
  // Without the files or folders of the command line.
  spec: spec.length === 0 ? [] : SUITES,
  ignore: quick.ignore.filter((pattern) => !pattern.includes('slow')),
  require: quick.require.filter((file) => !file.includes('coverage')),
  parallel: false,
  // With `--parallel`. Unlike the others, these tests compute more than they wait.
  jobs: availableParallelism(),
  // Installations, builds and minutes of requests.
  timeout: 600_000,
  slow: 60_000,
};
