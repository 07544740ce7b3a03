import type { StackFile } from './stack.ts';
import type { Report } from './suite.ts';

const EVERY_MILLISECONDS = 1_000;
const TIMEOUT_MILLISECONDS = 5_000;

type ScrapeResult = {
  /** The number of successful scrapes by process. */
  counts: Record<string, number>;
  /** Failed scrapes, and processes that were restarted unexpectedly. */
  failures: string[];
};

type Target = { name: string; opsUrl: string; startTime?: string };

const START_TIME = /^process_start_time_seconds\{.*\} (\S+)$/m;

const readStartTime = async (opsUrl: string): Promise<string> => {
  const response = await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
  const text = await response.text();
  const startTime = START_TIME.exec(text)?.[1];
  if (!response.ok || startTime === undefined) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  return startTime;
};

const getReason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};

/**
 * Scrapes the metrics of every watched process each second, as Prometheus does, even while an earlier scrape is running.
 * A process must be unwatched before a suite ends it, and watched again after its restart.
 */
export const startScraping = () => {
  const targets = new Map<string, Target>();
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const running = new Set<Promise<void>>();

  const scrape = async (target: Target): Promise<void> => {
    const { name, opsUrl } = target;
    const isWatched = () => targets.get(opsUrl) === target;
    try {
      const startTime = await readStartTime(opsUrl);
      counts[name] = (counts[name] ?? 0) + 1;
      if (isWatched() && startTime !== (target.startTime ?? startTime))
        failures.push(`${name} ended and was started again`);
      target.startTime = startTime;
    } catch (error) {
      if (isWatched()) failures.push(`${name}: ${getReason(error)}`);
    }
  };
  const scrapeAll = (): void => {
    for (const target of targets.values()) {
      const scraped = scrape(target).finally(() => running.delete(scraped));
      running.add(scraped);
    }
  };
  const timer = setInterval(scrapeAll, EVERY_MILLISECONDS);

  return {
    watch: (name: string, opsUrl: string): void => {
      targets.set(opsUrl, { name, opsUrl });
    },
    /** Also ignores the failure of a running scrape. */
    unwatch: (opsUrl: string): void => {
      targets.delete(opsUrl);
    },
    /** Resolves after one more scrape of every watched process. */
    stop: async (): Promise<ScrapeResult> => {
      clearInterval(timer);
      scrapeAll();
      await Promise.all(running);
      return { counts, failures };
    },
  };
};

export type Scraping = ReturnType<typeof startScraping>;

/** `gateway 61, auth 60, …`, for a suite's report. */
export const describeScrapes = ({ counts }: ScrapeResult): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Scrapes the four processes of a stack. */
export const scrapeStack = ({ opsUrls }: StackFile): Scraping => {
  const scraping = startScraping();
  for (const [name, opsUrl] of Object.entries(opsUrls)) scraping.watch(name, opsUrl);
  return scraping;
};

const MAX_SHOWN = 10;

/** Reports the number of scrapes, and checks that none failed and no process exited unexpectedly. */
export const checkScrapes = (report: Report, result: ScrapeResult): void => {
  const { failures } = result;
  for (const failure of failures.slice(0, MAX_SHOWN)) report.log(`    ${failure}`);
  report.check(
    failures.length === 0,
    `metrics scraped each second (${describeScrapes(result)}): ${failures.length} failed scrapes or unexpected restarts`,
  );
  report.value(
    'scrapes',
    Object.values(result.counts).reduce((sum, count) => sum + count, 0),
  );
  report.value('failedScrapes', failures.length);
};
