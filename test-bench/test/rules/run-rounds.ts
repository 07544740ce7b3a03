// Several workers run all rules at the same time: `node run.mjs test-bench/test/rules/run-rounds.ts 20 20` for twenty
// workers and twenty rounds. Prints the seconds of each round, every rule with another outcome than alone, and the memory of the platform.
import { readFileSync } from 'node:fs';
import { findOutcomes, type Rule } from './rule.ts';
import { RULES } from './rules.ts';
import { startWorlds } from './stack-world.ts';

const [workers = 20, rounds = 20] = process.argv.slice(2).map(Number);
const { createWorld, pids, stop } = await startWorlds();

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Returns the memory in MB, a share of shared pages and the children of PostgreSQL included. */
const readMemory = (pid: number): number => {
  const read = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(read('smaps_rollup')) ?? [];
  // The other processes are the children of the stack.
  const children = pid === pids.stack ? [] : read(`task/${pid}/children`).trim().split(' ').filter(Boolean);
  return Number(kilobytes) / 1_024 + sum(children.map((child) => readMemory(Number(child))));
};
const readAll = (): Record<string, number> =>
  Object.fromEntries(
    Object.entries(pids)
      .filter(([, pid]) => pid !== null)
      .map(([name, pid]) => [name, Math.round(readMemory(pid))]),
  );

const differences: string[] = [];
const run = async (rule: Rule, label: string): Promise<void> => {
  const { before, after } = rule;
  const expected = `${before} → ${after}`;
  const found = await findOutcomes(rule, createWorld(label)).then(
    (outcomes) => `${outcomes.before} → ${outcomes.after}`,
    (error: Error) => error.message,
  );
  if (found !== expected) differences.push(`${label} ${rule.name}: ${found}, not ${expected}`);
};

/** Each worker begins with another rule. */
const runWorker = async (round: number, worker: number): Promise<void> => {
  for (const index of RULES.keys()) {
    const number = (index + worker * 3) % RULES.length;
    const rule = RULES[number];
    if (rule) await run(rule, `r${round}-w${worker}-${number}`);
  }
};

const before = readAll();
const seconds: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const started = performance.now();
  await Promise.all(Array.from({ length: workers }, (_, worker) => runWorker(round, worker)));
  seconds.push(Math.round((performance.now() - started) / 100) / 10);
  console.log(`round ${round + 1}: ${seconds.at(-1)} s, ${differences.length} differences`);
}
const after = readAll();
console.table(
  Object.keys(before).map((name) => ({ process: name, before: before[name], after: after[name] })),
);
for (const difference of differences) console.log(difference);
const total = workers * rounds * RULES.length;
console.log(`${total - differences.length} passed, ${differences.length} failed, 0 skipped`);
await stop();
process.exit(differences.length === 0 ? 0 : 1);
