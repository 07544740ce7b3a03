// `npm run reset`: stops the stack and deletes its data, after a confirmation or with --yes; with --name those of
// `npm run test-bench`. With --orphans it instead deletes the databases of data directories that no longer exist.

import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { readOptions, runCommand } from './command.ts';
import { readDataDir } from './config.ts';
import { readStackFile } from './data-dir.ts';
import { deleteData } from './delete-data.ts';
import {
  deleteDatabase,
  describeOrphanedDatabases,
  listOrphanedDatabases,
} from './engines/orphaned-databases.ts';
import { StackError } from './stack-error.ts';
import { isDataDir } from './stack-lock.ts';
import { stopStack } from './stop-stack.ts';

/** External engines, by the variable of their URL. */
const listExternalEngines = (dataDir: string): string[] => {
  const pids = readStackFile(dataDir)?.pids;
  const isExternal = { DATABASE_URL: pids?.postgres === null, REDIS_URL: pids?.redis === null };
  return (['DATABASE_URL', 'REDIS_URL'] as const).filter((name) => process.env[name] || isExternal[name]);
};

/** Ctrl-C and the end of the input count as no. */
const confirm = async (question: string, flags: string): Promise<boolean> => {
  if (!process.stdin.isTTY)
    throw new StackError(
      `${question}\nNothing was done. To confirm without a terminal: npm run reset -- ${flags}`,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = once(terminal, 'close').then(() => 'no');
  const reply = await Promise.race([terminal.question(`${question} [yes/no] `), closed]);
  terminal.close();
  return /^y(es)?$/i.test(reply.trim());
};

const resetStack = async (dataDir: string, isConfirmed: boolean): Promise<void> => {
  if (!isDataDir(dataDir)) return console.log(`There is no data of a stack in ${dataDir}.`);
  const external = listExternalEngines(dataDir);
  const question = `Stop the stack and delete its database, mails, logs and secrets in ${dataDir}?`;
  if (!isConfirmed && !(await confirm(question, '--yes'))) return console.log('Nothing was deleted.');
  console.log(await stopStack(dataDir, (line) => console.log(line)));
  for (const line of await deleteData(dataDir)) console.log(line);
  for (const name of external) console.log(`The data of the external ${name} is untouched.`);
};

const deleteOrphans = async (isConfirmed: boolean): Promise<void> => {
  const orphans = listOrphanedDatabases();
  if (orphans.length === 0) return console.log('Every database has its data folder.');
  const list = orphans.map(({ clusterDir, dataDir }) => `${clusterDir} (of ${dataDir})`).join('\n');
  const question = `${list}\nDelete these databases, whose data folder no longer exists?`;
  if (!isConfirmed && !(await confirm(question, '--orphans --yes')))
    return console.log('Nothing was deleted.');
  for (const { clusterDir, pid } of orphans) {
    if (pid === undefined) deleteDatabase(clusterDir);
    console.log(
      pid === undefined ? `Deleted ${clusterDir}.` : `Kept ${clusterDir}: process ${pid} still uses it.`,
    );
  }
};

await runCommand(async () => {
  const {
    yes = false,
    orphans,
    name,
  } = readOptions(process.argv.slice(2), {
    yes: { type: 'boolean', short: 'y' },
    orphans: { type: 'boolean' },
    name: { type: 'string' },
  });
  if (orphans) return await deleteOrphans(yes);
  await resetStack(readDataDir(process.env, name), yes);
  for (const line of describeOrphanedDatabases(listOrphanedDatabases())) console.log(line);
});
