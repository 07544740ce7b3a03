import { parseMetrics, type Sample } from '@platform/shared/testing/parse-metrics';
import { waitFor } from '@platform/shared/testing/poll';
import type { StackFile } from '@platform/shared/testing/stack';
import { Queue } from 'bullmq';
import { createClient } from 'redis';

type ProcessKey = keyof StackFile['opsUrls'];
export const PROCESSES: readonly ProcessKey[] = ['gateway', 'auth', 'admin', 'worker'];

/** Scrapes the metrics of one process. */
export const scrape = async (
  { opsUrls }: Pick<StackFile, 'opsUrls'>,
  process: ProcessKey,
): Promise<Sample[]> => {
  const response = await fetch(`${opsUrls[process]}/metrics`);
  if (!response.ok) throw new Error(`${process} returns ${response.status} to /metrics`);
  return parseMetrics(await response.text());
};

/** The sum of the series with this name and these labels, or undefined if there is none. */
export const sumOf = (
  samples: Sample[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined => {
  const found = samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
};

/** Runs the nightly cleanup job now, and waits until its metric shows the success. */
export const runCleanup = async (stack: Pick<StackFile, 'opsUrls' | 'redisUrl'>): Promise<void> => {
  const client = createClient({ url: stack.redisUrl });
  await client.connect();
  const queue = new Queue('maintenance', { connection: client });
  try {
    await queue.add('remove-expired-tokens', {});
    await waitFor('the cleanup job has succeeded', async () => {
      const page = await scrape(stack, 'worker');
      return sumOf(page, 'cleanup_last_success_timestamp_seconds') !== undefined;
    });
  } finally {
    await queue.close();
    client.destroy();
  }
};
