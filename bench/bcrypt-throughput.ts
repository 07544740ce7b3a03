import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** How many passwords this machine can compare in a second when it does nothing else: bcryptjs, a thread per core. */
export const measureHashLimit = async (cost: number, seconds: number): Promise<number> => {
  const count = async (): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const worker = new Worker(new URL('./bcrypt-throughput-worker.ts', import.meta.url), {
      workerData: { cost, seconds },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    return await promise.finally(() => worker.terminate());
  };
  const rates = await Promise.all(Array.from({ length: availableParallelism() }, count));
  return rates.reduce((sum, rate) => sum + rate, 0);
};
