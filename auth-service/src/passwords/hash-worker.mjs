// Plain JavaScript, because stripping types would cost each thread 12 MB for a compiler.
import { getPriority, platform, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { compareSync, getRounds, hashSync } from 'bcryptjs';

// On Linux this lowers this thread alone, so that request handling wins the processor while hashes are
// computed. Raising it would be an error if the process itself was started with a lower priority.
if (platform() === 'linux') setPriority(Math.max(getPriority(), workerData.niceness));

/**
 * A failed comparison does 2^targetCost rounds whatever the hash's cost c is, so that its time does not tell
 * one account from another: 2^targetCost - 2^c = 2^c + 2^(c+1) + … + 2^(targetCost-1).
 * @param {import('./password-hasher-adapter.ts').HashTask} task
 * @returns {import('./password-hasher-adapter.ts').HashResult}
 */
export const runHashTask = (task) => {
  if ('cost' in task) return { value: hashSync(task.password, task.cost), rounds: 2 ** task.cost };
  const { password, against, targetCost } = task;
  const value = compareSync(password, against);
  let rounds = 2 ** getRounds(against);
  for (let cost = getRounds(against); !value && cost < targetCost; cost += 1) {
    hashSync(password, cost);
    rounds += 2 ** cost;
  }
  return { value, rounds };
};
