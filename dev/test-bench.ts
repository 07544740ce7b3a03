// `npm run test-bench` runs the platform with the test bench, for tests of other repositories. Ctrl-C stops it.

import { readOptions, runCommand } from './command.ts';
import { runStack } from './run-stack.ts';
import { readTestBenchConfig } from './test-bench-config.ts';

const USAGE = `npm run test-bench [-- options]

Starts the platform with the test bench, which makes people, lets time pass for them, reads their mails and lets
requests fail, for one test beside others. docs/testing.md explains it.

  --name <name>        one more, with any free ports, and its data in .data-<name>; by default the ports of npm start and
                       TEST_BENCH_PORT (8027), and .data-test-bench. DATA_DIR takes precedence.
  --set <NAME=value>   a setting of docs/configuration.md, such as NEW_DEVICE_CODE=on; can be repeated
  --help

stack.json in the data directory has all addresses and the secret. To stop it: Ctrl-C, or
npm run stop -- --name <name>, where the name is test-bench by default; npm run reset -- --name <name> deletes the data.`;

await runCommand(async () => {
  const { help, ...options } = readOptions(process.argv.slice(2), {
    name: { type: 'string' },
    set: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  });
  if (help) console.log(USAGE);
  else await runStack(readTestBenchConfig(process.env, options));
});
