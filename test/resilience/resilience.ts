import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// `npm run test:resilience` runs every suite, one after the other; `npm run test:resilience -- races shutdown` these alone.

const SUITES = ['races', 'crashes', 'shutdown', 'smtp-outage'] as const;
const COUNTS = /^(\d+) passed, (\d+) failed, (\d+) skipped$/;

type Result = { exitCode: number; counts: number[] };

/** Runs one suite in a process of its own, so that it starts without the state of the one before. */
const runSuite = async (name: string): Promise<Result> => {
  const child = spawn(process.execPath, [`${import.meta.dirname}/${name}.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let counts: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const found = COUNTS.exec(line);
    if (found) counts = found.slice(1).map(Number);
    else console.log(line);
  }
  if (child.exitCode === null) await once(child, 'exit');
  return { exitCode: child.exitCode ?? 1, counts };
};

const selected = process.argv.length > 2 ? process.argv.slice(2) : SUITES;
const unknown = selected.filter((name) => !SUITES.some((suite) => suite === name));
if (unknown.length > 0)
  throw new Error(`No such suite: ${unknown.join(', ')}. There are ${SUITES.join(', ')}.`);

const total = [0, 0, 0];
for (const name of selected) {
  console.log(`\n${name}`);
  const { exitCode, counts } = await runSuite(name);
  console.log(`${name}: ${counts.join('/')} passed/failed/skipped`);
  for (const index of total.keys()) total[index] = (total[index] ?? 0) + (counts[index] ?? 0);
  if (exitCode !== 0) process.exitCode = 1;
}
console.log(`\n${total[0]} passed, ${total[1]} failed, ${total[2]} skipped`);
