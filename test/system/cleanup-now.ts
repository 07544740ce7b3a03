import { waitFor } from '@platform/shared/testing/poll';
import type { StackFile } from '@platform/shared/testing/stack';
import { Queue } from 'bullmq';
import { createClient } from 'redis';
import { scrape, sumOf } from './metrics-pages.ts';

/** Has the worker do what it does at 03:00, and waits until it says that it has. */
export const cleanUpNow = async (stack: StackFile): Promise<void> => {
  const client = createClient({ url: stack.redisUrl });
  await client.connect();
  const queue = new Queue('maintenance', { connection: client });
  try {
    await queue.add('remove-expired-tokens', {});
    await waitFor('the worker has cleaned up', async () => {
      const page = await scrape(stack, 'worker');
      return sumOf(page, 'cleanup_last_success_timestamp_seconds') !== undefined;
    });
  } finally {
    await queue.close();
    client.destroy();
  }
};
