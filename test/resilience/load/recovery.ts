import { createHttpClient } from '@platform/shared/testing/http-client';
import { poll } from '@platform/shared/testing/poll';
import type { RequestEntry } from './request-log.ts';

const TIMEOUT_SECONDS = 120;

const areReady = async (opsUrls: readonly string[]): Promise<boolean> => {
  const clients = opsUrls.map((url) => createHttpClient(url, { timeoutSeconds: 2 }));
  const responses = await Promise.all(clients.map(({ send }) => send({ path: '/readyz' })));
  return responses.every(({ status }) => status === 200);
};

/** When each operation that started after `since` first succeeded. Undefined while one has not. */
const findFirstSuccesses = (
  entries: readonly RequestEntry[],
  operations: readonly string[],
  since: number,
): number[] | undefined => {
  const successes = entries.filter(({ isSuccess, startedAt }) => isSuccess && startedAt >= since);
  const times = operations.map((name) => successes.find(({ operation }) => operation === name)?.endedAt);
  return times.includes(undefined) ? undefined : (times as number[]);
};

type RecoveryOptions = {
  /** Whether the process of the fault runs again. */
  isBack?: () => Promise<boolean>;
  opsUrls: readonly string[];
  entries: readonly RequestEntry[];
  operations: readonly string[];
  since: number;
};

/**
 * The seconds from `since` until every process is ready and every operation has succeeded again. Undefined
 * after a timeout.
 */
export const waitForRecovery = ({
  isBack = async () => true,
  opsUrls,
  entries,
  operations,
  since,
}: RecoveryOptions): Promise<number | undefined> =>
  poll(
    async () => {
      if (!(await isBack()) || !(await areReady(opsUrls))) return undefined;
      const readyAt = Date.now();
      const times = findFirstSuccesses(entries, operations, since);
      return times && (Math.max(readyAt, ...times) - since) / 1_000;
    },
    { timeoutSeconds: TIMEOUT_SECONDS, everyMilliseconds: 50 },
  );
