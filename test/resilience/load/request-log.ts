import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { expect } from 'chai';

/** One request of the load. Times are milliseconds since the epoch. */
export type RequestEntry = {
  operation: string;
  startedAt: number;
  endedAt: number;
  isSuccess: boolean;
  response: HttpResponse;
};

/** Records how each request of the load ended. */
export const createRequestLog = () => {
  const entries: RequestEntry[] = [];

  return {
    entries,
    /**
     * Returns the response if it has the expected status. Otherwise the request may or may not have been
     * executed.
     */
    record: async (
      operation: string,
      expectedStatus: number,
      request: Promise<HttpResponse>,
    ): Promise<HttpResponse | undefined> => {
      const startedAt = Date.now();
      const response = await request;
      const isSuccess = response.status === expectedStatus;
      entries.push({ operation, startedAt, endedAt: Date.now(), isSuccess, response });
      return isSuccess ? response : undefined;
    },
  };
};

export type RequestLog = ReturnType<typeof createRequestLog>;

export const filterFailed = (entries: readonly RequestEntry[]): RequestEntry[] =>
  entries.filter(({ isSuccess }) => !isSuccess);

const READS = new Set(['me', 'users list', 'projects list', 'teams list']);

export const isRead = ({ operation }: RequestEntry): boolean => READS.has(operation);

/** The longest time between two acknowledged writes. */
export const findSecondsWithoutWrites = (entries: readonly RequestEntry[]): number => {
  const writes = entries.filter(({ operation, isSuccess }) => isSuccess && !READS.has(operation));
  const times = writes.map(({ endedAt }) => endedAt).sort((one, other) => one - other);
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time))) / 1_000;
};

/**
 * Returns the number of each result, the most frequent first, such as `12 × 502 UPSTREAM_UNAVAILABLE, 3 ×
 * reset`.
 */
export const countResults = (entries: readonly RequestEntry[]): string => {
  const counts = new Map<string, number>();
  for (const { response } of entries) {
    const result = formatStatus(response);
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([result, count]) => `${count} × ${result}`).join(', ') || '–';
};

/** Whether no outage explains the response, because it is an internal error or rejects a valid request. */
export const isUnexpected = ({ isSuccess, response }: RequestEntry): boolean =>
  !isSuccess && ![0, 502, 503, 504].includes(response.status);

/** Whether the request reached the client's time limit. The platform may have been about to respond. */
const isTimedOut = ({ response }: RequestEntry): boolean => response.failure === 'timeout';

/**
 * Whether the request was sent and got no complete response, because the connection was reset or the response
 * truncated.
 */
export const isInterrupted = (entry: RequestEntry): boolean =>
  entry.response.failure !== undefined && entry.response.failure !== 'refused' && !isTimedOut(entry);

/** Failed requests, without those that a busy machine did not serve in time. */
export const filterRefused = (entries: readonly RequestEntry[]): RequestEntry[] =>
  filterFailed(entries).filter((entry) => !isTimedOut(entry));

/** Fails with the results of the requests. */
export const expectNone = (entries: readonly RequestEntry[], description: string): void => {
  if (entries.length > 0) expect.fail(`${entries.length} ${description}: ${countResults(entries)}`);
};
