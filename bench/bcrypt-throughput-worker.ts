// One thread of hash-limit.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcryptjs';

const PASSWORD = 'Password of the benchmark';
const { cost, seconds } = workerData as { cost: number; seconds: number };

const hash = hashSync(PASSWORD, cost);
let compares = 0;
const started = performance.now();
while (performance.now() - started < seconds * 1_000) {
  compareSync(PASSWORD, hash);
  compares += 1;
}
parentPort?.postMessage(compares / ((performance.now() - started) / 1_000));
