import { describeScrapes, type ScrapeResult } from '@platform/shared/testing/scrape-metrics';
import type { Report } from '@platform/shared/testing/suite';

const SHOWN = 10;

/** Reports how often each process was scraped, and that no scrape failed and no process ended that the suite did not end. */
export const judgeScrapes = (report: Report, result: ScrapeResult): void => {
  const { failures } = result;
  for (const failure of failures.slice(0, SHOWN)) report.log(`    ${failure}`);
  report.check(
    failures.length === 0,
    `metrics scraped each second (${describeScrapes(result)}): ${failures.length} failed scrapes or unexpected restarts`,
  );
};
