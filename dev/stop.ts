// `npm run stop`: stops the stack of `npm start` from another terminal.

import { readFlags, runCommand } from './command.ts';
import { readDataDir } from './config.ts';
import { stopStack } from './stop-stack.ts';

await runCommand(async () => {
  readFlags(process.argv.slice(2), {});
  console.log(await stopStack(readDataDir(process.env), (line) => console.log(line)));
});
