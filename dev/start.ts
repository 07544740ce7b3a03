// `npm start` runs the whole platform on this machine. Ctrl-C stops it.

import { readOptions, runCommand } from './command.ts';
import { readStackConfig } from './config.ts';
import { formatHelp } from './help.ts';
import { runStack } from './run-stack.ts';

await runCommand(async () => {
  const { help } = readOptions(process.argv.slice(2), { help: { type: 'boolean', short: 'h' } });
  if (help) console.log(formatHelp());
  else await runStack(readStackConfig(process.env));
});
