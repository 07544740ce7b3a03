import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Statement } from '@platform/shared/db/database';

/** Small enough that a batch's locks last milliseconds. */
const BATCH = 200;
const LEAST_PAUSE_MILLISECONDS = 10;

/** Runs a delete, whose $1 is how many rows it may take and which returns a row for each, until nothing is left. */
export const removeInBatches = async (
  database: Database,
  { name, text, values }: Statement,
): Promise<number> => {
  for (let removed = 0; ; ) {
    const started = performance.now();
    const rows = await database.query({ name, text, values: [BATCH, ...values] });
    removed += rows.length;
    if (rows.length < BATCH) return removed;
    // As long as the batch took: half of the time, sign-ins find the disk and the processor free, however slow those are.
    await delay(Math.max(LEAST_PAUSE_MILLISECONDS, performance.now() - started));
  }
};
