// `npm run stop`: stops the stack of `npm start` from another terminal, or with --name that of `npm run test-bench`.

import { readOptions, runCommand } from './command.ts';
import { readDataDir } from './config.ts';
import { stopStack } from './stop-stack.ts';

await runCommand(async () => {
  const { name } = readOptions(process.argv.slice(2), { name: { type: 'string' } });
  console.log(await stopStack(readDataDir(process.env, name), (line) => console.log(line)));
});
