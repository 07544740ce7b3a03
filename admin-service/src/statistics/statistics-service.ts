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
import type { StatisticsList } from './statistics-store.ts';

type Dependencies = {
  lists: { statistics: StatisticsList };
  /** When the failed codes failed that are only in the queue. */
  listFailedCodes: () => Promise<Date[]>;
};

/**
 * The worker stores the counts of past hours, because counting the sign-ins of 28 days takes 0.5 s with ten million
 * records. The hours since then are counted by each request, so the numbers are never old.
 */
export const createStatisticsService = ({ lists, listFailedCodes }: Dependencies) => ({
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
    const recent = since ? failures.filter((at) => at >= since).length : 0;
    return {
      days: fillDays(counts, first, today),
      waiting: { ...waiting, failedMails: addFailures(waiting.failedMails, failures) },
      ...(counted && { since: { ...counted, failedMails: counted.failedMails + recent } }),
    };
  },
});

export type StatisticsService = ReturnType<typeof createStatisticsService>;
