// Plain JavaScript: to strip types, each thread would load a compiler of its own, 12 MB that stay.
import { setPriority } from 'node:os';
import { compareSync, hashSync } from 'bcryptjs';

// On Linux this lowers this thread alone, so that request handling wins the processor while hashes are computed.
if (process.platform === 'linux') setPriority(15);

/**
 * @param {import('./password-hasher.ts').HashTask} task
 * @returns {string | boolean}
 */
export const runHashTask = (task) =>
  'cost' in task ? hashSync(task.password, task.cost) : compareSync(task.password, task.against);
