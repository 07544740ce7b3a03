import { setPriority } from 'node:os';
import { compareSync, hashSync } from 'bcryptjs';

// On Linux this lowers this thread alone, so that request handling wins the processor while hashes are computed.
if (process.platform === 'linux') setPriority(15);

export type HashTask = { password: string; cost: number } | { password: string; against: string };

export const runHashTask = (task: HashTask): string | boolean =>
  'cost' in task ? hashSync(task.password, task.cost) : compareSync(task.password, task.against);
