import type { Background } from '@platform/shared/async/tasks';
import {
  addFailures,
  DAY,
  fillDays,
  HOUR,
  MAX_DAYS,
  requireRecent,
  type Statistics,
  startOfDay,
  startOfHour,
} from './statistics.ts';
import type { StatisticsList, StatisticsStore } from './statistics-store.ts';

/** How long after an hour its counts are stored: every transaction that began in the hour has ended by then. */
const SETTLED_AFTER = HOUR;
/** The longest period that one statement counts, so that it ends well before the statement timeout. */
const MAX_ADDED = DAY;

type Dependencies = {
  stores: { statistics: StatisticsStore };
  lists: { statistics: StatisticsList };
  background: Background;
  stopping: AbortSignal;
  /** When the failed codes failed that are only in the queue. */
  listFailedCodes: () => Promise<Date[]>;
};

/**
 * Sign-ins are counted once for each past hour and stored, because counting those of 28 days takes 0.5 s with
 * ten million records. Only the last hours are counted by each request, so the numbers are never old.
 */
export const createStatisticsService = (dependencies: Dependencies) => {
  const { stores, lists, background, stopping, listFailedCodes } = dependencies;
  let isCounting = false;

  const storeHours = async (countedUntil: Date, end: Date): Promise<void> => {
    for (let from = countedUntil; from < end && !stopping.aborted; ) {
      const until = new Date(Math.min(from.getTime() + MAX_ADDED, end.getTime()));
      await stores.statistics.addHours(from, until);
      from = until;
    }
  };

  /** The response does not wait: until the hours are stored, their records are counted. */
  const keepCounting = (countedUntil: Date, now: number): void => {
    const end = startOfHour(now - SETTLED_AFTER);
    if (isCounting || countedUntil >= end) return;
    isCounting = true;
    background.run(() =>
      storeHours(countedUntil, end).finally(() => {
        isCounting = false;
      }),
    );
  };

  return {
    /** @param days the number of whole days before today @throws AppError 400 */
    read: async (days: number, since: Date | undefined): Promise<Statistics> => {
      const now = Date.now();
      if (since) requireRecent(since, now);
      const today = startOfDay(now);
      const first = today - days * DAY;
      const earliest = new Date(today - MAX_DAYS * DAY);
      const found = await lists.statistics.findCountedUntil();
      const countedUntil = found && found > earliest ? found : earliest;
      const [counts, waiting, counted, failures] = await Promise.all([
        lists.statistics.countDays(new Date(first), countedUntil),
        lists.statistics.countWaiting(),
        since && lists.statistics.countSince(since, startOfHour(since.getTime() + HOUR), countedUntil),
        listFailedCodes(),
      ]);
      keepCounting(countedUntil, now);
      const recent = since ? failures.filter((at) => at >= since).length : 0;
      return {
        days: fillDays(counts, first, today),
        waiting: { ...waiting, failedMails: addFailures(waiting.failedMails, failures) },
        ...(counted && { since: { ...counted, failedMails: counted.failedMails + recent } }),
      };
    },
  };
};

export type StatisticsService = ReturnType<typeof createStatisticsService>;
