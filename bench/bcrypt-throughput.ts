import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';

type Options = { cost: number; seconds: number };

/** The password comparisons per second on an otherwise idle machine: bcryptjs, one thread per core. */
export const measureBcryptThroughput = async (options: Options): Promise<number> => {
  const measureThread = async (): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const worker = new Worker(new URL(import.meta.url), { workerData: options });
    worker.once('message', resolve);
    worker.once('error', reject);
    return await promise.finally(() => worker.terminate());
  };
  const rates = await Promise.all(Array.from({ length: availableParallelism() }, measureThread));
  return rates.reduce((sum, rate) => sum + rate, 0);
};

const runThread = ({ cost, seconds }: Options): void => {
  const hash = hashSync('a password', cost);
  let comparisons = 0;
  const started = performance.now();
  while (performance.now() - started < seconds * 1_000) {
    compareSync('a password', hash);
    comparisons += 1;
  }
  parentPort?.postMessage(comparisons / ((performance.now() - started) / 1_000));
};

if (!isMainThread) runThread(workerData as Options);
