import { expect } from 'chai';
import { parseMetrics } from './parse-metrics.ts';
import type { ProcessName, RunningStack } from './stack.ts';

const EVERY_MILLISECONDS = 1_000;
const TIMEOUT_SECONDS = 5;

type WatchResult = {
  /** The number of successful scrapes of each process. */
  counts: Record<string, number>;
  /**
   * The number of scrapes in which each process was not ready, as it should be during the outage of a
   * dependency.
   */
  unready: Record<string, number>;
  /** Failed scrapes, and processes that ended unexpectedly. */
  failures: string[];
  /** Scrapes that reached the timeout. */
  late: string[];
};

type Target = { name: string; opsUrl: string; startTime?: number };

type Scrape = { startTime: number; isReady: boolean };

const send = async (url: string, timeoutSeconds: number): Promise<{ status: number; text: string }> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutSeconds * 1_000) });
  return { status: response.status, text: await response.text() };
};

const expectStatus = (
  path: string,
  { status, text }: { status: number; text: string },
  ...expected: number[]
) => {
  if (!expected.includes(status)) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`);
};

/** @throws Error unless the process is alive, its metrics can be parsed, and its readiness has a response */
const scrape = async (opsUrl: string, timeoutSeconds: number): Promise<Scrape> => {
  const [metrics, health, readiness] = await Promise.all(
    ['/metrics', '/healthz', '/readyz'].map((path) => send(opsUrl + path, timeoutSeconds)),
  );
  if (!metrics || !health || !readiness) throw new Error('A response is missing');
  expectStatus('/metrics', metrics, 200);
  expectStatus('/healthz', health, 200);
  expectStatus('/readyz', readiness, 200, 503);
  const samples = parseMetrics(metrics.text);
  const startTime = samples.find(({ name }) => name === 'process_start_time_seconds')?.value;
  if (startTime === undefined) throw new Error('/metrics: no process_start_time_seconds');
  return { startTime, isReady: readiness.status === 200 };
};

const getReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};

/**
 * Scrapes metrics, health and readiness of every watched process each second, as Prometheus and Kubernetes
 * do, even while an earlier scrape is running. A suite must unwatch a process before it ends it, and watch it
 * again after the restart.
 */
export const watchProcesses = (timeoutSeconds = TIMEOUT_SECONDS) => {
  const targets = new Map<string, Target>();
  const result: WatchResult = { counts: {}, unready: {}, failures: [], late: [] };
  const running = new Set<Promise<void>>();
  const count = (counts: Record<string, number>, name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };

  const watchOnce = async (target: Target): Promise<void> => {
    const { name, opsUrl } = target;
    const fail = (reason: string, lines = result.failures): void => {
      if (targets.get(opsUrl) === target) lines.push(`${new Date().toISOString()} ${name}: ${reason}`);
    };
    try {
      const { startTime, isReady } = await scrape(opsUrl, timeoutSeconds);
      count(result.counts, name);
      if (!isReady) count(result.unready, name);
      if (startTime !== (target.startTime ?? startTime)) fail('ended and was started again');
      target.startTime = startTime;
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      fail(getReason(error), isLate ? result.late : result.failures);
    }
  };
  const watchAll = (): void => {
    for (const target of targets.values()) {
      const watched = watchOnce(target).finally(() => running.delete(watched));
      running.add(watched);
    }
  };
  const timer = setInterval(watchAll, EVERY_MILLISECONDS);

  return {
    watch: (name: string, opsUrl: string): void => {
      targets.set(opsUrl, { name, opsUrl });
    },
    /** Stops watching the process. The failure of a running scrape is ignored as well. */
    unwatch: (opsUrl: string): void => {
      targets.delete(opsUrl);
    },
    /** The number of successful scrapes of each process so far. */
    counts: (): Record<string, number> => ({ ...result.counts }),
    /** The number of scrapes so far in which each process was not ready. */
    unready: (): Record<string, number> => ({ ...result.unready }),
    /** Resolves after one more scrape of every watched process. */
    stop: async (): Promise<WatchResult> => {
      clearInterval(timer);
      watchAll();
      await Promise.all(running);
      return result;
    },
  };
};

export type ProcessWatch = ReturnType<typeof watchProcesses>;

/** Watches the four processes of a stack, and checks that none of its engines is restarted unexpectedly. */
export const watchStack = ({ stack, read }: RunningStack) => {
  const { watch, unwatch, stop } = watchProcesses();
  const opsUrls: Partial<Record<ProcessName, string>> = stack.opsUrls;
  const pids: Record<string, number> = { ...stack.pids };
  for (const [name, opsUrl] of Object.entries(opsUrls)) watch(name, opsUrl);

  const findRestarted = async (): Promise<string[]> =>
    Object.entries((await read()).pids)
      .filter(([name, pid]) => pid !== pids[name])
      .map(([name]) => `${name}: ended and was started again`);

  return {
    /** Must be called before a suite kills the process. */
    expectEnd: (name: ProcessName): void => {
      if (opsUrls[name]) unwatch(opsUrls[name]);
    },
    /** Must be called after the killed process was restarted. */
    expectRunning: async (name: ProcessName): Promise<void> => {
      pids[name] = (await read()).pids[name];
      if (opsUrls[name]) watch(name, opsUrls[name]);
    },
    /** Resolves after one more scrape of every process. */
    stop: async (): Promise<WatchResult> => {
      const result = await stop();
      return { ...result, failures: [...result.failures, ...(await findRestarted())] };
    },
  };
};

export type StackWatch = ReturnType<typeof watchStack>;

/** Returns text such as `gateway 61, auth 60, …` for the report of a suite. */
const describeScrapes = ({ counts }: WatchResult): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Prints the number of scrapes. Expects that none has failed and no process has ended unexpectedly. */
export const expectNoFailures = (result: WatchResult): void => {
  const unready = Object.values(result.unready).reduce((total, count) => total + count, 0);
  console.log(
    `      scraped each second: ${describeScrapes(result)}; ${unready} not ready, ${result.late.length} late`,
  );
  expect(result.failures).to.deep.equal([]);
};
